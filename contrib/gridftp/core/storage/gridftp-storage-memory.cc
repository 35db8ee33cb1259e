/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-scenario.h"
#include "gridftp-storage-kind.h"

namespace ns3::gridftp
{

StorageKind
DeclareMemoryStorage()
{
    return {
        .name = MEMORY_STORAGE,
        .help = "takes no time: the paper's transfers from /dev/zero to /dev/null",
    };
}

} // namespace ns3::gridftp
