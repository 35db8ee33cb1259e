/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_PROVENANCE_H
#define GRIDFTP_PROVENANCE_H

#include "gridftp-build-info.h"
#include "gridftp-result.h"

#include <string>

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
    std::string command;
    for (int i = 0; i < argc; ++i)
    {
        command += (i > 0 ? " " : "") + std::string(argv[i]);
    }
    return {.version = GRIDFTP_VERSION,
            .commit = GRIDFTP_COMMIT,
            .ns3Version = GRIDFTP_NS3_VERSION,
            .buildProfile = GRIDFTP_BUILD_PROFILE,
            .compiler = GRIDFTP_COMPILER,
            .command = command};
}

} // namespace ns3::gridftp

#endif // GRIDFTP_PROVENANCE_H
