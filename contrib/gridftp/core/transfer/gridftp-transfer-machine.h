/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TRANSFER_MACHINE_H
#define GRIDFTP_TRANSFER_MACHINE_H

#include "gridftp-data-host.h"
#include "gridftp-event-target.h"
#include "gridftp-handshake.h"
#include "gridftp-transfer-events.h"
#include "gridftp-transfer-order.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * What the sending and the receiving half of a data transfer process have in common: settings of
 * data connections, and how their owner learns the outcome of a chunk.
 *
 * Contract: the owner learns the first outcome of a chunk, later ones are ignored. It is called
 * from an event, never from within its own call or a callback of a connection, so that it may close
 * connections then. It may not destroy the machine while an event of it is scheduled.
 */
class TransferMachine : private EventTarget
{
  public:
    TransferMachine(const TransferMachine&) = delete;
    TransferMachine& operator=(const TransferMachine&) = delete;

    /** @param tcp congestion control of new connections, as StreamTerms::tcp */
    void SetTcp(const std::string& tcp)
    {
        m_tcp = tcp;
    }

    /** @param security of new connections, before their first block */
    void SetSecurity(const DataSecuritySettings& security)
    {
        m_security = security;
    }

    /** @param buffers of new connections, window and processing included; a receiver's are those
     * that it accepts after the next Listen() */
    void SetBuffers(const BufferSpec& buffers)
    {
        m_buffers = buffers;
    }

    /** @param window of new connections, bytes; likewise */
    void SetWindow(uint32_t window)
    {
        m_buffers.window = window;
    }

    /** @param processing of blocks from now on; a receiver's on connections that it accepts from
     * now on */
    void SetProcessing(const ProcessingSpec& processing)
    {
        m_buffers.processing = processing;
    }

    /** @return buffers of its connections, as set */
    const BufferSpec& GetBuffers() const
    {
        return m_buffers;
    }

  protected:
    /** @param host of the connections; outlives it */
    explicit TransferMachine(DataHost& host)
        : m_host(&host),
          m_events(host, *this)
    {
    }

    ~TransferMachine() override = default;

    /** Schedules the call of the owner, unless one is due. @param now current simulation time
     * @param failure why the chunk fails; none: it is done */
    void ScheduleOutcome(Nanoseconds now, std::optional<TransferFailure> failure);

    /** The owner is not called any more for the current chunk. */
    void CancelOutcome()
    {
        m_isOutcomeDue = false;
    }

    /** @return whether the owner is to be called */
    bool IsOutcomeDue() const
    {
        return m_isOutcomeDue;
    }

    /** Calls the owner. @param now current simulation time @param failure as in ScheduleOutcome()
     */
    virtual void ReportOutcome(Nanoseconds now, const std::optional<TransferFailure>& failure) = 0;

    /** An event, but for the outcome. @param now current simulation time @param kind what for
     * @param serial of the connection, which may be gone */
    virtual void HandleOwnEvent(Nanoseconds now, TransferEvents::Kind kind, uint32_t serial) = 0;

    DataHost* m_host;                //!< of the connections
    TransferEvents m_events;         //!< its events
    std::string m_tcp;               //!< of its connections
    BufferSpec m_buffers;            //!< of its connections
    DataSecuritySettings m_security; //!< of its connections

  private:
    // EventTarget
    void HandleEvent(Nanoseconds now, uint32_t id) final;

    uint32_t m_outcome{0};                    //!< serial number of the last outcome
    bool m_isOutcomeDue{false};               //!< see IsOutcomeDue()
    std::optional<TransferFailure> m_failure; //!< of the outcome that is due
};

} // namespace ns3::gridftp

#endif // GRIDFTP_TRANSFER_MACHINE_H
