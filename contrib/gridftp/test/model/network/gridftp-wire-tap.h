/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_WIRE_TAP_H
#define GRIDFTP_WIRE_TAP_H

#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Reads along on the link of a host: TCP segments, the lines of control connections, the blocks of
 * data connections. It knows nothing of the applications.
 */
class WireTap
{
  public:
    /** A line of a control connection. */
    struct Line
    {
        Time at;          //!< its first byte begins to leave, or has come
        std::string text; //!< without CRLF
    };

    /** A data connection: its SYN. */
    struct Opening
    {
        Time at;       //!< the SYN begins to leave, or has come
        bool sent;     //!< whether this host opens it
        uint16_t from; //!< port
        uint16_t to;   //!< port
    };

    /** Part of a file. */
    struct Piece
    {
        uint64_t offset; //!< of its first byte
        uint64_t length; //!< bytes
        uint16_t port;   //!< where its data connection was opened from
    };

    /** What the data connections carried between one ESTO or ERET and the next. */
    struct Chunk
    {
        std::vector<Piece> pieces; //!< by port, then in the order of the stream
        uint32_t ends{0};          //!< EODs
        uint32_t files{0};         //!< EOFs
        uint64_t announced{0};     //!< EODs that the last EOF told of

        /**
         * @param bytes a size
         * @return whether every byte from 0 to @p bytes was there, each once, and no other
         */
        bool Covers(uint64_t bytes) const;
    };

    /** @param host with one link */
    explicit WireTap(Ptr<Node> host);

    WireTap(const WireTap&) = delete;
    WireTap& operator=(const WireTap&) = delete;

    /** @return lines towards port 2811, of all control connections */
    std::vector<Line> GetCommands() const;

    /** @return lines from port 2811, of all control connections */
    std::vector<Line> GetReplies() const;

    /** @return the first SYN of each data connection */
    std::vector<Opening> GetOpenings() const;

    /** @return of the chunks, what the data connections carried; of use at the receiving host */
    std::vector<Chunk> GetChunks() const;

    /** @return when the last TCP segment crossed that was not a bare FIN or a RST */
    Time GetLastTime() const;

    /** @return verbs of the commands, blank separated */
    std::string GetVerbs() const;

    /** @return codes of the lines that begin with one, blank separated */
    std::string GetCodes() const;

  private:
    class Blocks;

    /** A TCP segment. */
    struct Segment
    {
        Time at;             //!< it begins to leave, or has come
        uint32_t sequence;   //!< of its first byte
        Ptr<Packet> payload; //!< maybe empty
    };

    using Ports = std::pair<uint16_t, uint16_t>; //!< from, to

    /** A packet begins to leave. @param packet with its PPP header */
    void HandleSent(Ptr<const Packet> packet);

    /** A packet has come. @param packet with its PPP header */
    void HandleReceived(Ptr<const Packet> packet);

    /** A packet crosses the link. @param packet with its PPP header @param sent by this host */
    void HandlePacket(Ptr<const Packet> packet, bool sent);

    /** @param toServer lines to (true) or from (false) port 2811 @return them in order of time */
    std::vector<Line> GetLines(bool toServer) const;

    /** @param segments of one connection @return their payload in order, each byte once */
    static std::vector<Segment> Reassemble(const std::vector<Segment>& segments);

    /** @param segments of one connection @return its lines */
    static std::vector<Line> ReadLines(const std::vector<Segment>& segments);

    std::map<Ports, std::vector<Segment>> m_segments; //!< with payload, one way
    std::vector<Opening> m_syns;                      //!< without ACK
    Time m_last;                                      //!< of the last segment but FINs, RSTs
};

} // namespace ns3::gridftp

#endif // GRIDFTP_WIRE_TAP_H
