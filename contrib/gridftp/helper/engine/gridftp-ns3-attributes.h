/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_NS3_ATTRIBUTES_H
#define GRIDFTP_NS3_ATTRIBUTES_H

#include "gridftp-expected.h"

#include <string>
#include <string_view>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Who sets an attribute in every simulation of engine ns3, so that its default means nothing.
 *
 * @param attribute ns3::Type::Attribute
 * @return what a person should use instead, such as "--window"; empty: nobody does
 */
std::string_view FindAttributeOwner(std::string_view attribute);

/**
 * @ingroup gridftp
 * Says what is wrong with an attribute and its value.
 *
 * Contract: CheckNs3Scenario() calls it for an assignment that ns-3 has refused. It changes
 * nothing.
 *
 * @param assignment what was given as ns3::Type::Attribute=VALUE
 * @return one line: no such form, type or attribute, with the nearest name or the names that there
 *         are, or the values that the attribute takes
 */
Error DescribeAttributeFault(const std::string& assignment);

} // namespace ns3::gridftp

#endif // GRIDFTP_NS3_ATTRIBUTES_H
