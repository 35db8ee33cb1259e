/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TEST_CASES_H
#define GRIDFTP_TEST_CASES_H

#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * How files of test cases join the module's TestSuites.
 */

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * A TestSuite whose cases are made when it is set up, not when it is constructed, which is before
 * the constants of other files may be there.
 */
class LateTestSuite : public TestSuite
{
  public:
    /// Makes the cases.
    using Maker = std::function<std::vector<TestCase*>()>;

    /// @param name of the suite @param make makes its cases
    LateTestSuite(const std::string& name, Maker make)
        : TestSuite(name, Type::UNIT),
          m_make(std::move(make))
    {
    }

  private:
    void DoSetup() override
    {
        for (auto* test : m_make())
        {
            AddTestCase(test, TestCase::Duration::QUICK);
        }
    }

    Maker m_make; //!< makes the cases
};

/**
 * Makes the cases of a file known without a line anywhere else: an object of this in the file is
 * all. They are asked for when their suite is set up, so it does not matter which file's objects
 * are made first; test runners are linked of objects, of which none is dropped.
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
        /// gridftp-drawn-<topic>, a suite for each file: the same as others, more of it drawn. Of
        /// what is drawn some is known to fail, and a suite ends with its first case that does.
        DRAWN
    };

    /**
     * @param make makes the cases
     * @param suite that they are in
     * @param where the file
     */
    explicit OwnTestCases(Maker make,
                          Suite suite = Suite::USUAL,
                          std::source_location where = std::source_location::current())
    {
        if (suite == Suite::DRAWN)
        {
            const auto name = "gridftp-drawn-" + GetTopic(where.file_name());
            m_suite = std::make_unique<LateTestSuite>(name, make);
            return;
        }
        GetMakers().push_back({make, suite});
    }

    /// @param wanted USUAL or LONG @return its cases, of all such files
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

    /// @param file "…/gridftp-<topic>-test.cc" @return the topic
    static std::string GetTopic(const std::filesystem::path& file)
    {
        const std::string stem = file.stem().string();
        const auto begin = std::string_view("gridftp-").size();
        return stem.substr(begin, stem.rfind("-test") - begin);
    }

    std::unique_ptr<TestSuite> m_suite; //!< the file's own, if it has one
};

/**
 * Returns how many random scenarios a test runs. Fewer run where each takes long, as under
 * sanitizers, and sanitizers find faults that most scenarios show.
 * @param count usual number
 * @return the share of it that GRIDFTP_TEST_DRAWS in the environment gives, %; at least 1
 */
inline uint32_t
CountDraws(uint32_t count)
{
    const char* percent = std::getenv("GRIDFTP_TEST_DRAWS");
    const uint64_t wanted = percent ? count * std::strtoull(percent, nullptr, 10) / 100 : count;
    return static_cast<uint32_t>(std::clamp<uint64_t>(wanted, std::min(count, 1U), count));
}

} // namespace ns3::gridftp

#endif // GRIDFTP_TEST_CASES_H
