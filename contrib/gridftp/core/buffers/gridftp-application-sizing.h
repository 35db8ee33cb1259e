/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_APPLICATION_SIZING_H
#define GRIDFTP_APPLICATION_SIZING_H

#include "gridftp-buffer-settings.h"
#include "gridftp-buffer-tally.h"
#include "gridftp-nanoseconds.h"

#include <cstdint>
#include <deque>
#include <optional>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What an SBUF says: `SBUF <ID> <size>`. */
struct SizingMessage
{
    uint64_t id{0};    //!< matches it to its answer
    uint64_t bytes{0}; //!< size of the receive buffer

    bool operator==(const SizingMessage&) const = default;
};

/**
 * @ingroup gridftp
 * Dynamic right-sizing in user space, at the end that receives (Gardner, Thulasidasan and Feng,
 * Section 4.1): the rate from the bytes that the application has read in an interval (4.1.1), the
 * round-trip time from an SBUF to its answer (4.1.2), and a receive buffer of twice their product
 * wherever it is smaller (4.1.3). Every alarm tells the sender the size (4.1.4); where it is the
 * same as before, the SBUF is a probe.
 *
 * drsFTP has one for its data connection and DRS-enabled GridFTP one for each (Section 5); what
 * carries the messages differs, and so does what the round-trip time is of. It decides and
 * measures; its owner has the clock, the buffer and the connections.
 *
 * The paper takes the last round-trip time measured. What it is of has waited, as its SBUF may
 * have, in queues and, on a data connection, behind all that the sender has written: a larger
 * buffer then makes for a longer round-trip time, and that for a larger buffer. SizingRtt::LEAST
 * takes the least one of the transfer, as ReceiverRtt does.
 *
 * The paper probes at alarms. Here the first probe is sent with the transfer, so that the first
 * alarm knows a round-trip time; and until an answer has come, no second one is sent: a peer
 * that does not know SBUF while data flow is asked once (Section 4.1.4: it need not answer).
 */
class ApplicationSizing
{
  public:
    /** @param settings of the connection that it sizes */
    explicit ApplicationSizing(const BufferSettings& settings);

    /**
     * A transfer begins.
     * @param now of the simulation
     * @param bufferBytes receive buffer
     * @return what to tell the sender, if anything
     */
    std::optional<SizingMessage> Begin(Nanoseconds now, uint64_t bufferBytes);

    /** @return when the next alarm is; none without a transfer */
    std::optional<Nanoseconds> GetAlarm() const
    {
        return m_alarmNs;
    }

    /** What comes of an alarm. */
    struct Decision
    {
        uint64_t bufferBytes{0};              //!< receive buffer from now on
        std::optional<SizingMessage> message; //!< what to tell the sender, if anything
    };

    /**
     * The alarm expires, and is set anew.
     * @param now of the simulation
     * @param readBytes that the application has read of this transfer
     * @param bufferBytes receive buffer
     * @return what to do
     */
    Decision HandleAlarm(Nanoseconds now, uint64_t readBytes, uint64_t bufferBytes);

    /**
     * An SBUF is answered.
     * @param now of the simulation
     * @param id of it
     * @return whether such a one was under way
     */
    bool HandleAnswer(Nanoseconds now, uint64_t id);

    /** The peer does not know SBUF: it is told nothing any more. */
    void HandleRefusal();

    /** The transfer has ended. What is under way may still be answered. */
    void End()
    {
        m_alarmNs.reset();
    }

    /** @return whether SBUFs are under way */
    bool IsProbing() const
    {
        return !m_sent.empty();
    }

    /** @return round-trip times that it has taken so far, one for each answer */
    const MeasuredRtt& GetMeasured() const
    {
        return m_measured;
    }

  private:
    /** An SBUF under way. */
    struct Sent
    {
        uint64_t id;        //!< its ID
        Nanoseconds sentNs; //!< when
    };

    /** @param now of the simulation @param bufferBytes to tell @return an SBUF, where one is due */
    std::optional<SizingMessage> Tell(Nanoseconds now, uint64_t bufferBytes);

    uint64_t m_most;                      //!< largest receive buffer, bytes
    int64_t m_intervalNs;                 //!< between two alarms
    SizingRtt m_which;                    //!< which round-trip time counts
    std::optional<Nanoseconds> m_alarmNs; //!< see GetAlarm()
    uint64_t m_readBytes{0};              //!< at the last alarm
    int64_t m_rttNs{0};                   //!< the one that counts; 0: none yet
    uint64_t m_lastId{0};                 //!< of the last SBUF
    bool m_refused{false};                //!< see HandleRefusal()
    std::deque<Sent> m_sent;              //!< SBUFs under way, in order
    MeasuredRtt m_measured;               //!< see GetMeasured()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_APPLICATION_SIZING_H
