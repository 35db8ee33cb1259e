/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-core-test.h"
#include "gridftp-storage.h"
#include "gridftp-test-cases.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// @param kind of storage @param values of its parameters @param writes it is written to
/// @return 10 ns a byte on the disk, and 1 ns a byte in memory where the values do not say else
std::shared_ptr<Storage>
MakeCached(const std::string& kind, NamedValues values, bool writes)
{
    for (const auto& [name, value] : {std::pair{"rate", 8e8}, std::pair{"memory-rate", 8e9}})
    {
        values.Set(name, values.Get(name) > 0 ? values.Get(name) : value);
    }
    return MakeStorage({.kind = kind, .values = values, .depth = 1}, writes);
}

/// A request, and when it is done.
struct Step
{
    int64_t now;      // when it is asked
    uint64_t offset;  // for what
    uint64_t bytes;   // and how much
    int64_t done;     // when it has it
    std::string what; // about it
};

/// Has a storage serve requests, and looks when they are done.
class PageCacheTest : public TestCase
{
  public:
    using TestCase::TestCase;

  protected:
    /// @param storage that is asked @param steps what for, and when that is done
    void Check(Storage& storage, const std::vector<Step>& steps)
    {
        for (const auto& step : steps)
        {
            NS_TEST_EXPECT_MSG_EQ(storage.Ask(0, step.now, step.offset, step.bytes),
                                  step.done,
                                  step.what);
        }
    }

    /// Without any bytes to wait, to be ahead or to be in memory it is a disk.
    /// @param writes it is written to
    void CheckDisk(bool writes)
    {
        const NamedValues values{{"latency", 3},
                                 {"seek", 100},
                                 {"contention", 5},
                                 {"open", 1000},
                                 {"memory-rate", 1e15}};
        const auto cache = MakeCached("page-cache", values, writes);
        const auto disk = MakeCached("disk", values, writes);
        uint64_t offset = 0;
        for (int64_t now = 0; now < 20'000; now += 1 + 37 * (now % 11))
        {
            offset += now % 3 == 0 ? 7 : 10;
            const auto node = static_cast<uint32_t>(now % 2);
            const bool opens = now % 5 == 0;
            NS_TEST_EXPECT_MSG_EQ(
                cache->Ask(node, now, offset, 10, opens ? cache->Open() : Storage::OPEN),
                disk->Ask(node, now, offset, 10, opens ? disk->Open() : Storage::OPEN),
                now);
        }
        NS_TEST_EXPECT_MSG_EQ((cache->GetUse() == disk->GetUse()), true, "counts");
    }
};

/// What is written.
class PageCacheWriteTest : public PageCacheTest
{
  public:
    PageCacheWriteTest()
        : PageCacheTest("storage: a page cache takes writes until too many bytes are dirty")
    {
    }

  private:
    void DoRun() override
    {
        const auto cache = MakeCached("page-cache", {{"dirty", 100}}, true);
        Check(*cache,
              {
                  {0, 0, 50, 50, "in memory; on the disk from 0 to 500"},
                  {50, 50, 50, 100, "in memory; 500 to 1000"},
                  {100, 100, 50, 500, "50 have to be on the disk; 1000 to 1500"},
                  {500, 150, 30, 800, "80 have to, of which 50 are at 500; 1500 to 1800"},
                  {1700, 180, 60, 1760, "all but 10 are; 1800 to 2400"},
                  {1760, 240, 200, 3400, "more than may wait: all but 100 at 4400"},
                  {9000, 440, 100, 9100, "nothing waits any more"},
              });
        NS_TEST_EXPECT_MSG_EQ(cache->Ask(1, 0, 0, 50), 50, "another node has its own");
        const auto endless = MakeCached("page-cache", {{"dirty", 1e15}, {"latency", 1e6}}, true);
        Check(*endless, {{0, 0, 500, 500, "memory"}, {500, 900, 500, 1000, "whatever the disk"}});
        CheckLatency();
        CheckBesides();
        CheckStall();
        CheckDisk(true);
    }

