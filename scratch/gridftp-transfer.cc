/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * How does a GridFTP transfer with automatic parallelism go on this path?
 *
 *   client --- left router ======== right router --- server
 *        access        bottleneck B, tau,        access
 *                      DropTail queue
 *
 * GridFTP sessions move a file each in chunks over N parallel TCP connections, N chosen by the
 * mode. --help lists the options with their defaults. Prints a table, or with --json one JSON
 * object; with --batch one for each line of scenarios. --engine=ns3 hands over to
 * gridftp-transfer-ns3, so that everything else does without ns-3's libraries and starts at once.
 * Exit status: 0 done, 1 a transfer failed (the result says why), 2 the command line is wrong.
 *
 * Expect, with the defaults: N = 1, 2, 4, 8 and 8 from then on, and a full bottleneck.
 */

#include "gridftp-batch-lines.h"
#include "gridftp-batch.h"
#include "gridftp-ns3-process.h"
#include "gridftp-option-table.h"
#include "gridftp-progress.h"
#include "gridftp-provenance.h"
#include "gridftp-scenario-json.h"
#include "gridftp-segment-engine.h"
#include "gridftp-segment-simulator.h"
#include "gridftp-text-file.h"
#include "gridftp-transfer-output.h"

#include <iostream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

using namespace ns3::gridftp;

namespace
{

void
PrintHelp()
{
    std::cout << "usage: gridftp-transfer [--name=VALUE ...]\n\n"
                 "Simulates GridFTP sessions over a bottleneck between two routers.\n\n"
              << OptionsHelp(GetOptionTable())
              << "Sizes: KB, MB, GB, TB, PB are powers of ten; KiB, MiB, GiB, TiB of two.\n";
}

int
Run(const TransferRequest& request, const Provenance& provenance)
{
    ProgressPrinter progress(request.output.progress);
    SegmentRunObservers observers;
    observers.traceFolder = request.output.trace;
    observers.progress = progress.GetReceiver();
    observers.skipsChunks = request.output.fastForward == ChunkSkipping::ON;
    const auto result = RunOnSegments(ResolveDetail(request), observers);
    progress.Finish();
    return PrintResult(request, result, provenance);
}

/** The lines of a batch and their answers. */
class Batch
{
  public:
    /** @param provenance of the results @param output what to do with scenarios */
    Batch(const Provenance& provenance, const OutputSpec& output)
        : m_provenance(provenance),
          m_resolve(output.resolve),
          m_skipsChunks(output.fastForward == ChunkSkipping::ON)
    {
    }

    /** Answers a line. @param number from 1 @param line JSON */
    void Answer(size_t number, const std::string& line)
    {
        const auto answer = MakeAnswer(number, line);
        const bool isDone = answer && answer->find(R"("status": "done")") < STATUS_END;
        m_allDone = m_allDone && answer && (isDone || m_resolve);
        std::cout << (answer ? *answer : BatchErrorToJson(number, answer.GetError())) << std::endl;
    }

    /** @return whether every line was answered by a complete transfer */
    bool IsAllDone() const
    {
        return m_allDone;
    }

  private:
    static constexpr size_t STATUS_END = 40; //!< the status is among the first characters

    /** @param number from 1 @param line JSON @return what is printed, or what is wrong with it */
    Expected<std::string> MakeAnswer(size_t number, const std::string& line)
    {
        Notes notes;
        const auto scenario = ParseScenarioJson(line, &ReadTextFile, &notes);
        if (!scenario)
        {
            return scenario.GetError();
        }
        std::erase_if(notes, [this](const auto& note) { return !m_noted.insert(note).second; });
        PrintNotes("gridftp-transfer", notes);
        if (m_resolve)
        {
            return ScenarioToJson(*scenario);
        }
        if (scenario->measure.engine == Engine::NS3)
        {
            return m_ns3.Answer(number, line);
        }
        const auto result =
            RunOnSegments(*scenario,
                          {.traceFolder = {}, .progress = {}, .skipsChunks = m_skipsChunks});
        if (!result)
        {
            return result.GetError();
        }
        return ResultToJson(*scenario, *result, m_provenance);
    }

    const Provenance& m_provenance; //!< of the results
    bool m_resolve;                 //!< print scenarios, simulate nothing
    bool m_skipsChunks;             //!< see SegmentRunObservers::skipsChunks
    Ns3Process m_ns3;               //!< for lines with engine ns3
    std::set<std::string> m_noted;  //!< notes that are printed, each once
    bool m_allDone{true};           //!< see IsAllDone()
};

int
RunBatch(std::span<const std::string_view> arguments,
         const OutputSpec& output,
         const Provenance& provenance)
{
    Batch batch(provenance, output);
    const auto answer = [&batch](size_t number, const std::string& line) {
        batch.Answer(number, line);
    };
    if (const auto read = ForEachLine(arguments, output.batch, answer); !read)
    {
        return Refuse(read.GetError());
    }
    return batch.IsAllDone() ? 0 : 1;
}

} // namespace

int
main(int argc, char* argv[])
{
    const auto arguments = GetArguments(argc, argv);
    const auto request = ParseTransfer(arguments, &ReadTextFile);
    if (!request)
    {
        return Refuse(request.GetError());
    }
    if (request->output.help)
    {
        PrintHelp();
        return 0;
    }
    if (request->output.describe)
    {
        std::cout << DescribeTransfer() << std::endl;
        return 0;
    }
    if (!request->output.batch.empty())
    {
        return RunBatch(arguments, request->output, MakeProvenance(argc, argv));
    }
    if (request->scenario.measure.engine == Engine::NS3)
    {
        return Refuse(BecomeNs3Program(argv));
    }
    PrintNotes(*request);
    if (request->output.resolve)
    {
        std::cout << ScenarioToJson(request->scenario) << std::endl;
        return 0;
    }
    return Run(*request, MakeProvenance(argc, argv));
}
