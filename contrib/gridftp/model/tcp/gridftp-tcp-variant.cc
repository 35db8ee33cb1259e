/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-tcp-variant.h"

#include "gridftp-congestion-control.h"
#include "gridftp-tcp-socket-reno.h"
#include "gridftp-tcp-socket-right-sizing.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/object-factory.h"
#include "ns3/rtt-estimator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/uinteger.h"

namespace ns3::gridftp
{

namespace
{

/**
 * @brief Create an object of a type.
 * @tparam T what it is used as
 * @param tid the type
 * @return the object
 */
template <typename T>
Ptr<T>
CreateOfType(TypeId tid)
{
    ObjectFactory factory;
    factory.SetTypeId(tid);
    return factory.Create<T>();
}

/**
 * @brief Create an object of the type that an attribute of TcpL4Protocol names.
 * @tparam T what it is used as
 * @param tcp the protocol
 * @param attribute the attribute
 * @return the object
 */
template <typename T>
Ptr<T>
CreateAsSetFor(Ptr<TcpL4Protocol> tcp, const std::string& attribute)
{
    TypeIdValue tid;
    tcp->GetAttribute(attribute, tid);
    return CreateOfType<T>(tid.Get());
}

/**
 * @brief Whether a type is another or derives from it.
 * @param tid the type
 * @param base the other
 * @return true if so
 */
bool
IsA(TypeId tid, TypeId base)
{
    return tid == base || tid.IsChildOf(base);
}

} // namespace

std::optional<TypeId>
FindTcpVariant(const std::string& name)
{
    // Defaults of attributes are made while this library is loaded, perhaps before its own socket
    // is registered, which asking for the type does. Those of ns-3 are: their libraries come first.
    TcpSocketReno::GetTypeId();
    const auto* control = FindCongestionControl(name);
    TypeId tid;
    if (TypeId::LookupByNameFailSafe(control ? std::string(control->ns3Type) : name, &tid) &&
        IsTcpVariant(tid))
    {
        return tid;
    }
    return std::nullopt;
}

bool
IsTcpVariant(TypeId variant)
{
    return variant.HasConstructor() && (IsA(variant, TcpSocketBase::GetTypeId()) ||
                                        IsA(variant, TcpCongestionOps::GetTypeId()));
}

bool
MayMoveBuffers(TypeId variant)
{
    return !IsA(variant, TcpSocketBase::GetTypeId()) ||
           IsA(variant, TcpSocketRightSizing::GetTypeId());
}

Ptr<Socket>
CreateTcpSocket(Ptr<Node> node, TypeId variant)
{
    NS_ABORT_MSG_UNLESS(IsTcpVariant(variant), variant.GetName() << " is no TCP");
    auto tcp = node->GetObject<TcpL4Protocol>();
    NS_ABORT_MSG_UNLESS(tcp, "Node " << node->GetId() << " has no TCP");

    const bool isSocket = IsA(variant, TcpSocketBase::GetTypeId());
    const auto socketType = isSocket ? variant : TcpSocketRightSizing::GetTypeId();
    const auto congestionType = isSocket ? TcpNewReno::GetTypeId() : variant;

    auto socket = CreateOfType<TcpSocketBase>(socketType);
    socket->SetNode(node);
    socket->SetTcp(tcp);
    socket->SetRtt(CreateAsSetFor<RttEstimator>(tcp, "RttEstimatorType"));
    socket->SetCongestionControlAlgorithm(CreateOfType<TcpCongestionOps>(congestionType));
    socket->SetRecoveryAlgorithm(CreateAsSetFor<TcpRecoveryOps>(tcp, "RecoveryType"));
    tcp->AddSocket(socket);
    return socket;
}

void
SetTcpBuffers(Ptr<Socket> socket, const BufferSettings& settings)
{
    auto sizing = DynamicCast<TcpSocketRightSizing>(socket);
    if (sizing && settings.AreSized())
    {
        sizing->SetBuffers(settings);
        return;
    }
    NS_ABORT_MSG_IF(settings.AreSized(),
                    socket->GetInstanceTypeId().GetName() << " has only fixed buffers");
    socket->SetAttribute("RcvBufSize", UintegerValue(settings.window));
    socket->SetAttribute("SndBufSize", UintegerValue(settings.GetFirstSendBuffer()));
}

BufferSettings
SetTcpBuffers(Ptr<Socket> socket, const BufferSpec& spec)
{
    const BufferSettings settings = MakeBufferSettings(spec, GetTcpSegmentBytes(socket));
    SetTcpBuffers(socket, settings);
    return settings;
}

void
HoldSmallSegments(Ptr<Socket> socket)
{
    if (const auto guarded = DynamicCast<TcpSocketGuarded>(socket))
    {
        return guarded->HoldSmall();
    }
    socket->SetAttribute("TcpNoDelay", BooleanValue(false));
}

uint32_t
GetTcpSegmentBytes(Ptr<Socket> socket)
{
    UintegerValue segment;
    socket->GetAttribute("SegmentSize", segment);
    return static_cast<uint32_t>(segment.Get());
}

uint32_t
GetTcpSendBuffer(Ptr<Socket> socket)
{
    if (const auto sizing = DynamicCast<TcpSocketRightSizing>(socket))
    {
        return sizing->GetSendBuffer();
    }
    UintegerValue bytes;
    socket->GetAttribute("SndBufSize", bytes);
    return static_cast<uint32_t>(bytes.Get());
}

void
GrowTcpSendBuffer(Ptr<Socket> socket, uint64_t bytes)
{
    if (const auto sizing = DynamicCast<TcpSocketRightSizing>(socket))
    {
        sizing->GrowSendBuffer(bytes);
    }
}

uint64_t
GetTcpReceiveBuffer(Ptr<Socket> socket, uint64_t first)
{
    const auto sizing = DynamicCast<TcpSocketRightSizing>(socket);
    const bool isOpen = sizing && sizing->GetReceiveBuffer();
    return isOpen ? sizing->GetReceiveBuffer()->GetSize() : first;
}

void
SetTcpReceiveBuffer(Ptr<Socket> socket, uint64_t bytes)
{
    if (const auto sizing = DynamicCast<TcpSocketRightSizing>(socket))
    {
        sizing->ResizeReceiveBuffer(bytes);
    }
}

void
CountTcpBuffer(Ptr<Socket> socket, BufferTally& tally)
{
    const auto sizing = DynamicCast<TcpSocketRightSizing>(socket);
    if (sizing && sizing->GetReceiveBuffer())
    {
        tally.Add(sizing->GetReceiveBuffer()->GetUse());
    }
}

void
SetTcpWindow(Ptr<Socket> socket, uint32_t window)
{
    SetTcpBuffers(socket, BufferSettings{.window = window});
}

} // namespace ns3::gridftp
