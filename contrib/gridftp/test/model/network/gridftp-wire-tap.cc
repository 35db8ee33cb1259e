/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-wire-tap.h"

#include "ns3/gridftp-block-reader.h"
#include "ns3/gridftp-control-reply.h"
#include "ns3/gridftp-packet-bytes.h"
#include "ns3/ipv4-header.h"
#include "ns3/net-device.h"
#include "ns3/ppp-header.h"
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"

#include <algorithm>
#include <optional>
#include <set>

namespace ns3::gridftp
{

namespace
{

Ptr<NetDevice>
GetLink(Ptr<Node> host)
{
    for (uint32_t i = 0; i < host->GetNDevices(); ++i)
    {
        if (host->GetDevice(i)->IsPointToPoint())
        {
            return host->GetDevice(i);
        }
    }
    return nullptr;
}

/// @param text a list @param word to be added to it, behind a blank
void
Append(std::string& text, const std::string& word)
{
    text += (text.empty() ? "" : " ") + word;
}

} // namespace

/** Takes the blocks of one data connection apart, for WireTap::GetChunks(). */
class WireTap::Blocks : public BlockReader::Sink
{
  public:
    /** @param port where the connection was opened from */
    explicit Blocks(uint16_t port)
        : m_port(port)
    {
    }

    /** @param packet the next bytes @param chunk where they belong @return no error so far */
    bool Feed(Ptr<Packet> packet, Chunk& chunk)
    {
        m_chunk = &chunk;
        const Ptr<const Packet> bytes = packet;
        return m_reader.Feed(PacketBytes(bytes));
    }

  private:
    void HandleData(uint64_t offset, uint64_t length, uint64_t /* position */) override
    {
        m_chunk->pieces.push_back({offset, length, m_port});
    }

    void HandleEndOfFile(uint64_t eodCount) override
    {
        ++m_chunk->files;
        m_chunk->announced = eodCount;
    }

    void HandleEndOfData() override
    {
        ++m_chunk->ends;
        m_reader.NextTransfer();
    }

