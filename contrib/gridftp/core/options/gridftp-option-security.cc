/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-option-security.h"

#include "gridftp-option-row.h"
#include "gridftp-option-table.h"

#include <string_view>

namespace ns3::gridftp
{

namespace
{

constexpr int64_t SECOND = 1'000'000'000;

/** A row that says how both ends of a channel make sure of each other. */
Option
AuthenticationRow(std::string_view name,
                  std::string_view key,
                  const OptionBinding& binding,
                  std::string_view help)
{
    return WordRow(OptionKind::CHOICE,
                   name,
                   key,
                   OptionScope::SESSION,
                   "none",
                   "none|gsi",
                   {"none", "gsi"},
                   binding,
                   help);
}

} // namespace

void
AddSecurityRows(std::vector<Option>& t)
{
    using S = SessionSpec;
    const auto scope = OptionScope::SESSION;
    const auto time = Dimension::TIME;
    t.push_back(AuthenticationRow("control-security",
                                  "control_security",
                                  BindMember<&S::security, &SecuritySpec::control>(),
                                  "authentication and protection of control channels"));
    t.push_back(AuthenticationRow("data-security",
                                  "data_security",
                                  BindMember<&S::security, &SecuritySpec::data>(),
                                  "authentication of data channels (DCAU)"));
    t.push_back(WholeRow("auth-cpu",
                         "auth_cpu_s",
                         scope,
                         time,
                         "10ms",
                         {0, 1000 * SECOND},
                         BindMember<&S::security, &SecuritySpec::authCpu>(),
                         "gsi: CPU time of each step in which an endpoint signs or verifies"));
    t.push_back(WholeRow("delegation-cpu",
                         "delegation_cpu_s",
                         scope,
                         time,
                         "250ms",
                         {0, 1000 * SECOND},
                         BindMember<&S::security, &SecuritySpec::delegationCpu>(),
                         "gsi: CPU time of a server for the keys of a delegated credential"));
}

Done
CheckSecurity(const SessionSpec& session,
              const std::function<std::string(const std::string&)>& quote)
{
    if (session.security.IsDataSecured() && !session.security.IsControlSecured())
    {
        return Error{quote("data-security=gsi") +
                     " needs the credential that the control channel delegates; allowed with it: "
                     "control-security=gsi"};
    }
    return std::monostate{};
}

} // namespace ns3::gridftp
