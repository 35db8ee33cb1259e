/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BUFFER_SIZER_H
#define GRIDFTP_BUFFER_SIZER_H

#include "gridftp-application-sizing.h"
#include "gridftp-data-receiver.h"

#include "ns3/callback.h"
#include "ns3/event-id.h"

#include <optional>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * An ApplicationSizing at work on the data connection of a DataReceiver: reads its rate at each
 * alarm, sets its receive buffer, and has its owner tell the sender by SBUF on the control
 * connection. It does nothing where the policy for buffers is another one.
 */
class BufferSizer
{
  public:
    /** Tells the sender. */
    using TellCallback = Callback<void, const SizingMessage&>;

    BufferSizer() = default;
    ~BufferSizer();

    BufferSizer(const BufferSizer&) = delete;
    BufferSizer& operator=(const BufferSizer&) = delete;

    /**
     * @param receiver of the data, configured
     * @param tell called when the sender is to be told
     */
    void Configure(Ptr<DataReceiver> receiver, TellCallback tell);

    /** A transfer begins. */
    void Begin();

    /** An SBUF is answered. @param id of it @return whether such a one was under way */
    bool HandleAnswer(uint64_t id);

    /** The sender does not know SBUF while data flow. */
    void HandleRefusal();

    /** The transfer has ended. */
    void End();

    /** @return round-trip times measured so far */
    MeasuredRtt GetMeasured() const;

  private:
    /** The alarm expires. */
    void HandleAlarm();

    /** Tells the sender, and sets the alarm. @param message what, if anything */
    void Tell(const std::optional<SizingMessage>& message);

    Ptr<DataReceiver> m_receiver;              //!< whose buffer it sizes
    TellCallback m_tell;                       //!< owner's callback
    std::optional<ApplicationSizing> m_sizing; //!< decides; none with another policy
    EventId m_alarmEvent;                      //!< the next alarm
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BUFFER_SIZER_H
