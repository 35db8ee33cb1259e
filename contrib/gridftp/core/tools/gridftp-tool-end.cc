/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tool-end.h"

namespace ns3::gridftp
{

void
ToolEnd::HandleData(Nanoseconds /* now */, const DataDatagram& /* datagram */)
{
}

void
ToolEnd::HandleReport(Nanoseconds /* now */, const ReportDatagram& /* report */)
{
}

void
ToolEnd::HandleTimer(Nanoseconds /* now */, uint32_t /* timer */)
{
}

void
ToolEnd::HandleConnected(Nanoseconds /* now */)
{
}

void
ToolEnd::HandleBytes(Nanoseconds /* now */, std::span<const uint8_t> /* bytes */)
{
}

void
ToolEnd::HandleLost(Nanoseconds /* now */)
{
}

} // namespace ns3::gridftp
