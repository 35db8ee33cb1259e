/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-helper.h"

#include "gridftp-client.h"
#include "gridftp-data-transfer-process.h"
#include "gridftp-server.h"

#include "ns3/pointer.h"

namespace ns3::gridftp
{

ServerHelper::ServerHelper()
    : ApplicationHelper(Server::GetTypeId())
{
}

DataTransferProcessHelper::DataTransferProcessHelper()
    : ApplicationHelper(DataTransferProcess::GetTypeId())
{
}

ClientHelper::ClientHelper(Ipv4Address server, const std::string& mode)
    : ApplicationHelper(Client::GetTypeId())
{
    SetAttribute("Remote", AddressValue(InetSocketAddress(server, CONTROL_PORT)));
    m_tuner.SetTypeId(Tuner::FindType(mode));
}

void
ClientHelper::SetSender(Ipv4Address sender)
{
    SetAttribute("Sender", AddressValue(InetSocketAddress(sender, CONTROL_PORT)));
}

void
ClientHelper::SetTunerAttribute(const std::string& name, const AttributeValue& value)
{
    m_tuner.Set(name, value);
}

void
ClientHelper::SetTunerValues(const NamedValues& values)
{
    Tuner::SetValues(m_tuner, values);
}

void
ClientHelper::SetTunerContext(const TuningContext& context)
{
    m_context = context;
}

Ptr<Application>
ClientHelper::DoInstall(Ptr<Node> node)
{
    const auto client = ApplicationHelper::DoInstall(node);
    const auto tuner = m_tuner.Create<Tuner>();
    tuner->SetContext(m_context);
    client->SetAttribute("Tuner", PointerValue(tuner));
    return client;
}

} // namespace ns3::gridftp
