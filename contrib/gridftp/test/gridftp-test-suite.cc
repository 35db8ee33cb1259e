/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-test-cases.h"

#include "ns3/test.h"

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * All tests of the module. A new file of test cases makes its own known, see OwnTestCases.
 */
class GridFtpTestSuite : public TestSuite
{
  public:
    GridFtpTestSuite()
        : TestSuite("gridftp", Type::UNIT)
    {
    }

  private:
    /// Not in the constructor, which runs before the constants of other files may be there.
    void DoSetup() override
    {
        for (const auto make : {&MakeCoreTestCases,
                                &MakeControlTextTestCases,
                                &MakeControlTextPropertyTestCases,
                                &MakeBlockTestCases,
                                &MakeBlockFuzzTestCases,
                                &MakeTcpTestCases,
                                &MakeModelTestCases,
                                &OwnTestCases::Make})
        {
            for (auto* test : make())
            {
                AddTestCase(test, TestCase::Duration::QUICK);
            }
        }
    }
};

/// The suite that ns-3's test runner finds.
static GridFtpTestSuite g_gridFtpTestSuite;

} // namespace ns3::gridftp
