/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CONNECTION_SIZER_H
#define GRIDFTP_CONNECTION_SIZER_H

#include "gridftp-block-header.h"
#include "gridftp-data-channel-sizing.h"

#include "ns3/event-id.h"
#include "ns3/packet.h"
#include "ns3/socket.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Sizes the receive buffer of one data connection by SBUFs on it, see DataChannelSizing: has the
 * clock, the socket and the alarm. Does nothing where the connection's buffers are not sized so.
 */
class ConnectionSizer
{
  public:
    /**
     * @param socket the connection, at its receiving end
     * @param settings of its buffers
     */
    ConnectionSizer(Ptr<Socket> socket, const BufferSettings& settings);
    ~ConnectionSizer();

    ConnectionSizer(const ConnectionSizer&) = delete;
    ConnectionSizer& operator=(const ConnectionSizer&) = delete;

    /** The application has read. @param bytes at least 1 */
    void HandleRead(uint32_t bytes);

    /** A header has acknowledged an SBUF. */
    void HandleAcknowledgement();

    /** The end of data of a chunk has come. */
    void End();

    /** Lets go of the connection. */
    void Stop();

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
    /** The alarm has expired. */
    void HandleAlarm();

    /** Tells the sender, and sets the alarm. @param message what to tell, if anything */
    void Tell(const std::optional<SizingMessage>& message);

    Ptr<Socket> m_socket;       //!< the connection
    uint64_t m_window;          //!< its receive buffer, where that does not move
    DataChannelSizing m_sizing; //!< decides
    uint64_t m_read{0};         //!< bytes of the chunk under way
    bool m_begun{false};        //!< a chunk is under way
    EventId m_alarmEvent;       //!< the next alarm
};

/**
 * @ingroup gridftp
 * Takes apart what comes to the sending end of a data connection: SBUFs.
 */
class SizingReader
{
  public:
    /**
     * @param packet the next bytes
     * @return SBUFs that are complete with it, in order; none from the first other header on
     */
    std::vector<SizingMessage> Feed(Ptr<const Packet> packet);

    /** @return why it reads no more, or an empty text */
    const std::string& GetError() const
    {
        return m_error;
    }

  private:
    BlockHeader::Bytes m_header{}; //!< the header being collected
    uint32_t m_fill{0};            //!< bytes of it
    std::string m_error;           //!< see GetError()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_CONNECTION_SIZER_H
