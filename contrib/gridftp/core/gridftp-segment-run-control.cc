/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-segment-run.h"

#include <algorithm>

/**
 * @file
 * @ingroup gridftp
 * SegmentRun's control connections: lines, their ACKs, and what is sent again.
 */

namespace ns3::gridftp
{

namespace
{
constexpr uint32_t MOST_LINE_RETRIES = 15; // TcpDefaults::dataRetries
} // namespace

void
SegmentRun::SendBetween(const SegmentSession& session,
                        bool toServer,
                        int64_t now,
                        int64_t bytes,
                        SegmentPacket packet)
{
    if (toServer == m_upload)
    {
        m_network.SendForward(*this, session.GetIndex(), now, bytes, packet);
    }
    else
    {
        m_network.SendReverse(*this, session.GetIndex(), now, bytes, packet);
    }
}

void
SegmentRun::SendControl(SegmentSession& session,
                        bool toServer,
                        int64_t now,
                        uint32_t bytes,
                        uint32_t message)
{
    Lines& lines = m_owners[session.GetIndex()].lines[toServer ? 1 : 0];
    if (lines.waiting.empty() && bytes <= m_segmentBytes)
    {
        return SendLineEnd({session.GetIndex(), message, 0}, bytes, now);
    }
    const bool isIdle = lines.waiting.empty();
    lines.waiting.push_back({message, bytes});
    if (isIdle)
    {
        SendLines(session, toServer, now);
    }
}

void
SegmentRun::SendLines(SegmentSession& session, bool toServer, int64_t now)
{
    const uint32_t index = session.GetIndex();
    Lines& lines = m_owners[index].lines[toServer ? 1 : 0];
    const auto most = static_cast<uint64_t>(m_scenario.path.queue);
    if (lines.window == 0)
    {
        lines.window = static_cast<uint64_t>(m_scenario.tcp.initialWindow);
    }
    lines.window = std::min(lines.window, most);
    for (uint64_t left = lines.window; left > 0 && !lines.waiting.empty(); --left)
    {
        Line& line = lines.waiting.front();
        if (line.bytes <= m_segmentBytes)
        {
            SendLineEnd({index, line.message, 0}, line.bytes, now);
            lines.waiting.pop_front();
            continue;
        }
        line.bytes -= m_segmentBytes;
        SendBetween(session,
                    toServer,
                    now,
                    HEADER_BYTES + m_segmentBytes,
                    {PacketKind::WITHOUT_EFFECT, index});
    }
    lines.window *= 2; // slow start, a round trip at a time
    if (lines.waiting.empty())
    {
        return;
    }
    const int64_t next = now + session.GetControlRttNs();
    if (toServer == m_upload)
    {
        Schedule(next, EventKind::CONTROL_MORE, index, toServer ? 1 : 0);
    }
    else
    {
        ScheduleAtReceiver(next, EventKind::CONTROL_MORE, index, toServer ? 1 : 0);
    }
}

void
SegmentRun::SendLineEnd(const ControlMark& mark, uint32_t bytes, int64_t now)
{
    const bool isSyn =
        mark.message == SegmentSession::SYN || mark.message == SegmentSession::SYN_ACK;
    SendBetween(*m_sessions[mark.session],
                SegmentSession::IsToServer(mark.message),
                now,
                HEADER_BYTES + bytes + (isSyn ? SYN_OPTION_BYTES : 0),
                {PacketKind::CONTROL, mark.Pack(), static_cast<uint64_t>(now), bytes});
}

void
SegmentRun::RetryLine(int64_t at, SegmentPacket packet)
{
    ControlMark mark = ControlMark::Unpack(packet.GetOwner());
    SegmentSession& session = *m_sessions[mark.session];
    if (session.GetState() == SessionState::DONE || session.GetState() == SessionState::FAILED)
    {
        return;
    }
    if (mark.attempts == MOST_LINE_RETRIES)
    {
        return session.Fail(at, "control connection failed");
    }
    const bool isSyn =
        mark.message == SegmentSession::SYN || mark.message == SegmentSession::SYN_ACK;
    const int64_t timeout = isSyn ? SYN_TIMEOUT_NS : session.GetControlRtoNs();
    const auto sent = static_cast<int64_t>(packet.GetValue());
    const int64_t longest = isSyn ? LONGEST_NS : LARGEST_RTO_NS;
    const int64_t again = sent + std::min(timeout << mark.attempts, longest);
    ++mark.attempts;
    session.HandleLineAgain();
    Schedule(std::max(again, at), EventKind::CONTROL_AGAIN, mark.Pack(), packet.GetPayload());
}

void
SegmentRun::SendControlAck(SegmentSession& session, bool toServer, int64_t now)
{
    SendBetween(session,
                toServer,
                now,
                HEADER_BYTES,
                {PacketKind::WITHOUT_EFFECT, session.GetIndex()});
}

void
SegmentRun::ScheduleControlAck(SegmentSession& session, bool toServer, int64_t at)
{
    // Who acknowledges towards the server is the client, which sends the data of an upload
    if (toServer == m_upload)
    {
        Schedule(at, EventKind::CONTROL_ACK, session.GetIndex(), toServer ? 1 : 0);
    }
    else
    {
        ScheduleAtReceiver(at, EventKind::CONTROL_ACK, session.GetIndex(), toServer ? 1 : 0);
    }
}

void
SegmentRun::ScheduleMarker(SegmentSession& session, int64_t at)
{
    ScheduleAtReceiver(at, EventKind::MARKER, session.GetIndex());
}

} // namespace ns3::gridftp
