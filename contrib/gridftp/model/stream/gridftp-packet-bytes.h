/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_PACKET_BYTES_H
#define GRIDFTP_PACKET_BYTES_H

#include "gridftp-arrived-bytes.h"

#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <span>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief The bytes of a packet of ns-3. */
class PacketBytes final : public ArrivedBytes
{
  public:
    /** @param packet outlives it */
    explicit PacketBytes(const Ptr<const Packet>& packet)
        : ArrivedBytes(packet->GetSize()),
          m_packet(packet)
    {
    }

    void Copy(uint64_t position, std::span<uint8_t> to) const override
    {
        const auto size = static_cast<uint32_t>(to.size());
        if (position == 0)
        {
            m_packet->CopyData(to.data(), size);
            return;
        }
        // A fragment shares the bytes of its packet, so virtual payload stays virtual
        m_packet->CreateFragment(static_cast<uint32_t>(position), size)->CopyData(to.data(), size);
    }

  private:
    const Ptr<const Packet>& m_packet; //!< all of it
};

} // namespace ns3::gridftp

#endif // GRIDFTP_PACKET_BYTES_H
