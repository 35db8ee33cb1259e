/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * How many parallel TCP connections are best for this path? With --stack=linux, the default,
 * transfers between hosts of today are simulated with N = 1, 2, 4, ... connections
 * (gridftp-optimum-simulated.h). With --stack=classic the fluid model of Ito, Ohsaki and Imase
 * answers, Eq. (1) and (2), without a simulation; with --loss also the published formulas for a
 * path that loses packets at random (gridftp-loss-model.h).
 *
 * In: bandwidth of the bottleneck, round-trip time, loss, and so on. Out: the best number of
 * connections with its goodput, and on request the whole curve. Exit status: 0; 1 if not even one
 * connection moves the file; 2 if the command line is wrong.
 */

#include "gridftp-fluid-model.h"
#include "gridftp-json-writer.h"
#include "gridftp-loss-model.h"
#include "gridftp-optimum-request.h"
#include "gridftp-optimum-simulated.h"
#include "gridftp-option-table.h"
#include "gridftp-program.h"
#include "gridftp-scenario-check.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

using namespace ns3::gridftp;

namespace
{

constexpr std::string_view PROGRAM = "gridftp-optimum";

/** The curve as far as it is of interest: to four times the optimum, and at least to 16. */
std::vector<FluidPoint>
MakeCurve(const FluidModel& model, const OptimumRequest& request, uint32_t best)
{
    const uint64_t last = std::min<uint64_t>(
        {static_cast<uint64_t>(request.maxParallelism), std::max<uint64_t>(16, 4ULL * best)});
    std::vector<FluidPoint> curve;
    for (uint32_t n = 1; n <= last; ++n)
    {
        curve.push_back(model.At(n));
    }
    return curve;
}

/** The path as the models see it. */
FluidPath
MakePath(const OptimumRequest& request, double segmentBytes)
{
    return {.bandwidthBps = static_cast<double>(request.bandwidth),
            .rttS = static_cast<double>(request.rtt) / 1e9,
            .windowBytes = static_cast<double>(request.window),
            .segmentBytes = segmentBytes};
}

/** The optimum of one model for a path with random loss. */
struct LossOptimum
{
    const LossModel* model{}; //!< the formula
    LossPoint one;            //!< its prediction for one connection
    LossPoint best;           //!< its prediction for the best N
};

/** The optimum of each model; none where the path loses nothing. */
std::vector<LossOptimum>
FindLossOptima(const FluidPath& path, const OptimumRequest& request)
{
    std::vector<LossOptimum> optima;
    for (const auto& model : GetLossModels())
    {
        if (request.loss > 0)
        {
            const auto most = static_cast<uint32_t>(request.maxParallelism);
            optima.push_back({&model,
                              PredictWithLoss(model, path, request.loss, 1),
                              FindOptimumWithLoss(model, path, request.loss, most)});
        }
    }
    return optima;
}

void
WriteLossPoint(JsonWriter& json, const LossPoint& point)
{
    json.BeginObject().Key("parallelism").Integer(point.parallelism);
    json.Key("goodput_bps").Number(point.goodputBps);
    json.Key("limited_by").String(GetLimitName(point.limit)).EndObject();
}

/** A curve of the models for a path with random loss. */
struct LossCurve
{
    const LossModel* model{};      //!< the formula, one for N connections
    std::vector<LossPoint> points; //!< its predictions for N = 1, 2, ...
};

/** The curve of each model for N connections, as long as the fluid model's; none without loss. */
std::vector<LossCurve>
MakeLossCurves(const FluidPath& path,
               const OptimumRequest& request,
               const std::vector<LossOptimum>& optima,
               size_t length)
{
    std::vector<LossCurve> curves;
    for (const auto& optimum : optima)
    {
        if (optimum.model->isParallel)
        {
            auto& points = curves.emplace_back(LossCurve{optimum.model, {}}).points;
            for (uint32_t n = 1; n <= length; ++n)
            {
                points.push_back(PredictWithLoss(*optimum.model, path, request.loss, n));
            }
        }
    }
    return curves;
}

/** The key "loss_models", absent where the path loses nothing. */
void
WriteLossOptima(JsonWriter& json,
                const std::vector<LossOptimum>& optima,
                const std::vector<LossCurve>& curves)
{
    if (optima.empty())
    {
        return;
    }
    json.Key("loss_models").BeginArray();
    for (const auto& [model, one, best] : optima)
    {
        json.BeginObject().Key("name").String(model->name).Key("source").String(model->source);
        json.Key("one_connection");
        WriteLossPoint(json, one);
        json.Key("optimum");
        WriteLossPoint(json, best);
        const auto curve = std::ranges::find(curves, model, &LossCurve::model);
        if (curve != curves.end())
        {
            json.Key("curve").BeginArray();
            for (const auto& point : curve->points)
            {
                WriteLossPoint(json, point);
            }
            json.EndArray();
        }
        json.EndObject();
    }
    json.EndArray();
}

void
WriteMaybe(JsonWriter& json, const std::optional<double>& value)
{
    if (value)
    {
        json.Number(*value);
    }
    else
    {
        json.Null();
    }
}

const char*
LimitName(const FluidPoint& point)
{
    const bool network = point.goodputBps < point.windowLimitBps;
    return network ? "network" : "window";
}

std::string
ToJson(const std::vector<Option>& table,
       const OptimumRequest& request,
       const FluidPoint& best,
       const std::vector<FluidPoint>& curve,
       const std::vector<LossOptimum>& optima,
       const std::vector<LossCurve>& lossCurves)
{
    JsonWriter json;
    json.BeginObject().Key("schema").Integer(1).Key("scenario").BeginObject();
    WriteOptionValues(json, table, OptionScope::PATH, &request);
    WriteOptionValues(json, table, OptionScope::SESSION, &request);
    json.EndObject().Key("optimum").BeginObject();
    json.Key("parallelism").Integer(best.parallelism);
    json.Key("goodput_bps").Number(best.goodputBps).Key("loss");
    WriteMaybe(json, best.loss);
    json.Key("limited_by").String(LimitName(best)).EndObject();
    WriteLossOptima(json, optima, lossCurves);
    json.Key("curve").BeginArray();
    for (const auto& point : curve)
    {
        json.BeginObject().Key("parallelism").Integer(point.parallelism);
        json.Key("goodput_bps").Number(point.goodputBps);
        json.Key("window_limit_bps").Number(point.windowLimitBps).Key("network_limit_bps");
        WriteMaybe(json, point.networkLimitBps);
        json.Key("loss");
        WriteMaybe(json, point.loss);
        json.EndObject();
    }
    json.EndArray().EndObject();
    return json.GetText();
}

bool
WriteCsv(const std::string& path,
         const std::vector<FluidPoint>& curve,
         const std::vector<LossCurve>& lossCurves)
{
    std::ofstream file(path);
    file << "parallelism,goodput_bps,window_limit_bps,network_limit_bps,loss";
    for (const auto& one : lossCurves)
    {
        file << ',' << one.model->name << "_goodput_bps";
    }
    file << '\n';
    for (const auto& point : curve)
    {
        file << point.parallelism << ',' << FormatReal(point.goodputBps) << ','
             << FormatReal(point.windowLimitBps) << ','
             << (point.networkLimitBps ? FormatReal(*point.networkLimitBps) : "") << ','
             << (point.loss ? FormatReal(*point.loss) : "");
        for (const auto& one : lossCurves)
        {
            file << ',' << FormatReal(one.points[point.parallelism - 1].goodputBps);
        }
        file << '\n';
    }
    file.close();
    return !file.fail();
}

void
PrintText(const FluidModel& model, const OptimumRequest& request, const FluidPoint& best)
{
    if (request.loss > 0)
    {
        std::printf("Without random loss:\n");
    }
    std::printf("best number of connections  %u\n"
                "predicted goodput           %.2f Mbit/s of %.2f\n",
                best.parallelism,
                best.goodputBps / 1e6,
                static_cast<double>(request.bandwidth) / 1e6);
    if (best.loss)
    {
        std::printf("predicted packet loss       %.3g\n", *best.loss);
    }
    std::printf("limited by                  %s\n"
                "one connection              %.2f Mbit/s\n",
                LimitName(best),
                model.At(1).goodputBps / 1e6);
    if (!best.loss)
    {
        std::printf("the path holds less than 1.1 packets per connection: the model does not "
                    "cover its losses\n");
    }
}

/** The table of the models for a path with random loss. */
void
PrintLossOptima(const OptimumRequest& request, const std::vector<LossOptimum>& optima)
{
    if (optima.empty())
    {
        return;
    }
    std::printf("\nWith random loss of %.3g, Mbit/s:\n"
                "  model    one connection   best N   goodput  limited by\n",
                request.loss);
    for (const auto& [model, one, best] : optima)
    {
        const std::string n = model->isParallel ? std::to_string(best.parallelism) : "-";
        std::printf("  %-8.*s %14.2f %8s %9.2f  %s\n",
                    static_cast<int>(model->name.size()),
                    model->name.data(),
                    one.goodputBps / 1e6,
                    n.c_str(),
                    best.goodputBps / 1e6,
                    std::string(GetLimitName(best.limit)).c_str());
    }
    for (const auto& optimum : optima)
    {
        std::printf("  %s: %s\n",
                    std::string(optimum.model->name).c_str(),
                    std::string(optimum.model->source).c_str());
    }
}

/** @return exit status of --stack=classic */
int
RunFluid(const std::vector<Option>& table, const OptimumRequest& request)
{
    // The size of a segment, and that a window holds one, are the transfer's business; ask it.
    Scenario scenario = ParseTransfer({})->scenario;
    scenario.path.packetSize = request.packetSize;
    scenario.sessions.front().buffers.window = request.window;
    if (const auto resolved = ResolveScenario(scenario); !resolved)
    {
        return Refuse(PROGRAM, resolved.GetError());
    }
    const auto segment = static_cast<double>(GetSegmentBytes(scenario));
    const FluidPath path = MakePath(request, segment);
    const FluidModel model(path);
    const auto optima = FindLossOptima(path, request);
    const FluidPoint best = model.Optimum(static_cast<uint32_t>(request.maxParallelism));
    uint32_t most = best.parallelism;
    for (const auto& optimum : optima)
    {
        most = std::max(most, optimum.best.parallelism);
    }
    const auto curve = MakeCurve(model, request, most);
    const auto lossCurves = MakeLossCurves(path, request, optima, curve.size());
    if (!request.csv.empty() && !WriteCsv(request.csv, curve, lossCurves))
    {
        return Refuse(
            PROGRAM,
            {Printable("--csv=" + request.csv) + " cannot be written; allowed: a writable file"});
    }
    if (request.json)
    {
        std::cout << ToJson(table, request, best, curve, optima, lossCurves) << std::endl;
    }
    else
    {
        PrintText(model, request, best);
        PrintLossOptima(request, optima);
    }
    return 0;
}

} // namespace

int
main(int argc, char* argv[])
{
    const auto arguments = GetArguments(argc, argv);
    const auto table = MakeOptimumTable();
    OptimumRequest request;
    ApplyDefaults(table, &request, &GetOptimumTarget);
    if (const auto done = ParseArguments(table, arguments, &request, &GetOptimumTarget); !done)
    {
        return Refuse(PROGRAM, done.GetError());
    }
    if (request.help)
    {
        std::cout << "usage: gridftp-optimum [--name=VALUE ...]\n\n"
                     "Finds the best number of parallel TCP connections for a path: by simulation "
                     "of hosts with "
                     "Linux 6.18,\nor by the fluid model with --stack=classic.\n\n"
                  << OptionsHelp(table);
        return 0;
    }
    if (request.stack == TcpStack::LINUX)
    {
        return RunSimulated(PROGRAM, arguments, request);
    }
    if (const auto done = CheckFluidArguments(arguments); !done)
    {
        return Refuse(PROGRAM, done.GetError());
    }
    return RunFluid(MakeFluidTable(), request);
}
