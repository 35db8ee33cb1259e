/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-secured-application.h"

#include "gridftp-option-attribute.h"

#include "ns3/enum.h"

namespace ns3::gridftp
{

NS_OBJECT_ENSURE_REGISTERED(SecuredApplication);

TypeId
SecuredApplication::GetTypeId()
{
    using A = SecuredApplication;
    using S = SecuritySpec;
    static TypeId tid =
        TypeId("ns3::gridftp::SecuredApplication")
            .SetParent<BufferedApplication>()
            .SetGroupName("GridFtp")
            .AddConstructor<SecuredApplication>()
            .AddAttribute("ControlSecurity",
                          OptionHelp("control-security"),
                          EnumValue(Authentication::NONE),
                          MakeEnumAccessor<Authentication>(&A::SetAuthentication<&S::control>,
                                                           &A::GetAuthentication<&S::control>),
                          MakeEnumChecker(Authentication::NONE, "none", Authentication::GSI, "gsi"))
            .AddAttribute("DataSecurity",
                          OptionHelp("data-security"),
                          EnumValue(Authentication::NONE),
                          MakeEnumAccessor<Authentication>(&A::SetAuthentication<&S::data>,
                                                           &A::GetAuthentication<&S::data>),
                          MakeEnumChecker(Authentication::NONE, "none", Authentication::GSI, "gsi"))
            .AddAttribute("AuthCpu",
                          OptionHelp("auth-cpu"),
                          OptionTime("auth-cpu"),
                          MakeTimeAccessor(&A::SetCpu<&S::authCpu>, &A::GetCpu<&S::authCpu>),
                          OptionTimeChecker("auth-cpu"))
            .AddAttribute(
                "DelegationCpu",
                OptionHelp("delegation-cpu"),
                OptionTime("delegation-cpu"),
                MakeTimeAccessor(&A::SetCpu<&S::delegationCpu>, &A::GetCpu<&S::delegationCpu>),
                OptionTimeChecker("delegation-cpu"));
    return tid;
}

SecuredApplication::SecuredApplication() = default;

SecuredApplication::~SecuredApplication() = default;

void
SecuredApplication::SetSecurity(const SecuritySpec& security)
{
    m_security = security;
}

void
SecuredApplication::SetHandshake(const Handshake& handshake)
{
    m_handshake = handshake;
}

const SecuritySpec&
SecuredApplication::GetSecurity() const
{
    return m_security;
}

DataSecuritySettings
SecuredApplication::GetDataSecurity() const
{
    return {m_security, m_security.IsDataSecured() ? m_handshake : Handshake()};
}

} // namespace ns3::gridftp
