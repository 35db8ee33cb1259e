/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_OPTIMUM_SIMULATED_H
#define GRIDFTP_OPTIMUM_SIMULATED_H

#include "gridftp-json-writer.h"
#include "gridftp-optimum-request.h"
#include "gridftp-option-table.h"
#include "gridftp-parallelism-search.h"
#include "gridftp-program.h"
#include "gridftp-segment-engine.h"
#include "gridftp-text.h"

#include <cstdio>
#include <fstream>
#include <iostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * gridftp-optimum with --stack=linux: transfers between hosts of today, simulated.
 */

namespace ns3::gridftp
{

/**
 * The command line of a transfer.
 * @param arguments of gridftp-optimum
 * @param request the same, read
 * @return options of gridftp-transfer, without N and the run
 */
inline std::vector<std::string>
MakeTransferWords(std::span<const std::string_view> arguments, const OptimumRequest& request)
{
    const int64_t access = 4 * GetDefaultWhole("access-delay"); // two links, both directions
    const bool hasAccess = request.rtt >= access;
    const int64_t delay = (request.rtt - (hasAccess ? access : 0)) / 2;
    std::vector<std::string> words{"--stack=linux",
                                   "--mode=fixed",
                                   "--detail=off",
                                   "--delay=" + std::to_string(delay) + "ns",
                                   "--start-jitter=" + std::to_string(request.rtt) + "ns",
                                   "--file-size=" + std::to_string(request.fileSize) + "B",
                                   "--chunk-size=" + std::to_string(request.fileSize) + "B",
                                   "--random-loss=" + FormatReal(request.loss)};
    if (!hasAccess)
    {
        words.emplace_back("--access-delay=0ns");
    }
    for (const std::string_view argument : arguments)
    {
        const std::string_view name = GetArgumentName(argument);
        if (name == "bandwidth" || name == "window" || name == "packet-size" || name == "tcp" ||
            name == "queue")
        {
            words.emplace_back(argument);
        }
    }
    return words;
}

/** @param words of a transfer @param parallelism N @param run of it @return its scenario, or what
 * is wrong with it */
inline Expected<TransferRequest>
ParseTrial(std::vector<std::string> words, uint32_t parallelism, uint32_t run)
{
    words.push_back("--parallelism=" + std::to_string(parallelism));
    words.push_back("--run=" + std::to_string(run));
    return ParseTransfer(std::vector<std::string_view>(words.begin(), words.end()));
}

/** @param scenario of a transfer @return what it gives, or why it fails */
inline Expected<ParallelismTrial>
SimulateTrial(const Scenario& scenario)
{
    const auto result = RunOnSegments(scenario);
    if (!result)
    {
        return result.GetError();
    }
    if (!result->reason.empty())
    {
        return Error{result->reason};
    }
    const SessionResult& session = result->sessions.front();
    const ConnectionTotals& totals = session.tcp->totals;
    const auto sent = static_cast<double>(totals.segments + totals.retransmissions);
    return ParallelismTrial{.goodputBps = session.GetGoodputBps(),
                            .resent = static_cast<double>(totals.retransmissions) / sent};
}

/** @param json where to @param point of the curve */
inline void
WriteSimulatedPoint(JsonWriter& json, const ParallelismPoint& point)
{
    json.BeginObject().Key("parallelism").Integer(point.parallelism);
    json.Key("goodput_bps").Number(point.goodputBps);
    json.Key("least_bps").Number(point.leastBps).Key("most_bps").Number(point.mostBps);
    json.Key("resent").Number(point.resent).EndObject();
}

/** @param request what was asked for @param hasWindow --window is given @param curve the answer
 * @return both as JSON */
inline std::string
FormatSimulated(const OptimumRequest& request, bool hasWindow, const ParallelismCurve& curve)
{
    auto table = JoinRows({{MakeStackRow()}, MakePathRows(), MakeSimulatedRows()});
    std::erase_if(table, [hasWindow](const auto& row) {
        return row.name == "window" && !hasWindow; // it tunes itself
    });
    JsonWriter json;
    json.BeginObject().Key("schema").Integer(1).Key("scenario").BeginObject();
    for (const auto scope :
         {OptionScope::PATH, OptionScope::TCP, OptionScope::SESSION, OptionScope::MEASURE})
    {
        WriteOptionValues(json, table, scope, &request);
    }
    json.EndObject().Key("optimum");
    WriteSimulatedPoint(json, curve.GetBest());
    json.Key("curve").BeginArray();
    for (const auto& point : curve.points)
    {
        WriteSimulatedPoint(json, point);
    }
    json.EndArray();
    if (!curve.failure.empty())
    {
        json.Key("failure").String(curve.failure);
    }
    json.EndObject();
    return json.GetText();
}

/** @param path of a file @param curve to write @return whether it was written */
inline bool
WriteSimulatedCsv(const std::string& path, const ParallelismCurve& curve)
{
    std::ofstream file(path);
    file << "parallelism,goodput_bps,least_bps,most_bps,resent\n";
    for (const auto& point : curve.points)
    {
        file << point.parallelism << ',' << FormatReal(point.goodputBps) << ','
             << FormatReal(point.leastBps) << ',' << FormatReal(point.mostBps) << ','
             << FormatReal(point.resent) << '\n';
    }
    file.close();
    return !file.fail();
}

/** @param request what was asked for @param hasWindow --window is given @param curve the answer */
inline void
PrintSimulated(const OptimumRequest& request, bool hasWindow, const ParallelismCurve& curve)
{
    constexpr double MBPS = 1e6;
    const bool isSlow = static_cast<double>(request.bandwidth) < MBPS;
    const double unit = isSlow ? 1e3 : MBPS;
    const char* const name = isSlow ? "kbit/s" : "Mbit/s";
    const std::string window =
        hasWindow ? "windows of " + GetOption("window").Format(OptionValue(request.window))
                  : "auto-tuned windows";
    std::printf(
        "Hosts of Linux 6.18, %s, %s; a queue of %lld packets; a file of %s; medians of %lld "
        "runs\n\n"
        "     N  goodput, %s     lowest    highest  sent again\n",
        request.tcp.c_str(),
        window.c_str(),
        static_cast<long long>(request.queue),
        GetOption("file-size").Format(OptionValue(request.fileSize)).c_str(),
        static_cast<long long>(request.repeats),
        name);
    for (const auto& point : curve.points)
    {
        std::printf("%6u %16.2f %10.2f %10.2f %9.2f %%\n",
                    point.parallelism,
                    point.goodputBps / unit,
                    point.leastBps / unit,
                    point.mostBps / unit,
                    100 * point.resent);
    }
    if (!curve.failure.empty())
    {
        std::printf("more connections fail: %s\n", curve.failure.c_str());
    }
    std::printf("\nbest number of connections  %u, the fewest within 2 %% of the highest goodput\n"
                "goodput                     %.2f %s of %.2f\n"
                "one connection              %.2f %s\n",
                curve.GetBest().parallelism,
                curve.GetBest().goodputBps / unit,
                name,
                static_cast<double>(request.bandwidth) / unit,
                curve.points.front().goodputBps / unit,
                name);
}

/** @param program its name @param arguments of its command line @param request the same, read
 * @return exit status */
inline int
RunSimulated(std::string_view program,
             std::span<const std::string_view> arguments,
             const OptimumRequest& request)
{
    constexpr int FAILED = 1;
    const auto words = MakeTransferWords(arguments, request);
    if (const auto first = ParseTrial(words, 1, 1); !first)
    {
        return Refuse(program, first.GetError());
    }
    const ParallelismRange range{.most = static_cast<uint32_t>(request.maxParallelism),
                                 .repeats = static_cast<uint32_t>(request.repeats)};
    const auto simulate = [&](uint32_t parallelism, uint32_t run) -> Expected<ParallelismTrial> {
        const auto trial = ParseTrial(words, parallelism, run);
        if (!trial)
        {
            return trial.GetError();
        }
        return SimulateTrial(trial->scenario);
    };
    const auto curve = SearchParallelism(range, simulate);
    if (!curve)
    {
        Refuse(program, curve.GetError());
        return FAILED;
    }
    if (!request.csv.empty() && !WriteSimulatedCsv(request.csv, *curve))
    {
        return Refuse(
            program,
            {Printable("--csv=" + request.csv) + " cannot be written; allowed: a writable file"});
    }
    const bool hasWindow = IsGiven(arguments, "window");
    if (request.json)
    {
        std::cout << FormatSimulated(request, hasWindow, *curve) << std::endl;
    }
    else
    {
        PrintSimulated(request, hasWindow, *curve);
    }
    return 0;
}

} // namespace ns3::gridftp

#endif // GRIDFTP_OPTIMUM_SIMULATED_H
