/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_NS3_TYPES_H
#define GRIDFTP_NS3_TYPES_H

#include <set>
#include <string>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Records the type of every ns3::Object that this process constructs from now on, and of the given
 * types that are no Object.
 *
 * Contract: CheckNs3Types() calls it in a process that ends after one simulation, since it adds
 * an attribute to types and ns-3 cannot remove one. ns-3 sets all attributes of an object's type
 * and of its base types when it constructs the object, with CreateObject() as well as with
 * ObjectFactory; setting the added attribute is what is recorded.
 *
 * @param others names of types that may not derive from ns3::Object
 */
void RecordConstructedTypes(const std::set<std::string>& others);

/**
 * @ingroup gridftp
 * @return names of the types of objects constructed since RecordConstructedTypes(), and of all
 *         their base types
 */
const std::set<std::string>& GetConstructedTypes();

} // namespace ns3::gridftp

#endif // GRIDFTP_NS3_TYPES_H
