/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-buffer-policy.h"

namespace ns3::gridftp
{

BufferPolicyKind
DeclareFixedBuffers()
{
    return {
        .name = "fixed",
        .help = "constant, as large as --window",
        .moves = false,
    };
}

} // namespace ns3::gridftp
