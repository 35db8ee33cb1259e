/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The runner of the repository's own build. An ns-3 source tree has one already, which is why
// CMakeLists.txt leaves this file out.

#include "ns3/test.h"

int
main(int argc, char* argv[])
{
    return ns3::TestRunner::Run(argc, argv);
}
