/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tcp-defaults.h"

#include "gridftp-buffer-settings.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/string.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

namespace ns3::gridftp
{

void
TcpDefaults::Apply() const
{
    NS_ABORT_MSG_UNLESS(segmentSize > 0, "TcpDefaults: segmentSize not set");
    NS_ABORT_MSG_UNLESS(window >= segmentSize, "TcpDefaults: window under one segment");
    NS_ABORT_MSG_UNLESS(initialWindow > 0, "TcpDefaults: initialWindow not set");
    NS_ABORT_MSG_UNLESS(minRto.IsStrictlyPositive(), "TcpDefaults: minRto not set");
    NS_ABORT_MSG_UNLESS(delayedAck > 0, "TcpDefaults: delayedAck not set");

    Config::SetDefault("ns3::TcpL4Protocol::RecoveryType",
                       TypeIdValue(TcpClassicRecovery::GetTypeId()));

    Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(sack));
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(timestamps));
    Config::SetDefault("ns3::TcpSocketBase::WindowScaling", BooleanValue(true));
    Config::SetDefault("ns3::TcpSocketBase::LimitedTransmit", BooleanValue(limitedTransmit));
    Config::SetDefault("ns3::TcpSocketBase::UseEcn", StringValue(ecn ? "On" : "Off"));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(minRto));
    Config::SetDefault("ns3::TcpSocketBase::ClockGranularity", TimeValue(clockGranularity));

    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(segmentSize));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(window));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(GetSendBufferFor(window)));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(initialWindow));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(delayedAck));
    Config::SetDefault("ns3::TcpSocket::DataRetries", UintegerValue(dataRetries));
    Config::SetDefault("ns3::TcpSocket::ConnCount", UintegerValue(synRetries));
    Config::SetDefault("ns3::TcpSocket::TcpNoDelay", BooleanValue(noDelay));
}

} // namespace ns3::gridftp
