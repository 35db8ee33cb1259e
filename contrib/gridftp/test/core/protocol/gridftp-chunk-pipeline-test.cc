/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-chunk-pipeline.h"
#include "gridftp-command-queue.h"
#include "gridftp-core-test.h"
#include "gridftp-option-table.h"
#include "gridftp-test-cases.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// Which commands go ahead of replies, and which wait.
class TakeAheadTest : public TestCase
{
  public:
    TakeAheadTest()
        : TestCase("pipelining: what is said ahead, and what waits for replies")
    {
    }

  private:
    void DoRun() override
    {
        constexpr AheadState BUSY{.isQuiet = false};
        ControlScript upload;
        upload.AddChunk({.direction = Direction::UPLOAD, .bytes = 1});
        upload.AddChunk({.direction = Direction::UPLOAD, .bytes = 2, .newAddress = false});
        upload.AddQuit(Direction::UPLOAD);
        NS_TEST_EXPECT_MSG_EQ(Take(upload, BUSY), "", "an address waits for all replies");
        NS_TEST_EXPECT_MSG_EQ(Take(upload, {}), "PASV", "");
        NS_TEST_EXPECT_MSG_EQ(Take(upload, {.isQuiet = false, .isBarred = true}),
                              "",
                              "and all wait for the address");
        NS_TEST_EXPECT_MSG_EQ(TakeAll(upload, BUSY), "ALLO ESTO ALLO ESTO ", "both chunks");
        NS_TEST_EXPECT_MSG_EQ(Take(upload, BUSY), "", "a goodbye waits, too");
        NS_TEST_EXPECT_MSG_EQ(Take(upload, {}), "QUIT", "");
        NS_TEST_EXPECT_MSG_EQ(Take(upload, {}), "", "none is left");

        ControlScript third;
        for (uint64_t bytes = 1; bytes <= 2; ++bytes)
        {
            third.AddChunk(
                {.direction = Direction::THIRD_PARTY, .bytes = bytes, .newAddress = false});
        }
        constexpr AheadState CLOSED{.isQuiet = false, .maySend = false};
        NS_TEST_EXPECT_MSG_EQ(TakeAll(third, CLOSED),
                              "ALLO OPTS ESTO ALLO ESTO ",
                              "the sender waits, and is told all in order");
        NS_TEST_EXPECT_MSG_EQ(Take(third, BUSY), "ERET", "when the receiver has begun");
        NS_TEST_EXPECT_MSG_EQ(TakeAll(third, CLOSED), "OPTS ", "of the second chunk");
        NS_TEST_EXPECT_MSG_EQ(TakeAll(third, BUSY), "ERET ", "");
    }

    /// @param script from which lines are taken @param state of the dialogues @return their verbs
    static std::string TakeAll(ControlScript& script, const AheadState& state)
    {
        std::string verbs;
        for (auto verb = Take(script, state); !verb.empty(); verb = Take(script, state))
        {
            verbs += verb + " ";
        }
        return verbs;
    }

    /// @param script from which the next line is taken @param state of the dialogues @return its
    /// verb, or nothing
    static std::string Take(ControlScript& script, const AheadState& state)
    {
        const auto line = script.TakeAhead(state);
        return line ? std::string(VerbName(line->command.verb)) : "";
    }
};

/// Replies find their commands, and only those answered at once are samples of R.
class CommandQueueTest : public TestCase
{
  public:
    CommandQueueTest()
        : TestCase("pipelining: a reply belongs to the oldest command")
    {
    }

  private:
    void DoRun() override
    {
        CommandQueue queue;
        queue.Say({Verb::OPTS, "a"}, 10);
        queue.Say({Verb::ERET, "b"}, 11);
        queue.Say({Verb::OPTS, "c"}, 12);
        NS_TEST_EXPECT_MSG_EQ(queue.GetSize(), 3, "");
        NS_TEST_EXPECT_MSG_EQ(queue.IsBarred(), false, "others follow all of them");
        NS_TEST_EXPECT_MSG_EQ(queue.GetFirst().argument, "a", "the oldest");
        const SaidCommand first = queue.TakeAnswered();
        NS_TEST_EXPECT_MSG_EQ(first.isSample, true, "answered at once");
        NS_TEST_EXPECT_MSG_EQ(first.saidNs, 10, "ns");
        NS_TEST_EXPECT_MSG_EQ(queue.HasTransfer(), true, "ERET");
        NS_TEST_EXPECT_MSG_EQ(queue.TakeAnswered().isSample, false, "a transfer");
        NS_TEST_EXPECT_MSG_EQ(queue.HasTransfer(), false, "");
        NS_TEST_EXPECT_MSG_EQ(queue.TakeAnswered().isSample, false, "it has waited there");
        NS_TEST_EXPECT_MSG_EQ(queue.GetFirst().argument, "c", "the last one answered");
        queue.Say({Verb::PORT, ""}, 20);
        NS_TEST_EXPECT_MSG_EQ(queue.IsBarred(), true, "nothing follows an address");
    }
};

