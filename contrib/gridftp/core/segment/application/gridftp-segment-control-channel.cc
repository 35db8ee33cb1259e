/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-control-channel.h"

namespace ns3::gridftp
{

SegmentControlChannel::SegmentControlChannel(FlowTable& flows,
                                             const SegmentTcp& tcp,
                                             const FlowPath& path,
                                             User& user,
                                             const Outages* refusals,
                                             std::vector<IdleRule> rules,
                                             bool closesApart,
                                             uint16_t port)
    : m_user(&user),
      m_entry(rules),
      m_connection(&TcpConnection::Make(flows,
                                        {.tcp = &tcp,
                                         .path = path,
                                         .ways = TcpConnection::Ways::TWO,
                                         .closesApart = closesApart,
                                         .hasListener = true,
                                         .port = port,
                                         .user = this,
                                         .refusals = refusals,
                                         .entry = rules.empty() ? nullptr : &m_entry}))
{
}

void
SegmentControlChannel::Write(TcpConnection::End from,
                             Nanoseconds now,
                             uint32_t bytes,
                             uint32_t message)
{
    // A peer with lookahead reads the line within Write()
    m_lines[from].push_back({m_connection->GetWritten(from) + bytes, message});
    m_connection->Write(from, now, bytes);
}

void
SegmentControlChannel::HandleConnected(TcpConnection& /* connection */, Nanoseconds now)
{
    m_user->HandleControlConnected(now);
}

void
SegmentControlChannel::HandleAccepted(TcpConnection& /* connection */, Nanoseconds now)
{
    m_user->HandleControlAccepted(now);
}

void
SegmentControlChannel::HandleDelivered(TcpConnection& connection,
                                       TcpConnection::End to,
                                       Nanoseconds now)
{
    auto& lines = m_lines[to == CLIENT ? SERVER : CLIENT];
    const uint64_t next = connection.GetReceived(to);
    while (!lines.empty() && lines.front().end <= next)
    {
        const uint32_t message = lines.front().message;
        lines.pop_front();
        m_user->HandleLine(to, now, message);
    }
}

void
SegmentControlChannel::HandleFailed(TcpConnection& /* connection */,
                                    Nanoseconds now,
                                    TcpConnection::Failure failure)
{
    const bool refused = failure == TcpConnection::Failure::REFUSED;
    m_user->HandleControlFailed(now,
                                refused ? "the control connection was refused"
                                        : "control connection failed");
}

void
SegmentControlChannel::HandleReset(TcpConnection& /* connection */,
                                   TcpConnection::End to,
                                   Nanoseconds now)
{
    if (to == SERVER)
    {
        return m_user->HandleControlLost(now);
    }
    m_user->HandleControlFailed(now, "control connection failed");
}

void
SegmentControlChannel::AddState(SegmentState& state) const
{
    for (const auto writer : {CLIENT, SERVER})
    {
        const uint64_t read = m_connection->GetReceived(writer == CLIENT ? SERVER : CLIENT);
        state.Add(m_lines[writer].size());
        for (const Line& line : m_lines[writer])
        {
            state.AddPosition(line.end, read);
            state.Add(line.message);
        }
    }
}

} // namespace ns3::gridftp
