/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TEST_CASES_H
#define GRIDFTP_TEST_CASES_H

#include "ns3/test.h"

#include <vector>

/**
 * @file
 * @ingroup gridftp
 * The test cases of the TestSuite "gridftp", by file. Whoever calls these owns the cases; a
 * TestSuite does after AddTestCase().
 */

namespace ns3::gridftp
{

/// @return the cases of gridftp-block-test.cc: MODE E headers and their reader
std::vector<TestCase*> MakeBlockTestCases();

/// @return the cases of gridftp-block-fuzz-test.cc: generated streams of blocks
std::vector<TestCase*> MakeBlockFuzzTestCases();

/// @return the cases of gridftp-control-text-property-test.cc: generated commands and replies
std::vector<TestCase*> MakeControlTextPropertyTestCases();

/// @return the cases of gridftp-control-text-test.cc: commands, replies and their readers
std::vector<TestCase*> MakeControlTextTestCases();

/// @return the cases of the files gridftp-core-*-test.cc: all that needs no ns-3
std::vector<TestCase*> MakeCoreTestCases();

/// @return the cases of the files gridftp-tcp-*-test.cc: TCP Reno, guards, defaults, variants
std::vector<TestCase*> MakeTcpTestCases();

/// @return the cases of the model and helper tests, see gridftp-model-fixture.h: applications,
/// network, probes, attributes
std::vector<TestCase*> MakeModelTestCases();

/**
 * Makes the cases of a file known without a line anywhere else: an object of this in the file is
 * all. They are asked for when the suite is set up, so it does not matter which file's objects are
 * made first; test runners are linked of objects, of which none is dropped.
 */
class OwnTestCases
{
  public:
    /// @param make makes the cases
    explicit OwnTestCases(std::vector<TestCase*> (*make)())
    {
        GetMakers().push_back(make);
    }

    /// @return the cases of all such files
    static std::vector<TestCase*> Make()
    {
        std::vector<TestCase*> all;
        for (const auto make : GetMakers())
        {
            const auto cases = make();
            all.insert(all.end(), cases.begin(), cases.end());
        }
        return all;
    }

  private:
    /// @return of every file
    static std::vector<std::vector<TestCase*> (*)()>& GetMakers()
    {
        static std::vector<std::vector<TestCase*> (*)()> makers;
        return makers;
    }
};

} // namespace ns3::gridftp

#endif // GRIDFTP_TEST_CASES_H
