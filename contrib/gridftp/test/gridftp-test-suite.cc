/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-test-cases.h"

namespace ns3::gridftp
{

// A new file of test cases makes its own known, see OwnTestCases.

/// The suite of all that is tested.
static LateTestSuite g_gridFtpTestSuite("gridftp", [] {
    return OwnTestCases::Make(OwnTestCases::Suite::USUAL);
});
/// Long transfers.
static LateTestSuite g_gridFtpLongTestSuite("gridftp-long", [] {
    return OwnTestCases::Make(OwnTestCases::Suite::LONG);
});

} // namespace ns3::gridftp
