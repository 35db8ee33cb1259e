/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-ns3-attributes.h"

#include <algorithm>
#include <array>

namespace ns3::gridftp
{

namespace
{

/** An attribute, and what sets it. */
struct Owned
{
    std::string_view attribute; //!< ns3::Type::Attribute
    std::string_view owner;     //!< see FindAttributeOwner()
};

constexpr std::string_view PATH = "the topology";

/** What ApplyNs3Defaults(), the network and the applications set of a scenario. */
constexpr std::array OWNED{
    Owned{"ns3::TcpSocketBase::Sack", "--sack"},
    Owned{"ns3::TcpSocketBase::Timestamp", "--timestamps"},
    Owned{"ns3::TcpSocketBase::LimitedTransmit", "--limited-transmit"},
    Owned{"ns3::TcpSocketBase::MinRto", "--min-rto"},
    Owned{"ns3::TcpSocket::SegmentSize", "--packet-size"},
    Owned{"ns3::TcpSocket::RcvBufSize", "--window"},
    Owned{"ns3::TcpSocket::SndBufSize", "--window"},
    Owned{"ns3::TcpSocket::InitialCwnd", "--initial-window"},
    Owned{"ns3::TcpSocket::DelAckCount", "--delayed-ack"},
    Owned{"ns3::PointToPointNetDevice::DataRate", "--bandwidth, --access-bandwidth"},
    Owned{"ns3::PointToPointNetDevice::Mtu", "--packet-size"},
    Owned{"ns3::PointToPointChannel::Delay", "--delay, --access-delay"},
    Owned{"ns3::QueueBase::MaxSize", "--queue"},
    Owned{"ns3::gridftp::LeanNetDevice::Mtu", "--packet-size"},
    Owned{"ns3::gridftp::LeanNetDevice::DataRate", "--bandwidth, --access-bandwidth"},
    Owned{"ns3::gridftp::LeanNetDevice::LinkHeader", "--link-header"},
    Owned{"ns3::gridftp::LeanNetDevice::ReceiveErrorModel", "--random-loss"},
    Owned{"ns3::gridftp::LeanNetDevice::TxQueue", "--queue"},
    Owned{"ns3::gridftp::LeanNetDevice::IdleBypass", PATH},
    Owned{"ns3::gridftp::LeanChannel::Delay", "--delay, --access-delay"},
    Owned{"ns3::gridftp::BufferedApplication::Window", "--window"},
    Owned{"ns3::gridftp::BufferedApplication::Buffers", "--buffers"},
    Owned{"ns3::gridftp::BufferedApplication::MaxBuffer", "--max-buffer"},
    Owned{"ns3::gridftp::BufferedApplication::SendBuffer", "--send-buffer"},
    Owned{"ns3::gridftp::BufferedApplication::BufferInterval", "--buffer-interval"},
    Owned{"ns3::gridftp::BufferedApplication::BufferPeer", "--buffer-peer"},
    Owned{"ns3::gridftp::BufferedApplication::BufferRtt", "--buffer-rtt"},
    Owned{"ns3::gridftp::BufferedApplication::ReadRate", "--read-rate"},
    Owned{"ns3::gridftp::BufferedApplication::WriteRate", "--write-rate"},
    Owned{"ns3::gridftp::SecuredApplication::ControlSecurity", "--control-security"},
    Owned{"ns3::gridftp::SecuredApplication::DataSecurity", "--data-security"},
    Owned{"ns3::gridftp::SecuredApplication::AuthCpu", "--auth-cpu"},
    Owned{"ns3::gridftp::SecuredApplication::DelegationCpu", "--delegation-cpu"},
    Owned{"ns3::gridftp::Client::Remote", PATH},
    Owned{"ns3::gridftp::Client::Sender", PATH},
    Owned{"ns3::gridftp::Client::DataTcp", "--tcp"},
    Owned{"ns3::gridftp::Client::Direction", "--direction"},
    Owned{"ns3::gridftp::Client::DataChannels", "--data-channels"},
    Owned{"ns3::gridftp::Client::Layout", "--layout"},
    Owned{"ns3::gridftp::Client::FileSize", "--file-size"},
    Owned{"ns3::gridftp::Client::Files", "--files"},
    Owned{"ns3::gridftp::Client::RepeatFor", "--repeat-for"},
    Owned{"ns3::gridftp::Client::ChunkSize", "--chunk-size"},
    Owned{"ns3::gridftp::Client::BlockSize", "--block-size"},
    Owned{"ns3::gridftp::Client::Pipelining", "--pipelining"},
    Owned{"ns3::gridftp::Client::RttSamples", "--rtt-samples"},
    Owned{"ns3::gridftp::Client::StartJitter", "--start-jitter"},
    Owned{"ns3::gridftp::Client::TunerWindow", "--tuner-window"},
    Owned{"ns3::gridftp::Client::Tuner", "--mode"},
    Owned{"ns3::gridftp::Client::SendingStripes", "--stripes"},
    Owned{"ns3::gridftp::Client::ReceivingStripes", "--stripes"},
    Owned{"ns3::gridftp::Client::StripeTuning", "--stripe-tuning"},
    Owned{"ns3::gridftp::Client::StripeLayout", "--stripe-layout"},
    Owned{"ns3::gridftp::Client::StripeBlock", "--stripe-block"},
    Owned{"ns3::gridftp::Client::Retries", "--retries"},
    Owned{"ns3::gridftp::Client::RetryWait", "--retry-wait"},
    Owned{"ns3::gridftp::Client::RetryWaitMost", "--retry-wait-most"},
    Owned{"ns3::gridftp::Client::StallTimeout", "--stall-timeout"},
    Owned{"ns3::gridftp::Client::Keepalive", "--keepalive"},
    Owned{"ns3::gridftp::Client::MinRate", "--min-rate"},
    Owned{"ns3::gridftp::Client::MinRatePeriod", "--min-rate-period"},
    Owned{"ns3::gridftp::Server::DataTcp", "--tcp"},
    Owned{"ns3::gridftp::Server::RangeMarkers", "--retries"},
    Owned{"ns3::gridftp::Server::StallTimeout", "--stall-timeout"},
    Owned{"ns3::gridftp::Server::RequestCpu", "--request-cpu"},
    Owned{"ns3::gridftp::Server::FileSize", "--file-size"},
    Owned{"ns3::gridftp::Server::Layout", "--layout"},
    Owned{"ns3::gridftp::Server::BlockSize", "--block-size"},
    Owned{"ns3::gridftp::Server::StartJitter", "--start-jitter"},
    Owned{"ns3::gridftp::Server::StripeBlock", "--stripe-block"},
    Owned{"ns3::gridftp::DataTransferProcess::Port", PATH},
    Owned{"ns3::gridftp::DataTransferProcess::DataTcp", "--tcp"},
    Owned{"ns3::gridftp::DataTransferProcess::RangeMarkers", "--retries"},
    Owned{"ns3::gridftp::DataTransferProcess::StallTimeout", "--stall-timeout"},
    Owned{"ns3::gridftp::DataTransferProcess::Layout", "--layout"},
    Owned{"ns3::gridftp::DataTransferProcess::BlockSize", "--block-size"},
    Owned{"ns3::gridftp::DataTransferProcess::StartJitter", "--start-jitter"},
    Owned{"ns3::gridftp::BackgroundSource::Remote", PATH},
    Owned{"ns3::gridftp::BackgroundSource::DataTcp", "--background tcp="},
    Owned{"ns3::gridftp::BackgroundSink::DataTcp", "--background tcp="},
    Owned{"ns3::gridftp::BbftpApplication::DataTcp", "--tcp"},
    Owned{"ns3::gridftp::BbftpClientApplication::Remote", PATH},
    Owned{"ns3::gridftp::DatagramApplication::Remote", PATH},
};

/** What the attributes of all tuners are called in between. */
constexpr std::string_view TUNER = "Tuner::";

} // namespace

std::string_view
FindAttributeOwner(std::string_view attribute)
{
    if (attribute.starts_with("ns3::gridftp::") && attribute.find(TUNER) != attribute.npos)
    {
        return "the options of its mode";
    }
    const auto found = std::ranges::find(OWNED, attribute, &Owned::attribute);
    return found == OWNED.end() ? std::string_view() : found->owner;
}

} // namespace ns3::gridftp