/// The chunks of a download: which is received, which is under way, and when each begins.
class ChunkPipelineTest : public TestCase
{
  public:
    ChunkPipelineTest()
        : TestCase("pipelining: chunks asked for ahead")
    {
    }

  private:
    void DoRun() override
    {
        ChunkPipeline chunks(Direction::DOWNLOAD);
        for (uint64_t i = 0; i < 3; ++i)
        {
            chunks.Add({.index = i, .part = {.offset = 0, .bytes = i + 1, .fileBytes = i + 1}});
        }
        NS_TEST_EXPECT_MSG_EQ((chunks.Begin() == nullptr), true, "nothing is said");
        NS_TEST_EXPECT_MSG_EQ(chunks.HandleSaid(Verb::ERET).index, 0, "");
        NS_TEST_EXPECT_MSG_EQ(IndexOf(chunks.Begin()), 0, "");
        NS_TEST_EXPECT_MSG_EQ(IndexOf(chunks.Expect()), 0, "");
        NS_TEST_EXPECT_MSG_EQ(chunks.HandleSaid(Verb::ERET).index, 1, "ahead");
        NS_TEST_EXPECT_MSG_EQ(IndexOf(chunks.Begin()), NONE, "the first one is under way");
        NS_TEST_EXPECT_MSG_EQ(IndexOf(chunks.Expect()), NONE, "and its data are to come");
        chunks.HandleReceived();
        NS_TEST_EXPECT_MSG_EQ(IndexOf(chunks.Expect()), 1, "before reply 226");
        NS_TEST_EXPECT_MSG_EQ(chunks.IsFirstComplete(), false, "that is missing");
        chunks.HandleReceived();
        NS_TEST_EXPECT_MSG_EQ(IndexOf(chunks.Expect()), NONE, "the third is not said");
        chunks.HandleConfirmed(Peer::SENDER, 70);
        chunks.HandleConfirmed(Peer::SENDER, 80);
        NS_TEST_EXPECT_MSG_EQ(chunks.IsFirstComplete(), true, "");
        const PipelinedChunk first = chunks.TakeFirst();
        NS_TEST_EXPECT_MSG_EQ(first.index, 0, "");
        NS_TEST_EXPECT_MSG_EQ(first.endNs, 70, "its own reply");
        NS_TEST_EXPECT_MSG_EQ(IndexOf(chunks.Begin()), 1, "now the next one begins");
        NS_TEST_EXPECT_MSG_EQ(IndexOf(chunks.Begin()), NONE, "once");
        NS_TEST_EXPECT_MSG_EQ(chunks.TakeFirst().endNs, 80, "");
        ChunkPipeline slow(Direction::DOWNLOAD);
        for (const int64_t receivedNs : {90, 60})
        {
            slow.Add({.index = 0, .part = {.offset = 0, .bytes = 1, .fileBytes = 1}});
            slow.HandleSaid(Verb::ERET);
            receivedNs < 70 ? slow.HandleReceived(receivedNs) : void();
            slow.HandleConfirmed(Peer::SENDER, 70);
            receivedNs > 70 ? slow.HandleReceived(receivedNs) : void();
            NS_TEST_EXPECT_MSG_EQ(slow.IsFirstComplete(), true, "reply and data");
            NS_TEST_EXPECT_MSG_EQ(slow.TakeFirst().endNs,
                                  std::max<int64_t>(receivedNs, 70),
                                  "the later one");
        }
        NS_TEST_EXPECT_MSG_EQ(chunks.IsFirstComplete(), false, "the third");
        CheckThirdParty();
    }

