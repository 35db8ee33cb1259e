/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TEST_CASES_H
#define GRIDFTP_TEST_CASES_H

#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * How files of test cases join the TestSuite "gridftp".
 */

namespace ns3::gridftp
{

/**
 * Makes the cases of a file known without a line anywhere else: an object of this in the file is
 * all. They are asked for when the suite is set up, so it does not matter which file's objects are
 * made first; test runners are linked of objects, of which none is dropped.
 */
class OwnTestCases
{
  public:
    /// Makes the cases of a file.
    using Maker = std::vector<TestCase*> (*)();

    /// Where cases go.
    enum class Suite
    {
        USUAL, //!< gridftp
        LONG,  //!< gridftp-long: long transfers, of which sanitizers see the like elsewhere
        DRAWN  //!< gridftp-drawn: the same as others, more of it drawn
    };

    /// @param make makes the cases @param suite that they are in
    explicit OwnTestCases(Maker make, Suite suite = Suite::USUAL)
    {
        GetMakers().push_back({make, suite});
    }

    /// @param wanted suite @return its cases, of all such files
    static std::vector<TestCase*> Make(Suite wanted)
    {
        std::vector<TestCase*> all;
        for (const auto& [make, suite] : GetMakers())
        {
            if (suite == wanted)
            {
                const auto cases = make();
                all.insert(all.end(), cases.begin(), cases.end());
            }
        }
        return all;
    }

  private:
    /// @return of every file
    static std::vector<std::pair<Maker, Suite>>& GetMakers()
    {
        static std::vector<std::pair<Maker, Suite>> makers;
        return makers;
    }
};

/**
 * How many scenarios a test draws: fewer where each is dear, as under sanitizers, which look for
 * other faults than those that one in hundreds shows.
 * @param count usual number
 * @return of these, what GRIDFTP_TEST_DRAWS in the environment says, %; at least 2
 */
inline uint32_t
CountDraws(uint32_t count)
{
    const char* percent = std::getenv("GRIDFTP_TEST_DRAWS");
    const uint64_t wanted = percent ? count * std::strtoull(percent, nullptr, 10) / 100 : count;
    return static_cast<uint32_t>(std::clamp<uint64_t>(wanted, std::min(count, 2U), count));
}

} // namespace ns3::gridftp

#endif // GRIDFTP_TEST_CASES_H
