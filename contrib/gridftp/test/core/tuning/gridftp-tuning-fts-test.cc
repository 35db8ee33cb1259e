/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-tuning-test.h"

#include <algorithm>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Lets the optimizer decide on made-up goodputs, chunk by chunk.
class FtsTest : public TunerTest
{
  public:
    FtsTest()
        : TunerTest("FTS: range, moving average, orders of magnitude", "fts")
    {
    }

  private:
    void DoRun() override
    {
        ExpectRange();
        ExpectAverage();
        ExpectOrders();
        ExpectSteadiness();
    }

    /// It begins in the middle of the range, and goes up by 2 to its end while the average rises.
    void ExpectRange()
    {
        const Curve same = [](uint32_t) { return 100; };
        // The average is 0.1, 0.19, 0.271 of it and so on, ever more.
        Expect("2 to 16", {9, 11, 13, 15, 16, 16, 16}, same);
        Expect("2 to 13", {7, 9, 11, 13, 13}, same, {{"max-parallelism", 13}});
        Expect("2 to 1024", {513, 515, 517}, same, {{"fts-streams", 16000}});
        Expect("12 to 16", {14, 16, 16}, same, {{"fts-least", 12}});
        Expect("12, but 3 at most", {3, 3}, same, {{"fts-least", 12}, {"max-parallelism", 3}});
        Expect("one at most", {1, 1}, same, {{"max-parallelism", 1}});
    }

    /// What rises and falls is the average, which begins at 0.
    void ExpectAverage()
    {
        // 1, 1.9, 2.71, 3.44 Mbit/s; 3 is less, which makes 3.40; 4 is more.
        Follow({10, 10, 10, 10, 3, 4, 4}, {33, 35, 37, 39, 41, 41, 43, 45}, {});
        // 5, 7.5, 8.75, 9.375; 3 and 4 are less, 6.19 and 5.09, all between 0.32 and 3.2 MB/s.
        Follow({10, 10, 10, 10, 3, 4, 6},
               {33, 35, 37, 39, 41, 41, 41, 43},
               {{"fts-smoothing", 0.5}});
    }

    /// Without an average: 10^6.5 and 10^5.5 bytes/s are 25.298 and 2.5298 Mbit/s.
    void ExpectOrders()
    {
        // Within an order of magnitude a fall does nothing; past the bound it takes one off, and
        // one for a fall of several orders, too. In bits/s the bound would be 31.6 Mbit/s.
        Follow({33, 26, 25.2, 24, 2.6, 2.5, 2.6, 0.001},
               {33, 35, 35, 34, 34, 34, 33, 35, 34},
               {{"fts-smoothing", 1}});
        const Curve less = [](uint32_t n) { return n == 14 ? 100 : n == 16 ? 10 : 1; };
        Expect("down by one each, then up by two",
               {14, 16, 15, 14, 16, 15},
               less,
               {{"fts-least", 12}, {"fts-smoothing", 1}});
        // From 3 up to 4, then down to 3, and no further.
        double goodput = 1e6;
        const Curve falling = [&goodput](uint32_t) { return goodput /= 10; };
        Expect("the least N",
               {3, 4, 3, 3, 3},
               falling,
               {{"fts-least", 3}, {"max-parallelism", 4}, {"fts-smoothing", 1}});
    }

    /// A chunk at 4 Mbit/s takes 200 s: an average that stays is decided on every other time.
    void ExpectSteadiness()
    {
        Follow({4, 4, 4, 4, 4}, {33, 35, 35, 37, 37, 39}, {{"fts-smoothing", 1}});
        Follow({2, 2, 2}, {33, 35, 37, 39}, {{"fts-smoothing", 1}});
        // A change is decided on at once, and the time counts from there.
        Follow({4, 4, 5, 5, 5}, {33, 35, 35, 37, 37, 39}, {{"fts-smoothing", 1}});
    }

    /**
     * @param goodputs of the chunks, Mbit/s; a last one repeats
     * @param expected parallelism of the chunks, from 2 to 64
     * @param changed parameters
     */
    void Follow(const std::vector<double>& goodputs,
                const std::vector<uint32_t>& expected,
                Changes changed)
    {
        changed["max-parallelism"] = 64;
        changed["fts-streams"] = 64;
        size_t chunk = 0;
        const Curve curve = [&](uint32_t) {
            return goodputs[std::min(chunk++, goodputs.size() - 1)];
        };
        Expect("goodputs that change", expected, curve, changed);
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> { return {new FtsTest}; });

} // namespace