    uint16_t m_port;             //!< where the connection was opened from
    Chunk* m_chunk{nullptr};     //!< where the bytes belong
    BlockReader m_reader{*this}; //!< takes the blocks apart
};

bool
WireTap::Chunk::Covers(uint64_t bytes) const
{
    auto sorted = pieces;
    std::sort(sorted.begin(), sorted.end(), [](const Piece& a, const Piece& b) {
        return a.offset < b.offset;
    });
    uint64_t next = 0;
    for (const auto& piece : sorted)
    {
        if (piece.offset != next)
        {
            return false;
        }
        next += piece.length;
    }
    return next == bytes;
}

WireTap::WireTap(Ptr<Node> host)
{
    const auto link = GetLink(host);
    link->TraceConnectWithoutContext("PhyTxBegin", MakeCallback(&WireTap::HandleSent, this));
    link->TraceConnectWithoutContext("PhyRxEnd", MakeCallback(&WireTap::HandleReceived, this));
}

void
WireTap::HandleSent(Ptr<const Packet> packet)
{
    HandlePacket(packet, true);
}

void
WireTap::HandleReceived(Ptr<const Packet> packet)
{
    HandlePacket(packet, false);
}

void
WireTap::HandlePacket(Ptr<const Packet> packet, bool sent)
{
    constexpr uint8_t TCP = 6;
    auto copy = packet->Copy();
    PppHeader ppp;
    Ipv4Header ip;
    TcpHeader tcp;
    copy->RemoveHeader(ppp);
    copy->RemoveHeader(ip);
    if (ip.GetProtocol() != TCP)
    {
        return;
    }
    copy->RemoveHeader(tcp);
    const Ports ports{tcp.GetSourcePort(), tcp.GetDestinationPort()};
    if ((tcp.GetFlags() & (TcpHeader::SYN | TcpHeader::ACK)) == TcpHeader::SYN)
    {
        m_syns.push_back({Simulator::Now(), sent, ports.first, ports.second});
    }
    if (copy->GetSize() > 0 || !(tcp.GetFlags() & (TcpHeader::FIN | TcpHeader::RST)))
    {
        m_last = Simulator::Now();
    }
    if (copy->GetSize() > 0)
    {
        m_segments[ports].push_back({Simulator::Now(), tcp.GetSequenceNumber().GetValue(), copy});
    }
}

std::vector<WireTap::Segment>
WireTap::Reassemble(const std::vector<Segment>& segments)
{
    std::map<uint32_t, Segment> waiting;
    std::vector<Segment> stream;
    uint32_t next = 1; // ns-3 counts from 0 and the SYN takes the first
    for (const auto& segment : segments)
    {
        auto& known = waiting[segment.sequence];
        if (!known.payload || known.payload->GetSize() < segment.payload->GetSize())
        {
            known = segment;
        }
        while (!waiting.empty() && waiting.begin()->first <= next)
        {
            Segment first = waiting.begin()->second;
            waiting.erase(waiting.begin());
            const uint32_t had = next - first.sequence;
            const uint32_t size = first.payload->GetSize();
            if (had < size)
            {
                first.payload = first.payload->CreateFragment(had, size - had);
                next += size - had;
                stream.push_back({segment.at, first.sequence, first.payload});
            }
        }
    }
    return stream;
}

std::vector<WireTap::Line>
WireTap::ReadLines(const std::vector<Segment>& segments)
{
    std::vector<Line> lines;
    LineReader reader;
    std::optional<Time> begun;
    for (const auto& segment : Reassemble(segments))
    {
        std::string bytes(segment.payload->GetSize(), '\0');
        segment.payload->CopyData(reinterpret_cast<uint8_t*>(bytes.data()),
                                  segment.payload->GetSize());
        for (const char byte : bytes)
        {
            begun = begun.value_or(segment.at);
            reader.Feed({&byte, 1});
            if (const auto line = reader.Next())
            {
                lines.push_back({*begun, *line ? **line : line->GetError().text});
                begun.reset();
            }
        }
    }
    return lines;
}

std::vector<WireTap::Line>
WireTap::GetLines(bool toServer) const
{
    std::vector<Line> all;
    for (const auto& [ports, segments] : m_segments)
    {
        if ((toServer ? ports.second : ports.first) == CONTROL_PORT)
        {
            const auto lines = ReadLines(segments);
            all.insert(all.end(), lines.begin(), lines.end());
        }
    }
    std::stable_sort(all.begin(), all.end(), [](const Line& a, const Line& b) {
        return a.at < b.at;
    });
    return all;
}

std::vector<WireTap::Line>
WireTap::GetCommands() const
{
    return GetLines(true);
}

std::vector<WireTap::Line>
WireTap::GetReplies() const
{
    return GetLines(false);
}

std::vector<WireTap::Opening>
WireTap::GetOpenings() const
{
    std::set<Ports> known;
    std::vector<Opening> openings;
    for (const auto& syn : m_syns)
    {
        if (syn.to != CONTROL_PORT && known.insert({syn.from, syn.to}).second)
        {
            openings.push_back(syn);
        }
    }
    return openings;
}

std::vector<WireTap::Chunk>
WireTap::GetChunks() const
{
    std::vector<Time> starts;
    for (const auto& command : GetCommands())
    {
        if (command.text.starts_with("ESTO") || command.text.starts_with("ERET"))
        {
            starts.push_back(command.at);
        }
    }
    std::vector<Chunk> chunks(starts.size());
    for (const auto& [ports, segments] : m_segments)
    {
        if (ports.first == CONTROL_PORT || ports.second == CONTROL_PORT)
        {
            continue;
        }
        Blocks blocks(ports.first);
        for (const auto& segment : Reassemble(segments))
        {
            const auto after = std::upper_bound(starts.begin(), starts.end(), segment.at);
            if (after == starts.begin() ||
                !blocks.Feed(segment.payload, chunks[after - starts.begin() - 1]))
            {
                return {};
            }
        }
    }
    return chunks;
}

Time
WireTap::GetLastTime() const
{
    return m_last;
}

std::string
WireTap::GetVerbs() const
{
    std::string verbs;
    for (const auto& command : GetCommands())
    {
        Append(verbs, command.text.substr(0, 4));
    }
    return verbs;
}

std::string
WireTap::GetCodes() const
{
    std::string codes;
    for (const auto& reply : GetReplies())
    {
        if (reply.text.size() > 3 && reply.text[0] != ' ' && reply.text[3] == ' ')
        {
            Append(codes, reply.text.substr(0, 3));
        }
    }
    return codes;
}

} // namespace ns3::gridftp
