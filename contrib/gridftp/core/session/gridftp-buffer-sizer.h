/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BUFFER_SIZER_H
#define GRIDFTP_BUFFER_SIZER_H

#include "gridftp-application-sizing.h"
#include "gridftp-block-receiver.h"
#include "gridftp-host-alarm.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Sizes the receive buffer of a BlockReceiver while data flow, by an ApplicationSizing: at each
 * alarm it reads the rate, sets the buffer, and informs the sender by SBUF on the control
 * connection. With another policy for buffers it does nothing.
 *
 * Contract: its owner calls Configure() once, Begin() and End() for each transfer, and
 * HandleAnswer() or HandleRefusal() for each answer to an SBUF.
 */
class BufferSizer
{
  public:
    /** Informs the sender. @param now current simulation time @param message of the SBUF */
    using SendHandler = std::function<void(Nanoseconds now, const SizingMessage& message)>;

    /** @param host of its timer; outlives it @param receiver of the data, with its buffers set;
     * outlives it @param send called to inform the sender */
    void Configure(DataHost& host, BlockReceiver& receiver, SendHandler send);

    /** A transfer begins. @param now current simulation time */
    void Begin(Nanoseconds now);

    /** An SBUF is answered. @param now current simulation time @param id of it @return whether it
     * was under way */
    bool HandleAnswer(Nanoseconds now, uint64_t id);

    /** The sender does not know SBUF while data flow. */
    void HandleRefusal();

    /** The transfer has ended. */
    void End();

    /** @return round-trip times measured so far */
    MeasuredRtt GetMeasured() const;

  private:
    /** The alarm expires. @param now current simulation time */
    void HandleAlarm(Nanoseconds now);

    /** Sets the alarm, then informs the sender. @param now current simulation time @param message
     * of the SBUF; none: nothing has changed */
    void Continue(Nanoseconds now, const std::optional<SizingMessage>& message);

    BlockReceiver* m_receiver{nullptr};        //!< whose buffer it sizes
    SendHandler m_send;                        //!< of its owner
    std::optional<ApplicationSizing> m_sizing; //!< decides; none with another policy
    HostAlarm m_alarm;                         //!< of the next decision
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BUFFER_SIZER_H
