/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_HOST_LIMITS_H
#define GRIDFTP_HOST_LIMITS_H

#include "gridftp-host-spec.h"
#include "gridftp-scenario.h"

#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The window that Linux offers with a receive buffer (Linux, Documentation/networking/
 * ip-sysctl.rst, tcp_adv_win_scale): of the buffer, one part of 2^scale is for overhead; with a
 * scale of 0 or less one part of 2^-scale is window.
 * @param spec of the host
 * @param buffer of a socket, bytes
 * @return the window, bytes
 */
int64_t GetWindowOf(const HostSpec& spec, int64_t buffer);

/**
 * @ingroup gridftp
 * What the operating systems of hosts make of the buffers that sessions ask for (socket(7), tcp(7)
 * of Linux). A fixed window is asked for with SO_RCVBUF, of which at most rmem_max is granted, and
 * twice of that is the buffer; SO_SNDBUF likewise, with wmem_max. Where a policy moves buffers, the
 * window begins with the second value of tcp_rmem and ends at the third, and the send buffer holds
 * at most the third of tcp_wmem. What a host does not tell stays as it is asked for.
 * @param scenario resolved
 * @return the same with the buffers that there are, which both engines run
 */
Scenario WithHostLimits(Scenario scenario);

} // namespace ns3::gridftp

#endif // GRIDFTP_HOST_LIMITS_H
