/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-processing-kind.h"

namespace ns3::gridftp
{

ProcessingKind
DeclareIdentityProcessing()
{
    return {
        .name = IDENTITY_MODULE,
        .help = "the file as it is",
    };
}

} // namespace ns3::gridftp
