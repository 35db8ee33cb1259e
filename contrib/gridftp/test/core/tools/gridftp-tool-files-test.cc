/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-test-cases.h"
#include "gridftp-tool-test.h"

#include "ns3/gridftp-bbftp-file.h"
#include "ns3/gridftp-datagram-intake.h"
#include "ns3/gridftp-mapped-file.h"
#include "ns3/gridftp-storage.h"
#include "ns3/gridftp-udt-wire.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

constexpr Nanoseconds US = 1000;
constexpr Nanoseconds MS = 1'000'000;

/// A disk that moves a byte in a microsecond, unless it is slower, and takes nothing else.
class SlowDisk
{
  public:
    /// @param writes it is written to, else read @param bps its rate
    explicit SlowDisk(bool writes, double bps = 8e6)
        : m_storage(MakeStorage({.kind = "disk", .values = {{"rate", bps}}}, writes))
    {
    }

    /// @return what blocks pass there
    BlockStages GetStages() const
    {
        return {.storage = {.storage = m_storage.get()}};
    }

    /// @return what it was asked for
    const StorageUse& GetUse() const
    {
        return m_storage->GetUse();
    }

  private:
    std::shared_ptr<Storage> m_storage; //!< the disk
};

/// Blocks of 128 KiB are read when they are touched first, and not again.
class MappedFileTest : public TestCase
{
  public:
    MappedFileTest()
        : TestCase("tools, storage: a mapped file is read as it is touched")
    {
    }

