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
 * One GridFTP session moves a file in chunks over N parallel TCP connections, N chosen by the mode.
 * --help lists the options with their defaults. Prints a table, or with --json one JSON object.
 * Exit status: 0 done, 1 the transfer failed (the result says why), 2 the command line is wrong.
 *
 * Expect, with the defaults: N = 1, 2, 4, 8 and 8 from then on, and a full bottleneck.
 */

#include "gridftp-ns3-engine.h"
#include "gridftp-option-table.h"
#include "gridftp-progress.h"
#include "gridftp-provenance.h"

#include <iostream>
#include <string_view>
#include <vector>

using namespace ns3::gridftp;

namespace
{

constexpr int EXIT_BAD_INPUT = 2;

int
Refuse(const Error& error)
{
    std::cerr << "gridftp-transfer: " << error.message << std::endl;
    return EXIT_BAD_INPUT;
}

void
PrintHelp()
{
    std::cout << "usage: gridftp-transfer [--name=VALUE ...]\n\n"
                 "Simulates one GridFTP session over two DropTail routers.\n\n"
              << OptionsHelp(GetOptionTable())
              << "Sizes: KB, MB, GB, TB, PB are powers of ten; KiB, MiB, GiB, TiB of two.\n";
}

int
Run(const TransferRequest& request, const Provenance& provenance)
{
    ProgressPrinter progress(request.output.progress);
    RunObservers observers;
    observers.traceFolder = request.output.trace;
    observers.pcapPrefix = request.output.pcap;
    if (progress.IsWanted())
    {
        observers.progress = [&progress](const ProgressReport& report) { progress.Print(report); };
    }
    const auto result = RunOnNs3(request.scenario, observers);
    progress.Finish();
    if (!result)
    {
        return Refuse(result.GetError());
    }
    if (request.output.json)
    {
        std::cout << ResultToJson(request.scenario, *result, provenance) << std::endl;
    }
    else
    {
        std::cout << ResultToText(request.scenario, *result);
    }
    return result->done ? 0 : 1;
}

} // namespace

int
main(int argc, char* argv[])
{
    const std::vector<std::string_view> arguments(argv + 1, argv + argc);
    const auto request = ParseTransfer(arguments);
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
        std::cout << DescribeOptions(GetOptionTable()) << std::endl;
        return 0;
    }
    if (const auto checked = CheckNs3Scenario(request->scenario); !checked)
    {
        return Refuse(checked.GetError());
    }
    if (request->output.resolve)
    {
        std::cout << ScenarioToJson(request->scenario) << std::endl;
        return 0;
    }
    return Run(*request, MakeProvenance(argc, argv));
}
