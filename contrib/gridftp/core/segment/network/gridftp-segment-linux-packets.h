/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_LINUX_PACKETS_H
#define GRIDFTP_SEGMENT_LINUX_PACKETS_H

#include "gridftp-linux-segment.h"
#include "gridftp-segment-packet.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief The header of a packet of a LinuxConnection, while it is on its way. */
struct LinuxPacket
{
    LinuxSegment segment;    //!< its header
    uint32_t incarnation{0}; //!< of the connection, see LinuxConnection
};

/**
 * @ingroup gridftp
 * The headers of packets on their way, which stay where they are in memory: a SegmentPacket has the
 * address of its header as its value.
 *
 * Contract: a LinuxConnection takes one LinuxPacket for each packet that it sends, and releases it
 * when the packet arrives or is dropped.
 */
class LinuxPacketPool
{
  public:
    /** @return one that is not in use, with the contents of its last use */
    LinuxPacket& Take()
    {
        if (m_free.empty()) [[unlikely]]
        {
            AddBlock();
        }
        LinuxPacket* const packet = m_free.back();
        m_free.pop_back();
        return *packet;
    }

    /** @param packet no longer in use */
    void Release(LinuxPacket& packet)
    {
        m_free.push_back(&packet);
    }

    /** @param packet in use @return the value that a SegmentPacket stores */
    static uint64_t GetValue(const LinuxPacket& packet)
    {
        return reinterpret_cast<uintptr_t>(&packet);
    }

    /** @param packet whose value is of GetValue() @return its LinuxPacket */
    static LinuxPacket& Get(SegmentPacket packet)
    {
        return *reinterpret_cast<LinuxPacket*>(static_cast<uintptr_t>(packet.GetValue()));
    }

  private:
    /** Makes more of them. */
    void AddBlock()
    {
        constexpr size_t COUNT = 256;
        auto& block = m_blocks.emplace_back(std::make_unique<LinuxPacket[]>(COUNT));
        for (size_t i = 0; i < COUNT; ++i)
        {
            m_free.push_back(&block[i]);
        }
    }

    std::vector<std::unique_ptr<LinuxPacket[]>> m_blocks; //!< all of them
    std::vector<LinuxPacket*> m_free;                     //!< those that are not in use
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_LINUX_PACKETS_H