    /// A chunk of a third party is complete when both servers have said so.
    void CheckThirdParty()
    {
        ChunkPipeline chunks(Direction::THIRD_PARTY);
        chunks.Add({.index = 0, .part = {}});
        chunks.Add({.index = 1, .part = {}});
        chunks.HandleSaid(Verb::ESTO);
        chunks.HandleSaid(Verb::ESTO);
        NS_TEST_EXPECT_MSG_EQ(chunks.MaySend(), false, "no 150");
        chunks.HandleOpened();
        NS_TEST_EXPECT_MSG_EQ(chunks.MaySend(), true, "");
        NS_TEST_EXPECT_MSG_EQ(chunks.HandleSaid(Verb::ERET).index, 0, "");
        NS_TEST_EXPECT_MSG_EQ(chunks.MaySend(), false, "one for each 150");
        chunks.HandleConfirmed(Peer::RECEIVER, 1);
        chunks.HandleOpened();
        NS_TEST_EXPECT_MSG_EQ(chunks.HandleSaid(Verb::ERET).index, 1, "before the first is done");
        chunks.HandleConfirmed(Peer::RECEIVER, 2);
        NS_TEST_EXPECT_MSG_EQ(chunks.IsFirstComplete(), false, "the sender has not confirmed");
        chunks.HandleConfirmed(Peer::SENDER, 3);
        NS_TEST_EXPECT_MSG_EQ(chunks.IsFirstComplete(), true, "");
        NS_TEST_EXPECT_MSG_EQ(chunks.TakeFirst().endNs, 3, "the later reply");
    }

    static constexpr uint64_t NONE = 99; //!< no chunk

    /// @param chunk or null @return its index
    static uint64_t IndexOf(const PipelinedChunk* chunk)
    {
        return chunk ? chunk->index : NONE;
    }
};

/// What pipelining does not go with.
class PipeliningOptionsTest : public TestCase
{
  public:
    PipeliningOptionsTest()
        : TestCase("options: pipelining, and what it needs")
    {
    }

  private:
    void DoRun() override
    {
        const std::string refused = "--pipelining=2 ";
        Refuse({"--pipelining=2"},
               refused +
                   "needs data connections that stay open; allowed with it: data-channels=cached");
        Refuse({"--pipelining=2", "--data-channels=cached"},
               refused + "requests chunks before the previous ones are measured; allowed with it: "
                         "mode=fixed");
        Check({"--stripes=2x2"}, "needs one host at each endpoint; allowed with it: stripes=1x1");
        Check({"--retries=1"},
              "is not for a client with retries or a restart; allowed with it: retries=0, "
              "restart=none");
        Check({"--restart=0-9"},
              "is not for a client with retries or a restart; allowed with it: retries=0, "
              "restart=none");
        Check({"--buffers=drs-gridftp"},
              "needs buffers that TCP sizes; allowed with it: not buffers=drs-gridftp");
        Check({"--read-rate=1Mbps", "--direction=download"},
              "of a download needs a client that reads without limit; allowed with it: "
              "read-rate=0Mbps");
        Check(
            {"--sink=disk", "--sink-rate=1Gbps", "--direction=download"},
            "of a download needs a client that stores without delay; allowed with it: sink=memory");
        const std::string plain =
            "needs hosts that store and send files unchanged and without delay; allowed with it: "
            "processing=identity, cpu-rate=0Mbps, protection=clear, request-cpu=0ms";
        Check({"--request-cpu=1ms"}, plain);
        Check({"--cpu-rate=1Gbps"}, plain);
        Check({"--processing=partial", "--processing-length=1MB"}, plain);
        Check({"--fault=kind=data-reset"},
              "is not for a session with faults; allowed with it: faults of the bottleneck");
        Check({"--read-rate=1Mbps", "--sink=disk", "--sink-rate=1Gbps", "--fault=kind=link-down"},
              "");
        Check({"--control-security=gsi", "--data-security=gsi", "--auth-cpu=10ms"}, "");
        Refuse({"--pipelining=0"},
               "--pipelining=0 is out of range; allowed: a whole number, 1 to 1000");
        Refuse({"--pipelining=1", "--retries=1"}, "no error");
    }

    using Arguments = std::vector<std::string_view>; //!< of a command line

    /// @param arguments beside those that pipelining needs @param reason why that is refused
    void Check(Arguments arguments, const std::string& reason)
    {
        arguments.insert(arguments.end(),
                         {"--pipelining=2", "--data-channels=cached", "--mode=fixed"});
        Refuse(arguments, reason.empty() ? "no error" : "--pipelining=2 " + reason);
    }

    /// @param arguments of a command line @param reason why it is refused
    void Refuse(const Arguments& arguments, const std::string& reason)
    {
        NS_TEST_EXPECT_MSG_EQ(Reason(ParseTransfer(arguments, {})), reason, "");
    }
};

const OwnTestCases g_cases([]() -> std::vector<TestCase*> {
    return {new TakeAheadTest,
            new CommandQueueTest,
            new ChunkPipelineTest,
            new PipeliningOptionsTest};
});

} // namespace
