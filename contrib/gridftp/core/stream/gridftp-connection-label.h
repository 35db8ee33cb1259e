/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CONNECTION_LABEL_H
#define GRIDFTP_CONNECTION_LABEL_H

#include <cstdint>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Which data connection, in the words of the traces. */
struct ConnectionLabel
{
    uint32_t session{0};    //!< index; backgrounds count on behind the sessions
    uint32_t chunk{0};      //!< index of the chunk that it was opened for
    uint32_t connection{0}; //!< index among the session's
    uint32_t pair{0};       //!< of stripes, its index, in the order of StripePlan
};

} // namespace ns3::gridftp

#endif // GRIDFTP_CONNECTION_LABEL_H
