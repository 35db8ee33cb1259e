/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DATA_SIZER_H
#define GRIDFTP_DATA_SIZER_H

#include "gridftp-arrived-bytes.h"
#include "gridftp-buffer-settings.h"
#include "gridftp-data-channel-sizing.h"
#include "gridftp-data-stream.h"
#include "gridftp-mode-e-header.h"
#include "gridftp-transfer-events.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * SBUFs on a data connection, see DataChannelSizing: both endpoints.
 */

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Sizes the receive buffer of a data connection by SBUFs on it. Does nothing where the buffers of
 * the connection are not sized so.
 *
 * Contract: its owner passes an event of kind ALARM to HandleAlarm().
 */
class DataSizer
{
  public:
    /** @param stream endpoint that receives; outlives it @param settings of its buffers @param
     * events of its owner; outlives it @param serial of the connection, for events */
    DataSizer(DataStream& stream,
              const BufferSettings& settings,
              TransferEvents& events,
              uint32_t serial)
        : m_stream(&stream),
          m_sizing(settings),
          m_events(&events),
          m_serial(serial)
    {
    }

    /** The application has read. @param now current simulation time @param bytes at least 1 */
    void HandleRead(Nanoseconds now, uint64_t bytes);

    /** A header has acknowledged an SBUF. @param now current simulation time */
    void HandleAcknowledgement(Nanoseconds now)
    {
        m_sizing.HandleAcknowledgement(now);
    }

    /** An alarm expires; one that is no longer set has no effect. @param now current simulation
     * time */
    void HandleAlarm(Nanoseconds now);

    /** The end of data of a chunk has arrived, or the connection is closed. */
    void End();

    /** @return whether it does something */
    bool IsOn() const
    {
        return m_sizing.IsOn();
    }

    /** @return round-trip times so far */
    MeasuredRtt GetMeasured() const
    {
        return m_sizing.GetMeasured();
    }

  private:
    /** Sends an SBUF, and sets the alarm. @param now current simulation time @param message to
     * send, if any */
    void Send(Nanoseconds now, const std::optional<SizingMessage>& message);

    DataStream* m_stream;       //!< the connection
    DataChannelSizing m_sizing; //!< decides
    TransferEvents* m_events;   //!< of its owner
    uint32_t m_serial;          //!< of the connection
    uint64_t m_read{0};         //!< bytes of the current chunk
    bool m_hasBegun{false};     //!< some have arrived
};

/** @ingroup gridftp @brief Reads what arrives at the endpoint that sends data: SBUFs. */
class SizingReader
{
  public:
    /** @param bytes the next ones @return SBUFs that are complete with them, in order; none from
     * the first other header on */
    std::vector<SizingMessage> Feed(const ArrivedBytes& bytes);

    /** @return why it reads no more; empty: it does */
    const std::string& GetError() const
    {
        return m_error;
    }

  private:
    ModeEHeader::Bytes m_header{}; //!< header under way
    uint32_t m_fill{0};            //!< bytes of it
    std::string m_error;           //!< see GetError()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_DATA_SIZER_H
