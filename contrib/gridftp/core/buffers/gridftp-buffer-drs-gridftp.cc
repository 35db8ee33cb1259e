/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-buffer-policy.h"

namespace ns3::gridftp
{

BufferPolicyKind
DeclareDrsGridftp()
{
    return {
        .name = "drs-gridftp",
        .help =
            "twice rate times delay, by SBUF on each data connection (Gardner et al., Section 5)",
        .moves = true,
        .channel = SizingChannel::DATA,
    };
}

} // namespace ns3::gridftp
