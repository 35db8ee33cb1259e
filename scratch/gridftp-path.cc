/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * What is a path like over time?
 *
 * In: the options of gridftp-transfer that describe the path, seed and run. Out: a CSV with a row
 * for each change of the bottleneck until it begins again: since when, rate, propagation delay,
 * round-trip time without the queue, and their product, which is what windows have to be. For
 * --path-schedule=random that is what Figures 1 to 3 of Gardner et al. (2004) show. Exit status: 0,
 * or 2 when the command line is wrong.
 */

#include "gridftp-option-table.h"
#include "gridftp-program.h"
#include "gridftp-text-file.h"

#include <iostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

using namespace ns3::gridftp;

namespace
{

constexpr std::string_view PROGRAM = "gridftp-path";

/** What says nothing of the path is a mistake. */
Done
CheckScopes(std::span<const std::string_view> arguments)
{
    for (const auto argument : arguments)
    {
        const auto name = argument.substr(2, argument.find('=') - 2);
        const Option* option = FindOption(GetOptionTable(), name);
        if (option && option->scope != OptionScope::PATH && option->scope != OptionScope::MEASURE)
        {
            return Error{
                Printable(argument) +
                " is not an option of the path; allowed: options of the path, seed and run"};
        }
    }
    return std::monostate{};
}

std::string
MakeRow(const LinkRow& row, const PathSpec& path)
{
    const auto seconds = [](int64_t ns) { return FormatReal(static_cast<double>(ns) / 1e9); };
    // A schedule holds in both directions
    const int64_t delayNs = path.schedule.IsEmpty() ? path.reverseDelay : row.delayNs;
    const int64_t rtt = row.delayNs + delayNs + 4 * path.accessDelay;
    const double product = static_cast<double>(row.rateBps) * static_cast<double>(rtt) / 1e9;
    return seconds(row.startNs) + "," + std::to_string(row.rateBps) + "," + seconds(row.delayNs) +
           "," + seconds(rtt) + "," + FormatReal(product);
}

} // namespace

int
main(int argc, char* argv[])
{
    const auto arguments = GetArguments(argc, argv);
    if (arguments.size() == 1 && arguments[0] == "--help")
    {
        std::cout << "usage: gridftp-path [--name=VALUE ...]\n\n"
                     "Prints rate, delay, round-trip time and their product over time, as CSV.\n"
                     "Options: those of gridftp-transfer for the path, seed and run.\n";
        return 0;
    }
    const auto request = ParseTransfer(arguments, &ReadTextFile);
    if (!request)
    {
        return Refuse(PROGRAM, request.GetError());
    }
    PrintNotes(PROGRAM, request->notes);
    if (const auto checked = CheckScopes(arguments); !checked)
    {
        return Refuse(PROGRAM, checked.GetError());
    }
    const PathSpec& path = request->scenario.path;
    std::vector<LinkRow> rows = path.schedule.GetRows();
    if (rows.empty())
    {
        rows.push_back({0, path.bandwidth, path.delay});
    }
    std::cout << "time_s,rate_bps,delay_s,rtt_s,bdp_bits\n";
    for (const auto& row : rows)
    {
        std::cout << MakeRow(row, path) << "\n";
    }
    return std::cout.flush() ? 0 : 1;
}
