/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_PROVENANCE_H
#define GRIDFTP_PROVENANCE_H

#include "gridftp-build-info.h"
#include "gridftp-result.h"
#include "gridftp-shell-line.h"

#include <cstddef>
#include <span>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * @param argc number of words of the command line
 * @param argv its words
 * @return where the results of this program come from
 */
inline Provenance
MakeProvenance(int argc, char* argv[])
{
    const std::span<const char* const> words{argv, static_cast<size_t>(argc)};
    return {.version = GRIDFTP_VERSION,
            .commit = GRIDFTP_COMMIT,
            .ns3Version = GRIDFTP_NS3_VERSION,
            .buildProfile = GRIDFTP_BUILD_PROFILE,
            .compiler = GRIDFTP_COMPILER,
            .command = ShellLine(words)};
}

} // namespace ns3::gridftp

#endif // GRIDFTP_PROVENANCE_H
