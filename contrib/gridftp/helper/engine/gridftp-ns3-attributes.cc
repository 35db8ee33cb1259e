/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-ns3-attributes.h"

#include "gridftp-text.h"

#include "ns3/attribute.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

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
    Owned{"ns3::TcpL4Protocol::SocketType", "--tcp"},
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

constexpr std::string_view FORM = "ns3::Type::Attribute=VALUE";

/** @return the type of a name; none where ns-3 has none of this name */
std::optional<TypeId>
FindType(const std::string& name)
{
    TypeId type;
    return TypeId::LookupByNameFailSafe(name, &type) ? std::optional(type) : std::nullopt;
}

/** @return a type and those that it is derived from, which have attributes of it, too */
std::vector<TypeId>
GetAncestry(TypeId type)
{
    std::vector<TypeId> types{type};
    while (types.back().HasParent() && types.back().GetParent() != types.back())
    {
        types.push_back(types.back().GetParent());
    }
    return types;
}

/** @return ns3::Type::Attribute of each attribute that a type declares itself */
std::vector<std::string>
GetAttributeNames(TypeId type)
{
    std::vector<std::string> names;
    for (size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        names.push_back(type.GetName() + "::" + type.GetAttribute(i).name);
    }
    return names;
}

/**
 * @return the name of a type that is an unknown one but for a slip or two; empty: none is. Names of
 *         types have endings in common, so that more differences make another type.
 */
std::string
FindNearestType(std::string_view name)
{
    constexpr std::string_view SPACE = "ns3::";
    constexpr size_t MOST = 2;
    name.remove_prefix(name.starts_with(SPACE) ? SPACE.size() : 0);
    std::vector<std::string> names;
    for (uint32_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type.GetAttributeN() > 0 && type.GetName().starts_with(SPACE))
        {
            names.push_back(type.GetName().substr(SPACE.size()));
        }
    }
    const std::vector<std::string_view> words(names.begin(), names.end());
    const auto nearest = NearestWord(name, words);
    return nearest.empty() || CountEdits(name, nearest) > MOST
               ? ""
               : std::string(SPACE) + std::string(nearest);
}

/** @return the attribute of a type or of an ancestor that is like an unknown one, or names of it */
std::string
SuggestAttributes(TypeId type, const std::string& attribute)
{
    constexpr size_t MOST = 8;
    std::vector<std::string> names;
    for (const TypeId& each : GetAncestry(type))
    {
        for (auto& name : GetAttributeNames(each))
        {
            names.push_back(std::move(name));
        }
    }
    std::vector<std::string_view> words;
    for (const std::string_view name : names)
    {
        words.push_back(name.substr(name.rfind(':') + 1));
    }
    if (const auto nearest = NearestWord(attribute, words); !nearest.empty())
    {
        return "did you mean --set=" + names[std::ranges::find(words, nearest) - words.begin()] +
               "=VALUE?";
    }
    words.resize(std::min(words.size(), MOST));
    return words.empty() ? "allowed: another type, this one has no attributes"
                         : "allowed: attributes such as " + Join(words, ", ");
}

/** @return the values that an attribute takes, as ns-3 describes them */
std::string
DescribeValues(const TypeId::AttributeInformation& info)
{
    const std::string kind = info.checker->GetValueTypeName();
    std::string values = info.checker->HasUnderlyingTypeInformation()
                             ? info.checker->GetUnderlyingTypeInformation()
                             : kind;
    const auto initial = info.initialValue->SerializeToString(info.checker);
    return Printable(values) + (initial.empty() ? "" : ", such as " + Printable(initial));
}

} // namespace

std::string_view
FindAttributeOwner(std::string_view attribute)
{
    if (attribute.starts_with("ns3::gridftp::") && attribute.find(TUNER) != attribute.npos)
    {
        return "the options of its mode";
    }
    const auto colons = attribute.rfind("::");
    const auto type = FindType(std::string(attribute.substr(0, colons)));
    // The same attribute may be named by a type that inherits it.
    for (const TypeId& each : type ? GetAncestry(*type) : std::vector<TypeId>{})
    {
        const auto name = each.GetName() + std::string(attribute.substr(colons));
        const auto found = std::ranges::find(OWNED, name, &Owned::attribute);
        if (found != OWNED.end())
        {
            return found->owner;
        }
    }
    return {};
}

Error
DescribeAttributeFault(const std::string& assignment)
{
    const std::string shown = Printable("--set=" + assignment);
    const auto equals = assignment.find('=');
    const auto colons = assignment.substr(0, equals).rfind("::");
    if (equals == assignment.npos || equals + 1 == assignment.size() || colons == assignment.npos)
    {
        return Error{shown + " is not an attribute with a value; allowed: " + std::string(FORM)};
    }
    const std::string name = assignment.substr(0, colons);
    const std::string attribute = assignment.substr(colons + 2, equals - colons - 2);
    const auto type = FindType(name);
    if (!type)
    {
        const auto nearest = FindNearestType(name);
        return Error{shown + ": ns-3 has no type " + Printable(name) + "; " +
                     (nearest.empty() ? "allowed: " + std::string(FORM)
                                      : "did you mean --set=" + nearest + "::Attribute=VALUE?")};
    }
    for (size_t i = 0; i < type->GetAttributeN(); ++i)
    {
        if (type->GetAttribute(i).name == attribute)
        {
            return Error{shown + " has a value that the attribute does not take, or that no " +
                         "simulation can use; allowed: " + DescribeValues(type->GetAttribute(i))};
        }
    }
    return Error{shown + ": " + name + " has no attribute " + Printable(attribute) +
                 " of its own; " + SuggestAttributes(*type, attribute)};
}

} // namespace ns3::gridftp
