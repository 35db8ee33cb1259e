/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-buffered-application.h"

#include "gridftp-option-attribute.h"

#include "ns3/abort.h"
#include "ns3/enum.h"
#include "ns3/string.h"

#include <algorithm>

namespace ns3::gridftp
{

NS_OBJECT_ENSURE_REGISTERED(BufferedApplication);

TypeId
BufferedApplication::GetTypeId()
{
    using A = BufferedApplication;
    static TypeId tid =
        TypeId("ns3::gridftp::BufferedApplication")
            .SetParent<Application>()
            .SetGroupName("GridFtp")
            .AddConstructor<BufferedApplication>()
            .AddAttribute("Window",
                          OptionHelp("window"),
                          OptionUinteger("window"),
                          MakeUintegerAccessor(&A::SetBytes<&BufferSpec::window>,
                                               &A::GetBytes<&BufferSpec::window>),
                          OptionUintegerChecker("window"))
            .AddAttribute("Buffers",
                          OptionHelp("buffers"),
                          StringValue(GetDefaultText("buffers")),
                          MakeStringAccessor(&A::SetPolicy, &A::GetPolicy),
                          MakeStringChecker())
            .AddAttribute("MaxBuffer",
                          OptionHelp("max-buffer"),
                          OptionUinteger("max-buffer"),
                          MakeUintegerAccessor(&A::SetBytes<&BufferSpec::most>,
                                               &A::GetBytes<&BufferSpec::most>),
                          OptionUintegerChecker("max-buffer"))
            .AddAttribute("SendBuffer",
                          OptionHelp("send-buffer"),
                          OptionUinteger("send-buffer"),
                          MakeUintegerAccessor(&A::SetBytes<&BufferSpec::sendBuffer>,
                                               &A::GetBytes<&BufferSpec::sendBuffer>),
                          OptionUintegerChecker("send-buffer"))
            .AddAttribute("BufferInterval",
                          OptionHelp("buffer-interval"),
                          OptionTime("buffer-interval"),
                          MakeTimeAccessor(&A::SetInterval, &A::GetInterval),
                          OptionTimeChecker("buffer-interval"))
            .AddAttribute("BufferPeer",
                          OptionHelp("buffer-peer"),
                          EnumValue(SizingPeer::DRS),
                          MakeEnumAccessor<SizingPeer>(&A::SetPeer, &A::GetPeer),
                          MakeEnumChecker(SizingPeer::DRS, "drs", SizingPeer::STOCK, "stock"))
            .AddAttribute("BufferRtt",
                          OptionHelp("buffer-rtt"),
                          EnumValue(SizingRtt::LAST),
                          MakeEnumAccessor<SizingRtt>(&A::SetRtt, &A::GetRtt),
                          MakeEnumChecker(SizingRtt::LAST, "last", SizingRtt::LEAST, "least"))
            .AddAttribute("ReadRate",
                          OptionHelp("read-rate"),
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&A::SetRate<&BufferSpec::readRate>,
                                               &A::GetRate<&BufferSpec::readRate>),
                          MakeDataRateChecker())
            .AddAttribute("WriteRate",
                          OptionHelp("write-rate"),
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&A::SetRate<&BufferSpec::writeRate>,
                                               &A::GetRate<&BufferSpec::writeRate>),
                          MakeDataRateChecker());
    return tid;
}

BufferedApplication::BufferedApplication() = default;

BufferedApplication::~BufferedApplication() = default;

void
BufferedApplication::SetBuffers(const BufferSpec& buffers)
{
    m_buffers = buffers;
}

const BufferSpec&
BufferedApplication::GetBuffers() const
{
    return m_buffers;
}

void
BufferedApplication::SetPolicy(const std::string& policy)
{
    const auto& names = GetOption("buffers").choices;
    NS_ABORT_MSG_IF(std::ranges::find(names, policy) == names.end(),
                    "Buffers: " << policy << " is no policy for buffers");
    m_buffers.policy = policy;
}

std::string
BufferedApplication::GetPolicy() const
{
    return m_buffers.policy;
}

void
BufferedApplication::SetPeer(SizingPeer peer)
{
    m_buffers.peer = peer;
}

SizingPeer
BufferedApplication::GetPeer() const
{
    return m_buffers.peer;
}

void
BufferedApplication::SetRtt(SizingRtt rtt)
{
    m_buffers.rtt = rtt;
}

SizingRtt
BufferedApplication::GetRtt() const
{
    return m_buffers.rtt;
}

void
BufferedApplication::SetInterval(Time interval)
{
    m_buffers.interval = interval.GetNanoSeconds();
}

Time
BufferedApplication::GetInterval() const
{
    return NanoSeconds(m_buffers.interval);
}

} // namespace ns3::gridftp
