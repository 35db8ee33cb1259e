/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-codel.h"

namespace ns3::gridftp
{

namespace
{

constexpr unsigned UNIT_SHIFT = 10; // a unit of time has 1024 ns
constexpr unsigned WORD_BITS = 32;  // of the fixed-point numbers
constexpr unsigned ROOT_SHIFT = 16; // between these and the stored inverse root
constexpr uint64_t RECENT = 16;     // intervals: a dropping state that ended within them continues

/** @param ns a time, ns @return it in units of CoDel */
uint64_t
ToUnits(int64_t ns)
{
    return static_cast<uint64_t>(ns) >> UNIT_SHIFT;
}

} // namespace

QueuedPacket
CodelFifo::PopFront()
{
    const QueuedPacket packet = m_packets.Front();
    m_packets.Pop();
    m_bytes -= packet.bytes;
    return packet;
}

CodelFifo::Popped
CodelFifo::PopAny()
{
    return m_packets.IsEmpty() ? std::nullopt : Popped(PopFront());
}

CodelFifo::Popped
CodelFifo::Pop(int64_t nowNs, const CodelSpec& spec, std::vector<QueuedPacket>& dropped)
{
    Popped packet = PopAny();
    if (!packet)
    {
        m_isDropping = false;
        return packet;
    }
    const Moment moment{nowNs, ToUnits(nowNs), spec, dropped};
    const bool isTooLong = IsTooLong(packet, moment);
    if (m_isDropping)
    {
        m_isDropping = isTooLong;
        DropOn(packet, moment);
    }
    else if (isTooLong)
    {
        BeginDropping(packet, moment);
    }
    return packet;
}

bool
CodelFifo::IsTooLong(const Popped& packet, const Moment& moment)
{
    const bool isLong =
        packet && ToUnits(moment.nowNs - packet->enteredNs) >= ToUnits(moment.spec.targetNs) &&
        m_bytes >= static_cast<uint64_t>(moment.spec.leastBytes);
    if (!isLong)
    {
        m_aboveUntil = 0;
        return false;
    }
    if (m_aboveUntil == 0)
    {
        m_aboveUntil = moment.now + ToUnits(moment.spec.intervalNs);
        return false;
    }
    return moment.now > m_aboveUntil;
}

void
CodelFifo::DropOn(Popped& packet, const Moment& moment)
{
    while (m_isDropping && moment.now >= m_nextDrop)
    {
        ++m_count;
        StepRoot();
        if (packet->isEct)
        {
            packet->isMarked = true;
            m_nextDrop = GetNextDrop(moment.now, moment.spec);
            return;
        }
        moment.dropped.push_back(*packet);
        packet = PopAny();
        m_isDropping = IsTooLong(packet, moment);
        if (m_isDropping)
        {
            m_nextDrop = GetNextDrop(m_nextDrop, moment.spec);
        }
    }
}

void
CodelFifo::BeginDropping(Popped& packet, const Moment& moment)
{
    if (packet->isEct)
    {
        packet->isMarked = true;
    }
    else
    {
        moment.dropped.push_back(*packet);
        packet = PopAny();
        IsTooLong(packet, moment);
    }
    m_isDropping = true;
    // A drop that is not due yet is not recent: the difference is without a sign, as in ns-3
    const auto more = static_cast<int32_t>(m_count - m_lastCount);
    const bool isRecent = moment.now - m_nextDrop < RECENT * ToUnits(moment.spec.intervalNs);
    if (more > 1 && isRecent)
    {
        m_count = static_cast<uint32_t>(more);
        StepRoot();
    }
    else
    {
        m_count = 1;
        m_inverseRoot = UINT16_MAX;
    }
    m_lastCount = m_count;
    m_nextDrop = GetNextDrop(moment.now, moment.spec);
}

void
CodelFifo::StepRoot()
{
    // x (3 - count x^2) / 2
    constexpr uint64_t THREE = uint64_t{3} << WORD_BITS;
    const uint64_t root = uint64_t{m_inverseRoot} << ROOT_SHIFT;
    const uint64_t square = (root * root) >> WORD_BITS;
    const uint64_t quarter = (THREE - m_count * square) >> 2; // so that the product fits
    m_inverseRoot = static_cast<uint16_t>(((quarter * root) >> (WORD_BITS - 1)) >> ROOT_SHIFT);
}

uint64_t
CodelFifo::GetNextDrop(uint64_t from, const CodelSpec& spec) const
{
    const uint64_t root = uint64_t{m_inverseRoot} << ROOT_SHIFT;
    return from + ((ToUnits(spec.intervalNs) * root) >> WORD_BITS);
}

bool
CodelQueue::DoEnqueue(int64_t /* nowNs */, QueuedPacket packet)
{
    if (m_fifo.GetLength() >= m_mostPackets)
    {
        return false;
    }
    m_fifo.Push(packet);
    return true;
}

std::optional<QueuedPacket>
CodelQueue::DoDequeue(int64_t nowNs)
{
    return m_fifo.Pop(nowNs, m_spec, GetDrops());
}

} // namespace ns3::gridftp
