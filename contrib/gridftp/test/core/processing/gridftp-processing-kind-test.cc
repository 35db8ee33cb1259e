/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-block-stages.h"
#include "gridftp-core-test.h"
#include "gridftp-processing-kind.h"
#include "gridftp-test-cases.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::gridftp;

namespace
{

/// @param module its name @param values its parameters @return a session of 11 bytes
SessionSpec
MakeProcessed(const std::string& module, const NamedValues& values)
{
    SessionSpec session;
    session.fileSize = 11;
    session.buffers.processing.module = module;
    session.buffers.processing.values = values;
    return session;
}

/// What modules make of a file.
class ProcessingKindTest : public TestCase
{
  public:
    ProcessingKindTest()
        : TestCase("processing: what modules make of a file, and which part of it they move")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(GetProcessingKinds().front().name, IDENTITY_MODULE, "the default");
        NS_TEST_EXPECT_MSG_EQ((FindProcessingKind("zip") == nullptr), true, "unknown");
        NS_TEST_EXPECT_MSG_EQ(FindPart(MakeProcessed("identity", {})).has_value(),
                              false,
                              "as it is");
        const auto part = FindPart(MakeProcessed("partial", {{"offset", 3}, {"length", 5}}));
        NS_TEST_EXPECT_MSG_EQ((*part == MarkerRange{3, 8}), true, "in the file");
        CheckScale();
        CheckBlocks();
    }

    /// 0.3 of 11 bytes is 3.3, and every position has its own.
    void CheckScale()
    {
        SessionSpec session = MakeProcessed("scale", {{"ratio", 0.3}, {"rate", 5}});
        session.direction = Direction::UPLOAD;
        ResolveProcessing(session);
        const ProcessingSpec& spec = session.buffers.processing;
        NS_TEST_EXPECT_MSG_EQ(spec.HasModule(true), true, "the server receives");
        NS_TEST_EXPECT_MSG_EQ((*FindPart(session) == MarkerRange{0, 11}), true, "all is moved");
        NS_TEST_EXPECT_MSG_EQ(MakeFileMap(spec, true).ToOutput(11), 4, "and this stored");
        NS_TEST_EXPECT_MSG_EQ(spec.IsTimed(true), true, "at a rate");
        NS_TEST_EXPECT_MSG_EQ(spec.IsTimed(false), false, "at the server alone");
        session.direction = Direction::THIRD_PARTY;
        ResolveProcessing(session);
        NS_TEST_EXPECT_MSG_EQ(spec.HasModule(true), false, "the other one sends");
        NS_TEST_EXPECT_MSG_EQ((*FindPart(session) == MarkerRange{0, 4}), true, "what it makes");
        const FileMap map = MakeFileMap(spec, false);
        NS_TEST_EXPECT_MSG_EQ(map.ToInput(0), 0, "nothing of nothing");
        NS_TEST_EXPECT_MSG_EQ(map.ToInput(1), 4, "10 / 3");
        NS_TEST_EXPECT_MSG_EQ(map.ToInput(3), 10, "30 / 3");
        NS_TEST_EXPECT_MSG_EQ(map.ToInput(4), 11, "no more than there is");
        const FileMap large{.ratio = 1'000'000'000, .inputBytes = 1'000'000'000'000'000};
        NS_TEST_EXPECT_MSG_EQ(large.ToOutput(999'999'999'999'999),
                              999'999'999'999'999'000,
                              "1000 of each");
        NS_TEST_EXPECT_MSG_EQ(large.ToInput(999'999'999'999'999'000), 999'999'999'999'999, "");
        SessionSpec plain = MakeProcessed("identity", {});
        plain.buffers.processing.moduleAt = ModuleEnd::SENDER;
        ResolveProcessing(plain);
        NS_TEST_EXPECT_MSG_EQ(plain.buffers.processing.HasModule(false), false, "none any more");
    }

    /// A disk of 8 ns a byte, and a module of 16 ns for each that it is given.
    void CheckBlocks()
    {
        const StorageSpec disk{.kind = "disk", .values = {{"rate", 1e9}}, .depth = 1};
        const auto source = MakeStorage(disk);
        HostCpu cpu;
        BlockStages stages{.storage = {.storage = source.get()},
                           .cpu = &cpu,
                           .cost = {.moduleRate = 500'000'000},
                           .map = {.ratio = 300'000, .inputBytes = 11}};
        NS_TEST_EXPECT_MSG_EQ(stages.Read(0, 0, 3), 240, "10 bytes read and worked on");
        NS_TEST_EXPECT_MSG_EQ(stages.Read(1000, 3, 1), 1024, "the last one");
        NS_TEST_EXPECT_MSG_EQ(source->GetUse().bytes, 11, "all of the file");
        NS_TEST_EXPECT_MSG_EQ(source->GetUse().seeks, 0, "in order");
        const auto sink = MakeStorage(disk);
        stages.storage.storage = sink.get();
        NS_TEST_EXPECT_MSG_EQ(stages.Write(2000, 0, 4), 2080, "4 bytes make 2 of 1.2");
        NS_TEST_EXPECT_MSG_EQ(stages.Write(3000, 4, 2), 3032, "6 make 1.8: nothing to store");
        NS_TEST_EXPECT_MSG_EQ(stages.Write(4000, 6, 5), 4096, "and 11 make 4");
        NS_TEST_EXPECT_MSG_EQ(sink->GetUse().bytes, 4, "all that it makes");
        NS_TEST_EXPECT_MSG_EQ(cpu.GetUse().Get(CpuUse::MODULES), 22 * 16, "each byte given");
    }
};

std::vector<TestCase*>
MakeProcessingKindTestCases()
{
    return {new ProcessingKindTest};
}

const OwnTestCases g_cases(&MakeProcessingKindTestCases);

} // namespace
