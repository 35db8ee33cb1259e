/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-buffer-policy.h"

namespace ns3::gridftp
{

BufferPolicyKind
DeclareDrsFtp()
{
    return {
        .name = "drs-ftp",
        .help =
            "twice rate times delay, by SBUF on the control connection (Gardner et al., Section 4)",
        .moves = true,
        .channel = SizingChannel::CONTROL,
    };
}

} // namespace ns3::gridftp
