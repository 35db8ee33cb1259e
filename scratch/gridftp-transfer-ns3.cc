/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * gridftp-transfer's other half: the same question answered on ns-3's own TCP/IP stack. It takes
 * the same options and is usually started by gridftp-transfer --engine=ns3.
 *
 * Each line of a batch is simulated in a process of its own, since ns-3's defaults belong to the
 * whole process. Exit status: 0 done, 1 a transfer failed, 2 the command line is wrong.
 */

#include "gridftp-batch-lines.h"
#include "gridftp-batch.h"
#include "gridftp-ns3-engine.h"
#include "gridftp-ns3-tcp-rules.h"
#include "gridftp-option-table.h"
#include "gridftp-progress.h"
#include "gridftp-provenance.h"
#include "gridftp-scenario-json.h"
#include "gridftp-text-file.h"
#include "gridftp-transfer-output.h"

#include <cstdlib>
#include <iostream>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace ns3::gridftp;

namespace
{

int
Run(const TransferRequest& request, const Provenance& provenance)
{
    ProgressPrinter progress(request.output.progress);
    RunObservers observers;
    observers.traceFolder = request.output.trace;
    observers.pcapPrefix = request.output.pcap;
    observers.progress = progress.GetReceiver();
    const auto result = RunOnNs3(ResolveDetail(request), observers);
    progress.Finish();
    return PrintResult(request, result, provenance);
}

/** @param scenario resolved @param hasCaptures see CheckNs3Types() @return what is wrong with it */
Done
CheckNs3(const Scenario& scenario, bool hasCaptures)
{
    const auto checked = CheckNs3Scenario(scenario);
    return checked ? CheckNs3Types(scenario, hasCaptures) : checked;
}

/** Answers a line of a batch. @return the exit status that it would have alone */
int
Answer(size_t number, const std::string& line, const Provenance& provenance)
{
    const auto refuse = [number](const Error& error) {
        std::cout << BatchErrorToJson(number, error) << std::endl;
        return EXIT_BAD_INPUT;
    };
    const auto scenario = ParseScenarioJson(line, &ReadTextFile);
    if (!scenario)
    {
        return refuse(scenario.GetError());
    }
    if (const auto checked = CheckNs3(*scenario, false); !checked)
    {
        return refuse(checked.GetError());
    }
    const auto result = RunOnNs3(*scenario, {});
    if (!result)
    {
        return refuse(result.GetError());
    }
    std::cout << ResultToJson(*scenario, *result, provenance) << std::endl;
    return result->done ? 0 : 1;
}

int
RunBatch(std::span<const std::string_view> arguments,
         const std::string& file,
         const Provenance& provenance)
{
    bool allDone = true;
    const auto answer = [&](size_t number, const std::string& line) {
        const pid_t child = fork();
        if (child == 0)
        {
            std::_Exit(Answer(number, line, provenance));
        }
        int status = -1;
        waitpid(child, &status, 0);
        allDone = allDone && status == 0;
        if (!WIFEXITED(status) || WEXITSTATUS(status) > EXIT_BAD_INPUT)
        {
            const Error error{"ns-3 ended the process; its message is on standard error"};
            std::cout << BatchErrorToJson(number, error) << std::endl;
        }
    };
    if (const auto read = ForEachLine(arguments, file, answer); !read)
    {
        return Refuse(read.GetError());
    }
    return allDone ? 0 : 1;
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
    if (!request->output.batch.empty())
    {
        return RunBatch(arguments, request->output.batch, MakeProvenance(argc, argv));
    }
    PrintNotes(*request);
    if (const auto checked = CheckNs3(request->scenario, !request->output.pcap.empty()); !checked)
    {
        return Refuse(checked.GetError());
    }
    if (request->output.resolve)
    {
        std::cout << ScenarioToJson(request->scenario) << std::endl;
        return 0;
    }
    PrintNotes("gridftp-transfer", DescribeNs3Faults(request->scenario));
    return Run(*request, MakeProvenance(argc, argv));
}
