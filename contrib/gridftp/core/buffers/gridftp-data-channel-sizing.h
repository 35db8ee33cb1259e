/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_DATA_CHANNEL_SIZING_H
#define GRIDFTP_DATA_CHANNEL_SIZING_H

#include "gridftp-application-sizing.h"

#include <cstdint>
#include <deque>
#include <optional>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Bytes of an SBUF on a data connection: a MODE E header without payload.
 */
inline constexpr uint64_t DATA_SIZING_BYTES = 17;

/** @ingroup gridftp @brief SBUFs on a data connection whose acknowledgements have not come: while
 * there are so many, no other is sent. */
inline constexpr size_t MOST_DATA_SIZINGS = 8;

/** @ingroup gridftp @brief The buffers of a connection that carries SBUFs have room for so many. */
inline constexpr uint64_t LEAST_DATA_SIZING_BUFFER = MOST_DATA_SIZINGS * DATA_SIZING_BYTES;

/**
 * @ingroup gridftp
 * Right-sizing at the receiving end of one data connection, by SBUFs on that connection
 * (DRS-enabled GridFTP: Gardner, Thulasidasan and Feng, Section 5). Each chunk that the connection
 * carries is a transfer of ApplicationSizing, from its first bytes to its end of data.
 *
 * - An SBUF is a MODE E header without payload, sent against the data: its descriptor says so, the
 *   byte count is the size of the receive buffer, the offset its ID. The paper gives it no ID.
 * - The sender acknowledges it in a header that it is about to write anyway, as TCP piggybacks
 * ACKs. Both fields of that header have their own meaning, so there is room for a bit, but for no
 * ID: each header acknowledges one SBUF, in the order in which they were sent. All of them are
 *   acknowledged sooner or later, so that both ends count alike.
 * - The sender may acknowledge the last ones in headers of the next chunk only. These give no
 *   round-trip time: the connection was idle.
 */
class DataChannelSizing
{
  public:
    /** @param settings of the connection; it does nothing where they say SBUF elsewhere */
    explicit DataChannelSizing(const BufferSettings& settings);

    /** @return whether it sizes the buffer at all */
    bool IsOn() const
    {
        return m_settings.GetChannel() == SizingChannel::DATA;
    }

    /** @return when the next alarm is; none unless a chunk is under way */
    std::optional<Nanoseconds> GetAlarm() const
    {
        return m_sizing ? m_sizing->GetAlarm() : std::nullopt;
    }

    /**
     * The first bytes of a chunk have been read.
     * @param now of the simulation
     * @param bufferBytes receive buffer
     * @return what to tell the sender, if anything
     */
    std::optional<SizingMessage> Begin(Nanoseconds now, uint64_t bufferBytes);

    /**
     * The alarm expires, and is set anew.
     * @param now of the simulation
     * @param readBytes that have been read of the chunk on this connection
     * @param bufferBytes receive buffer
     * @return what to do
     */
    ApplicationSizing::Decision HandleAlarm(Nanoseconds now,
                                            uint64_t readBytes,
                                            uint64_t bufferBytes);

    /** A header that acknowledges an SBUF has been read. @param now of the simulation */
    void HandleAcknowledgement(Nanoseconds now);

    /** The end of data of the chunk has been read. */
    void End();

    /** @return round-trip times so far, of all chunks */
    MeasuredRtt GetMeasured() const;

  private:
    static constexpr uint64_t EARLIER = 0; //!< in place of an ID: of a chunk before

    /** @param message to send, if there is room for it @return what to send */
    std::optional<SizingMessage> Admit(const std::optional<SizingMessage>& message);

    BufferSettings m_settings;                 //!< of the connection
    std::optional<ApplicationSizing> m_sizing; //!< of the chunk under way or the last one
    MeasuredRtt m_before;                      //!< of the chunks before that
    std::deque<uint64_t> m_unacknowledged;     //!< IDs of SBUFs, in order
};

/**
 * @ingroup gridftp
 * What the sending end of a data connection makes of an SBUF there.
 * @param settings of the connection
 * @param message what the SBUF says
 * @return size that its send buffer grows to, bytes; 0 where the size is given
 */
uint64_t GetSendBufferAskedFor(const BufferSettings& settings, const SizingMessage& message);

} // namespace ns3::gridftp

#endif // GRIDFTP_DATA_CHANNEL_SIZING_H
