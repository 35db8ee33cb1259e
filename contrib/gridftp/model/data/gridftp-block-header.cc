/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-block-header.h"

#include <ostream>

namespace ns3::gridftp
{

NS_OBJECT_ENSURE_REGISTERED(BlockHeader);

TypeId
BlockHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::gridftp::BlockHeader")
                            .SetParent<Header>()
                            .SetGroupName("GridFtp")
                            .AddConstructor<BlockHeader>();
    return tid;
}

TypeId
BlockHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
BlockHeader::GetSerializedSize() const
{
    return SIZE;
}

void
BlockHeader::Serialize(Buffer::Iterator start) const
{
    const Bytes bytes = ToBytes();
    start.Write(bytes.data(), SIZE);
}

uint32_t
BlockHeader::Deserialize(Buffer::Iterator start)
{
    Bytes bytes;
    start.Read(bytes.data(), SIZE);
    ModeEHeader::operator=(FromBytes(bytes));
    return SIZE;
}

void
BlockHeader::Print(std::ostream& os) const
{
    os << ToText();
}

} // namespace ns3::gridftp
