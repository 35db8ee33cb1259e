/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_NS3_ATTRIBUTES_H
#define GRIDFTP_NS3_ATTRIBUTES_H

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

} // namespace ns3::gridftp

#endif // GRIDFTP_NS3_ATTRIBUTES_H
