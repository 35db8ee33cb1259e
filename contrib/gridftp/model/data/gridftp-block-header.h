/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BLOCK_HEADER_H
#define GRIDFTP_BLOCK_HEADER_H

#include "gridftp-mode-e-header.h"

#include "ns3/header.h"

#include <cstdint>
#include <iosfwd>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief A ModeEHeader as a header of ns-3's packets. */
class BlockHeader : public Header, public ModeEHeader
{
  public:
    /** @return the TypeId */
    static TypeId GetTypeId();

    /** An empty data block: all fields 0. */
    BlockHeader() = default;

    /** @param header any */
    explicit BlockHeader(const ModeEHeader& header)
        : ModeEHeader(header)
    {
    }

    // Header
    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BLOCK_HEADER_H
