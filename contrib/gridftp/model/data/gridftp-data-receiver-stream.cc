/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-data-receiver-stream.h"

#include "gridftp-stall-text.h"

#include "ns3/packet.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::gridftp
{

void
DataReceiver::Stream::HandleRead(Ptr<Socket> socket)
{
    if (m_socket && !m_security.IsDone())
    {
        m_security.HandleRead(socket);
        if (!m_security.IsDone())
        {
            return;
        }
    }
    // What comes before its chunk is announced waits in the socket.
    while (m_socket && m_owner.m_active && !m_restEvent.IsPending())
    {
        if (const int64_t now = Simulator::Now().GetNanoSeconds();
            m_writes.IsTimed() && m_writes.IsFull(now))
        {
            return Rest(m_writes.GetNextNs() - now);
        }
        // A segment at a time: joined with others, a packet's virtual payload would become real.
        const auto packet = socket->Recv(GetMostBytes(), 0);
        if (!packet || packet->GetSize() == 0)
        {
            return;
        }
        if (const auto rate = static_cast<uint64_t>(m_owner.m_buffers.readRate); rate > 0)
        {
            Rest(GetWorkNs(packet->GetSize(), rate));
        }
        m_begun = true;
        m_sizer.HandleRead(packet->GetSize());
        if (!m_reader.Feed(packet))
        {
            m_owner.Fail(426, "data connection: " + m_reader.GetError());
            return;
        }
    }
}

uint32_t
DataReceiver::Stream::GetMostBytes() const
{
    // What is written to storage is read to the end of the block, and no further
    return m_writes.IsTimed()
               ? static_cast<uint32_t>(std::min<uint64_t>(m_segmentBytes, m_reader.GetMissing()))
               : m_segmentBytes;
}

void
DataReceiver::Stream::HandleRoom(Ptr<Socket> /* socket */, uint32_t /* room */)
{
    m_security.HandleRoom();
}

void
DataReceiver::Stream::HandlePeerClose(Ptr<Socket> socket)
{
    m_peerClosed = !m_owner.m_active && socket->GetRxAvailable() > 0;
    if (m_peerClosed)
    {
        return;
    }
    // A sender that wants fewer connections than for the last chunk closes some without a word.
    const bool early = m_owner.m_active && m_begun && IsWanting();
    socket
        ->ShutdownSend(); // or else ns-3 sends an ACK behind the FIN, which looks like a duplicate
    Close();
    if (early)
    {
        m_owner.Fail(426, "data connection closed before its end of data");
    }
    m_owner.CheckStarved();
}

void
DataReceiver::Stream::HandleError(Ptr<Socket> /* socket */)
{
    const bool early = m_owner.m_active && IsWanting();
    Close();
    if (early)
    {
        m_owner.Fail(426, MakeResetReason());
    }
}

void
DataReceiver::Stream::Break()
{
    const bool early = m_owner.m_active && IsWanting();
    Reset();
    if (early)
    {
        m_owner.Fail(426, MakeResetReason());
    }
}

void
DataReceiver::Stream::NoteStored()
{
    if (!m_owner.m_notesRanges)
    {
        return;
    }
    if (!m_writes.IsTimed())
    {
        return Note(m_runOffset, m_runLength); // as far as the run has come
    }
    const int64_t now = Simulator::Now().GetNanoSeconds();
    while (!m_storing.empty() && m_storing.front().doneNs <= now)
    {
        Note(m_storing.front().offset, m_storing.front().length);
        m_storing.pop_front();
    }
}

void
DataReceiver::Stream::Note(uint64_t offset, uint64_t length)
{
    MarkerRanges& stored = m_owner.m_stored;
    const uint64_t begin = m_owner.m_order.offset + offset;
    if (!stored.empty() && stored.back().begin <= begin && begin <= stored.back().end)
    {
        stored.back().end = std::max(stored.back().end, begin + length);
    }
    else
    {
        stored.push_back({begin, begin + length});
    }
}

} // namespace ns3::gridftp