    /// The disk is late because of a latency, too, but not for what it has already.
    void CheckLatency()
    {
        const auto cache = MakeCached("page-cache", {{"dirty", 10}, {"latency", 1000}}, true);
        Check(*cache,
              {
                  {0, 0, 10, 10, "in memory; on the disk at 1100"},
                  {2000, 10, 10, 2010, "the first ones are; at 3100"},
                  {2010, 20, 10, 3100, "the second ones have to be; at 4200"},
                  {3150, 30, 5, 4150, "and half of the third ones: 50 before their end"},
              });
    }

    /// Opening comes before memory, seeks and others are the disk's.
    void CheckBesides()
    {
        const auto cache =
            MakeCached("page-cache",
                       {{"dirty", 10}, {"open", 1000}, {"contention", 40}, {"seek", 300}},
                       true);
        NS_TEST_EXPECT_MSG_EQ(cache->Ask(0, 0, 0, 10, cache->Open()), 1010, "disk at 1100");
        NS_TEST_EXPECT_MSG_EQ(cache->Ask(0, 500, 10, 10), 1100, "disk at 1240: one other");
        NS_TEST_EXPECT_MSG_EQ(cache->Ask(0, 1100, 50, 10), 1240, "disk at 1640: a seek");
        NS_TEST_EXPECT_MSG_EQ(cache->Ask(0, 1300, 60, 10), 1640, "alone");
    }

    /// While a node stands still nothing is written back.
    void CheckStall()
    {
        const auto cache = MakeCached("page-cache", {{"dirty", 50}}, true);
        cache->Stall(0, 100, 1100);
        Check(*cache,
              {
                  {0, 0, 50, 50, "in memory; on the disk at 500, if it did not stop"},
                  {200, 50, 50, 1500, "when these are on the disk"},
              });
    }
};

/// What is read.
class PageCacheReadTest : public PageCacheTest
{
  public:
    PageCacheReadTest()
        : PageCacheTest("storage: a page cache has a part of the file, and reads ahead")
    {
    }

  private:
    void DoRun() override
    {
        const auto cache =
            MakeCached("page-cache",
                       {{"cached", 20}, {"read-ahead", 50}, {"latency", 5}, {"seek", 100}},
                       false);
        Check(*cache,
              {
                  {0, 0, 20, 20, "in memory"},
                  {20, 20, 40, 425, "5 and 400 from the disk, which has not begun before"},
                  {425, 60, 40, 830, "without a pause"},
                  {1030, 100, 40, 1235, "it has gone on in the pause"},
                  {3000, 140, 40, 3040, "there since 2905, since it stops when 50 are ahead"},
                  {3040, 180, 40, 3310, "405 from 2905 on"},
                  {9000, 500, 10, 9205, "elsewhere: from then on"},
                  {9205, 10, 20, 9410, "half of it from the disk: back there"},
                  {9410, 0, 10, 9420, "in memory: the disk stays"},
                  {9420, 30, 10, 9515, "and has gone on since 9410"},
              });
        NS_TEST_EXPECT_MSG_EQ(cache->GetUse().seeks, 4, "of requests");
        NS_TEST_EXPECT_MSG_EQ(cache->Ask(1, 0, 0, 30), 105, "another node; 10 from the disk");
        CheckBesides();
        CheckDisk(false);
    }

    /// What is opened and under way; memory that is slower than the disk.
    void CheckBesides()
    {
        const NamedValues values{{"open", 1000}, {"contention", 40}, {"cached", 10}};
        const auto cache = MakeCached("page-cache", values, false);
        NS_TEST_EXPECT_MSG_EQ(cache->Ask(0, 0, 0, 10, cache->Open()), 1010, "memory");
        NS_TEST_EXPECT_MSG_EQ(cache->Ask(0, 0, 10, 10), 1150, "one other, on the disk");
        NS_TEST_EXPECT_MSG_EQ(cache->Ask(0, 5, 0, 10), 1160, "two, in memory");
        const auto slow =
            MakeCached("page-cache", {{"memory-rate", 4e8}, {"read-ahead", 1e15}}, false);
        Check(*slow, {{0, 0, 10, 200, "20 ns a byte"}, {200, 10, 10, 400, "disk at 200"}});
        const auto longest = MakeCached("page-cache", {{"rate", 1}, {"memory-rate", 1}}, false);
        Check(*longest, {{7, 0, 1'000'000'000'000'000, LONGEST_STORAGE_NS, "no longer than that"}});
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new PageCacheWriteTest, new PageCacheReadTest};
});

} // namespace
