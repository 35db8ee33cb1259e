/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-test-cases.h"

#include "ns3/test.h"

#include <string>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Tests of the module. A new file of test cases makes its own known, see OwnTestCases.
 */
class GridFtpTestSuite : public TestSuite
{
  public:
    /// @param name of the suite @param which cases are in it
    GridFtpTestSuite(const std::string& name, OwnTestCases::Suite which)
        : TestSuite(name, Type::UNIT),
          m_which(which)
    {
    }

  private:
    /// Not in the constructor, which runs before the constants of other files may be there.
    void DoSetup() override
    {
        for (auto* test : OwnTestCases::Make(m_which))
        {
            AddTestCase(test, TestCase::Duration::QUICK);
        }
    }

    OwnTestCases::Suite m_which; //!< which cases are in it
};

/// The suite of all that is tested.
static GridFtpTestSuite g_gridFtpTestSuite("gridftp", OwnTestCases::Suite::USUAL);
/// Long transfers.
static GridFtpTestSuite g_gridFtpLongTestSuite("gridftp-long", OwnTestCases::Suite::LONG);
/// More of what others draw, for more time.
static GridFtpTestSuite g_gridFtpDrawnTestSuite("gridftp-drawn", OwnTestCases::Suite::DRAWN);

} // namespace ns3::gridftp