  private:
    void DoRun() override
    {
        const SlowDisk disk(false);
        MappedFile file(disk.GetStages(), false, 200'000);
        const Nanoseconds first = 131'072 * US;
        NS_TEST_EXPECT_MSG_EQ(file.Touch(0, 5000, 1000), first, "the whole block");
        NS_TEST_EXPECT_MSG_EQ(file.Touch(first, 0, 1000), first, "it is there");
        const Nanoseconds second = first + 68'928 * US;
        NS_TEST_EXPECT_MSG_EQ(file.Touch(first, 131'000, 1000), second, "what is left of the file");
        NS_TEST_EXPECT_MSG_EQ(file.Touch(second, 131'000, 1000), second, "both are there");
        NS_TEST_EXPECT_MSG_EQ(disk.GetUse().bytes, 200'000, "each byte once");
        MappedFile memory({}, false, 200'000);
        NS_TEST_EXPECT_MSG_EQ(memory.Touch(7, 0, 200'000), 7, "without a disk at once");
    }
};

/// While the program waits, its socket holds what there is room for and drops the rest.
class DatagramIntakeTest : public TestCase
{
  public:
    DatagramIntakeTest()
        : TestCase("tools, storage: datagrams wait in the socket, and some are dropped")
    {
    }

  private:
    void DoRun() override
    {
        const SlowDisk disk(true);
        DatagramIntake intake(MappedFile(disk.GetStages(), true, 200'000), 1000, 3000);
        const auto data = [](uint32_t number) {
            return DataDatagram{.number = number, .payload = 1000};
        };
        NS_TEST_EXPECT_MSG_EQ(intake.Add(data(0)), true, "an empty socket");
        NS_TEST_EXPECT_MSG_EQ(intake.Next(0).has_value(), false, "it is being stored");
        const Nanoseconds first = 131'072 * US;
        NS_TEST_EXPECT_MSG_EQ(intake.GetWakeNs(0), first, "until its block is");
        for (uint32_t number = 1; number < 4; ++number)
        {
            NS_TEST_EXPECT_MSG_EQ(intake.Add(data(number)),
                                  true,
                                  "the program has taken the first");
        }
        NS_TEST_EXPECT_MSG_EQ(intake.Add(data(4)), false, "three wait");
        NS_TEST_EXPECT_MSG_EQ(intake.Next(first - 1).has_value(), false, "not yet");
        for (uint32_t number = 0; number < 4; ++number)
        {
            const auto stored = intake.Next(first);
            NS_TEST_ASSERT_MSG_EQ(stored.has_value(), true, "of the same block");
            NS_TEST_EXPECT_MSG_EQ(stored->number, number, "in order");
        }
        NS_TEST_EXPECT_MSG_EQ(intake.Next(first).has_value(), false, "all are");
        NS_TEST_EXPECT_MSG_EQ(intake.GetWakeNs(first), first, "nothing is to be waited for");
    }
};

/// RBUDP at 80 Mbit/s onto a disk of 8 Mbit/s, with a socket for 65 datagrams: each blast stores
/// until the next block, and what the socket holds.
class RbudpSinkTest : public TestCase
{
  public:
    RbudpSinkTest()
        : TestCase("tools, storage: RBUDP sends again what a full socket has dropped")
    {
    }

  private:
    void DoRun() override
    {
        const SlowDisk disk(true);
        MadeUpPath path(
            {.tool = "rbudp",
             .said = {{"rate", "80Mbps"}, {"payload", "1000B"}, {"receive-buffer", "65000B"}},
             .bytes = 300'000,
             .there = {.delayNs = MS},
             .back = {.delayNs = MS},
             .sink = disk.GetStages()});
        NS_TEST_EXPECT_MSG_EQ(path.Run(), true, path.GetReason());
        NS_TEST_EXPECT_MSG_EQ(path.IsComplete(), true, path.GetReason());
        // One datagram and 65 behind it; then up to the one at byte 131,072, and 65; then the rest
        const std::vector<uint64_t> blasts{300, 234, 103};
        NS_TEST_EXPECT_MSG_EQ((path.GetSender().GetCounts().blasts == blasts), true, "of each");
        NS_TEST_EXPECT_MSG_EQ(*path.GetReceiver().GetCounts().overflows, 234 + 103, "dropped");
        NS_TEST_EXPECT_MSG_EQ(disk.GetUse().bytes, 300'000, "each byte once");
        NS_TEST_EXPECT_MSG_GT(path.GetEnd(), 300'000 * US, "all of it is stored by then");
        NS_TEST_EXPECT_MSG_LT(path.GetEnd(), 350'000 * US, "and three blasts have few gaps");
    }
};

/// RBUDP from a disk as fast as the blast: packets wait for their block, and catch up then.
class RbudpSourceTest : public TestCase
{
  public:
    RbudpSourceTest()
        : TestCase("tools, storage: RBUDP catches up when a block is read")
    {
    }

  private:
    void DoRun() override
    {
        const SlowDisk disk(false);
        MadeUpPath path({.tool = "rbudp",
                         .said = {{"rate", "8Mbps"}, {"payload", "1000B"}},
                         .bytes = 200'000,
                         .there = {.delayNs = MS},
                         .back = {.delayNs = MS},
                         .source = disk.GetStages()});
        NS_TEST_EXPECT_MSG_EQ(path.Run(), true, path.GetReason());
        const auto sent = path.ListData();
        NS_TEST_ASSERT_MSG_EQ(sent.size(), 200, "each once");
        // Connection and request take two round trips less half of one
        const Nanoseconds begin = 3 * MS;
        const Nanoseconds first = begin + 131'072 * US;
        NS_TEST_EXPECT_MSG_EQ(sent[0].first, first, "when its block is there");
        NS_TEST_EXPECT_MSG_EQ_TOL(sent[130].first, first, 2 * US, "130 ms late, so at once");
        const Nanoseconds second = first + 68'928 * US;
        NS_TEST_EXPECT_MSG_EQ_TOL(sent[131].first, second, 2 * US, "its end is in the next block");
        NS_TEST_EXPECT_MSG_EQ_TOL(sent[199].first, second, 2 * US, "199 ms were over before that");
    }
};

/// UDT reads blocks of 250 packets, and sends those of a block when all of it is read.
class UdtSourceTest : public TestCase
{
  public:
    UdtSourceTest()
        : TestCase("tools, storage: UDT sends a block when it is read")
    {
    }

  private:
    void DoRun() override
    {
        CheckBlocks();
        CheckIdle();
    }

    /// A block takes longer than the EXP timer: nothing is lost meanwhile, and slow start goes on.
    void CheckIdle()
    {
        const SlowDisk disk(false, 2e6);
        MadeUpPath path({.tool = "udt",
                         .bytes = 250 * 1456,
                         .there = {.delayNs = MS},
                         .back = {.delayNs = MS},
                         .source = disk.GetStages()});
        NS_TEST_EXPECT_MSG_EQ(path.Run(), true, path.GetReason());
        const auto sent = path.ListData();
        NS_TEST_ASSERT_MSG_EQ(sent.size(), 250, "each once");
        const Nanoseconds ready = 4 * MS + 4 * 364'000 * US;
        NS_TEST_EXPECT_MSG_EQ(sent[0].first, ready, "when the block is read");
        NS_TEST_EXPECT_MSG_LT(sent[249].first, ready + 1000 * MS, "not at 16 packets a second");
        const auto kept = path.ListReports(static_cast<uint32_t>(UdtReport::KEEP_ALIVE), true);
        NS_TEST_EXPECT_MSG_GT(kept.size(), 0, "the sender is there");
    }

    void CheckBlocks()
    {
        const SlowDisk disk(false);
        MadeUpPath path({.tool = "udt",
                         .said = {{"udt-buffer", "300"}},
                         .bytes = 1000 * 1456,
                         .there = {.delayNs = MS},
                         .back = {.delayNs = MS},
                         .source = disk.GetStages()});
        NS_TEST_EXPECT_MSG_EQ(path.Run(), true, path.GetReason());
        NS_TEST_EXPECT_MSG_EQ(path.IsComplete(), true, path.GetReason());
        const auto sent = path.ListData();
        NS_TEST_ASSERT_MSG_EQ(sent.size(), 1000, "nothing is lost");
        const Nanoseconds open = 4 * MS; // two round trips
        const Nanoseconds block = 364'000 * US;
        NS_TEST_EXPECT_MSG_EQ(sent[0].first, open + block, "the first block");
        NS_TEST_EXPECT_MSG_LT(sent[249].first, open + 2 * block, "goes at the network's rate");
        NS_TEST_EXPECT_MSG_EQ(sent[250].first, open + 2 * block, "the disk has gone on at once");
        // By then its rate is what holds it back
        NS_TEST_EXPECT_MSG_GT_OR_EQ(sent[500].first, open + 3 * block, "not before it is read");
        NS_TEST_EXPECT_MSG_LT(sent[500].first, open + 3 * block + 10 * MS, "there was room for it");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(sent[750].first, open + 4 * block, "not before it is read");
        NS_TEST_EXPECT_MSG_EQ(disk.GetUse().requests, 4, "blocks");
    }
};

/// What UDT's receiver has acknowledged and not written takes room, which its ACKs do not announce.
class UdtSinkTest : public TestCase
{
  public:
    UdtSinkTest()
        : TestCase("tools, storage: UDT announces no room for what is not written")
    {
    }

  private:
    void DoRun() override
    {
        CheckRoom();
        CheckShut();
    }

    /// All of the file fits into the buffer, and nothing of it is written so soon.
    void CheckRoom()
    {
        constexpr Nanoseconds BYTE = 4 * US;
        const SlowDisk disk(true, 2e6);
        MadeUpPath path({.tool = "udt",
                         .said = {{"udt-buffer", "100"}, {"payload", "1456B"}},
                         .bytes = 90 * 1456,
                         .there = {.rateBps = 20'000'000, .delayNs = MS},
                         .back = {.delayNs = MS},
                         .sink = disk.GetStages()});
        NS_TEST_EXPECT_MSG_EQ(path.Run(), true, path.GetReason());
        NS_TEST_EXPECT_MSG_LT(path.GetEnd(),
                              90 * 1456 * BYTE,
                              "the sender does not wait for the disk");
        const auto acks = path.ListReports(static_cast<uint32_t>(UdtReport::ACK), false);
        NS_TEST_ASSERT_MSG_GT(acks.size(), 2, "there are ACKs");
        const Nanoseconds first = acks.front().first;
        const Nanoseconds written = first + acks.front().second.words[UdtAck::NEXT] * 1456 * BYTE;
        uint32_t before = 0;
        for (const auto& [at, ack] : acks)
        {
            if (at < written && ack.words.size() > UdtAck::ROOM)
            {
                const uint32_t unread = ack.words[UdtAck::NEXT];
                NS_TEST_EXPECT_MSG_EQ(ack.words[UdtAck::ROOM], 99 - unread, "at " << at);
                ++before;
            }
        }
        NS_TEST_EXPECT_MSG_GT(before, 1, "more than one before the first write is done");
        path.RunOn(10'000 * MS);
        NS_TEST_EXPECT_MSG_EQ(path.GetStored(),
                              first + 90 * 1456 * BYTE,
                              "busy since the first ACK");
        NS_TEST_EXPECT_MSG_EQ(disk.GetUse().bytes, 90 * 1456, "each byte once");
    }

    /// The buffer holds a tenth of the file: the sender gets no further than the disk.
    void CheckShut()
    {
        const SlowDisk disk(true);
        constexpr uint32_t PACKETS = 1000;
        MadeUpPath path({.tool = "udt",
                         .said = {{"udt-buffer", "100"}, {"payload", "1456B"}},
                         .bytes = PACKETS * 1456,
                         .there = {.rateBps = 20'000'000, .delayNs = MS, .queue = 1000},
                         .back = {.delayNs = MS},
                         .sink = disk.GetStages()});
        NS_TEST_EXPECT_MSG_EQ(path.Run(), true, path.GetReason());
        NS_TEST_EXPECT_MSG_EQ(path.IsComplete(), true, path.GetReason());
        const Nanoseconds disked = PACKETS * 1456 * US;
        NS_TEST_EXPECT_MSG_GT(path.GetEnd(), disked - 100 * 1456 * US, "less what waits");
        path.RunOn(60'000 * MS);
        NS_TEST_EXPECT_MSG_GT(path.GetStored(), disked, "all of it");
        NS_TEST_EXPECT_MSG_EQ(disk.GetUse().busyNs, disked, "each byte once");
    }
};

/// The parts of a file in blocks, with and without compression.
class BbftpFileTest : public TestCase
{
  public:
    BbftpFileTest()
        : TestCase("tools, storage: bbFTP reads and sends a block, receives and writes one")
    {
    }

  private:
    void DoRun() override
    {
        CheckBlocks();
        CheckReads();
        CheckWrites();
    }

    /// @param blocks of a part @param offset of the next one @param bytes of it @param wire of it
    void CheckNext(BbftpBlocks& blocks, uint64_t offset, uint64_t bytes, uint64_t wire)
    {
        NS_TEST_ASSERT_MSG_EQ(blocks.IsEmpty(), false, "a block at " << offset);
        const BbftpBlock block = blocks.Take();
        NS_TEST_EXPECT_MSG_EQ(block.offset, offset, "where");
        NS_TEST_EXPECT_MSG_EQ(block.bytes, bytes, "of the file");
        NS_TEST_EXPECT_MSG_EQ(block.wireBytes, wire, "on the connection");
    }

    void CheckBlocks()
    {
        const BbftpParts halves(1'000'001, 2, 1);
        BbftpBlocks second(halves, 1, false);
        CheckNext(second, 500'000, 262'144, 262'144);
        CheckNext(second, 762'144, 237'857, 237'857);
        NS_TEST_EXPECT_MSG_EQ(second.IsEmpty(), true, "the part");
        BbftpBlocks whole(halves, 0, true);
        CheckNext(whole, 0, 500'000, 500'000);
        BbftpBlocks less(BbftpParts(500'000, 1, 2.5), 0, false);
        CheckNext(less, 0, 262'144, 104'858);
        CheckNext(less, 262'144, 237'856, 95'142);
        // Of the last byte nothing is left
        BbftpBlocks tiny(BbftpParts(262'145, 1, 1000), 0, false);
        CheckNext(tiny, 0, 262'145, 263);
        NS_TEST_EXPECT_MSG_EQ(tiny.IsEmpty(), true, "in one block");
    }

    void CheckReads()
    {
        const SlowDisk disk(false);
        const BbftpParts parts(500'000, 1, 1);
        BbftpReads reads(parts, 0, disk.GetStages());
        NS_TEST_EXPECT_MSG_EQ(reads.Write(0, 100'000), 0, "it reads");
        const Nanoseconds first = 262'144 * US;
        NS_TEST_EXPECT_MSG_EQ(reads.GetNextNs(), first, "all of the block");
        NS_TEST_EXPECT_MSG_EQ(reads.Write(first, 200'000), 200'000, "what there is room for");
        reads.HandleWritten(first);
        const Nanoseconds later = first + 5 * MS;
        NS_TEST_EXPECT_MSG_EQ(reads.Write(later, 200'000), 62'144, "no more than the block");
        reads.HandleWritten(later);
        NS_TEST_EXPECT_MSG_EQ(reads.Write(later, 1), 0, "it reads again, not before");
        NS_TEST_EXPECT_MSG_EQ(reads.GetNextNs(), later + 237'856 * US, "the rest");
        NS_TEST_EXPECT_MSG_EQ(reads.IsExhausted(), false, "it is to be sent");
        NS_TEST_EXPECT_MSG_EQ(reads.Write(later + 237'856 * US, 300'000), 237'856, "the rest");
        NS_TEST_EXPECT_MSG_EQ(reads.IsExhausted(), true, "all of it");
        BbftpReads memory(parts, 0, {});
        NS_TEST_EXPECT_MSG_EQ(memory.Write(0, 400'000), 400'000, "without a disk any number");
    }

    void CheckWrites()
    {
        const SlowDisk disk(true);
        BbftpWrites writes(BbftpParts(300'000, 1, 1), 0, disk.GetStages());
        NS_TEST_EXPECT_MSG_EQ(writes.GetRoom(), 262'144, "a block");
        NS_TEST_EXPECT_MSG_EQ(writes.Take(0, 262'143).has_value(), false, "not all of it");
        NS_TEST_EXPECT_MSG_EQ(writes.GetRoom(), 1, "the rest of it");
        const auto first = writes.Take(MS, 1);
        NS_TEST_ASSERT_MSG_EQ(first.has_value(), true, "it writes");
        NS_TEST_EXPECT_MSG_EQ(first->at, MS + 262'144 * US, "until then");
        NS_TEST_EXPECT_MSG_EQ(first->wireBytes, 262'144, "all of it");
        NS_TEST_EXPECT_MSG_EQ(writes.GetNextNs(), first->at, "and reads nothing meanwhile");
        NS_TEST_EXPECT_MSG_EQ(writes.GetRoom(), 37'856, "the last block");
        const auto last = writes.Take(first->at, 37'856);
        NS_TEST_ASSERT_MSG_EQ(last.has_value(), true, "it writes");
        NS_TEST_EXPECT_MSG_EQ(last->at, first->at + 37'856 * US, "the rest");
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new MappedFileTest,
            new DatagramIntakeTest,
            new RbudpSinkTest,
            new RbudpSourceTest,
            new UdtSourceTest,
            new UdtSinkTest,
            new BbftpFileTest};
});

} // namespace
