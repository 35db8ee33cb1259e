/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * The engine as the page calls it: plain C functions over one LabSimulation.
 *
 * Numbers go in and out as doubles, times in seconds. What a function makes stays where it is until
 * the next call, for the page to read without a copy: rows of numbers at lab_rows(), texts at
 * lab_text(). A function that makes rows returns how many numbers they have together.
 */

#include "gridftp-batch.h"
#include "gridftp-json-writer.h"
#include "gridftp-option-table.h"
#include "gridftp-scenario-json.h"
#include "gridftp-segment-traces.h"
#include "lab-outside-tuner.h"
#include "lab-simulation.h"
#include "lab-trace-text.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#if defined(__wasm__)
#define LAB_EXPORT(name) extern "C" __attribute__((export_name(#name), used))
#else
#define LAB_EXPORT(name) extern "C" __attribute__((visibility("default"), used))
#endif

using namespace ns3::gridftp;

// Made by lab/wasm.py
extern const char* const g_labVersion; //!< of this project
extern const char* const g_labCommit;  //!< of its source tree

namespace
{

/** What the page has loaded, and what it was last given. */
struct Lab
{
    std::string text;                          //!< from and for the page
    std::vector<double> rows;                  //!< for the page
    std::vector<float> windows;                //!< for the page
    std::unique_ptr<LabSimulation> simulation; //!< what is loaded
    std::unique_ptr<SegmentSimulator> apart;   //!< what is simulated apart from that
    std::unique_ptr<TraceText> traces;         //!< what is recorded of it
    std::unique_ptr<SegmentTraces> tracer;     //!< what records it
    Scenario scenario;                         //!< the last one read
    bool isAnswered{false};                    //!< the next one apart has a tuner in the page
};

Lab&
GetLab()
{
    static Lab lab;
    return lab;
}

/** @return a time of the page in ns; those that no simulation reaches as one of them */
int64_t
ToNanoseconds(double seconds)
{
    constexpr double LONGEST_S = 4e9;
    return std::llround(std::clamp(seconds, 0.0, LONGEST_S) * 1e9);
}

uint32_t
Give(std::vector<double> rows)
{
    GetLab().rows = std::move(rows);
    return static_cast<uint32_t>(GetLab().rows.size());
}

bool
Say(bool answer, std::string text)
{
    GetLab().text = std::move(text);
    return answer;
}

/** Reads the scenario that lab_text() holds. @return whether it is one; else the text says why */
bool
ReadScenario()
{
    auto scenario = ParseScenarioJson(GetLab().text);
    if (!scenario)
    {
        return Say(false, scenario.GetError().message);
    }
    if (scenario->measure.engine != Engine::SEGMENT)
    {
        return Say(false, "--engine=ns3: not in a browser; allowed: segment");
    }
    GetLab().scenario = *std::move(scenario);
    return true;
}

/** Makes a text of a result. @param scenario simulated @param simulator of it */
void
SayResult(const Scenario& scenario, const SegmentSimulator& simulator)
{
    const Provenance provenance{.version = g_labVersion,
                                .commit = g_labCommit,
                                .ns3Version = "",
                                .buildProfile = "release",
                                .compiler = __VERSION__,
                                .command = ""};
    GetLab().text = ResultToJson(scenario, simulator.GetResult(), provenance);
}

} // namespace

/** @param bytes of a text that the page is about to write @return where to */
LAB_EXPORT(lab_input)

char*
lab_input(uint32_t bytes)
{
    GetLab().text.assign(bytes, ' ');
    return GetLab().text.data();
}

/** @return the last text made */
LAB_EXPORT(lab_text)

const char*
lab_text()
{
    return GetLab().text.data();
}

/** @return its length in bytes */
LAB_EXPORT(lab_text_size)

uint32_t
lab_text_size()
{
    return static_cast<uint32_t>(GetLab().text.size());
}

/** @return the last rows made */
LAB_EXPORT(lab_rows)

const double*
lab_rows()
{
    return GetLab().rows.data();
}

/** Makes a text: the option table as `./gridftp run --describe` prints it. */
LAB_EXPORT(lab_describe)

void
lab_describe()
{
    GetLab().text = DescribeTransfer();
}

/** Makes a text: which sources the engine is made of, as JSON. */
LAB_EXPORT(lab_about)

void
lab_about()
{
    JsonWriter json;
    json.BeginObject().Key("version").String(g_labVersion).Key("commit").String(g_labCommit);
    GetLab().text = json.EndObject().GetText();
}

/**
 * Loads the scenario that was written to lab_input(), a line of a batch.
 * @param kind what the charts show: 0 the whole run, 1 the latest part, 2 a span
 * @param begin of the span, s
 * @param length of the span or the latest part, s
 * @param bins in which the charts show it
 * @return 1, and the text is the resolved scenario; or 0, and the text says what is wrong, and what
 *         was loaded before stays
 */
LAB_EXPORT(lab_load)

int32_t
lab_load(int32_t kind, double begin, double length, uint32_t bins)
{
    Lab& lab = GetLab();
    if (!ReadScenario())
    {
        return 0;
    }
    const auto axis = kind == 1 ? AxisKind::LAST : kind == 2 ? AxisKind::SPAN : AxisKind::WHOLE;
    lab.simulation = std::make_unique<LabSimulation>(
        lab.scenario,
        TimeAxis(axis, ToNanoseconds(begin), ToNanoseconds(length), bins + bins % 2));
    lab.text = ScenarioToJson(lab.scenario);
    return 1;
}

/** @param watched whether packets are kept from now on */
LAB_EXPORT(lab_watch)

void
lab_watch(int32_t watched)
{
    GetLab().simulation->SetWatched(watched != 0);
}

/** Simulates. @param until s @return whether all sessions have ended */
LAB_EXPORT(lab_advance)

int32_t
lab_advance(double until)
{
    return GetLab().simulation->Advance(ToNanoseconds(until)) ? 1 : 0;
}

/** @return LabSimulation::GetPassage(), s */
LAB_EXPORT(lab_passage)

double
lab_passage()
{
    return GetLab().simulation->GetPassage();
}

/** Makes the row of LabSimulation::MakeState(). @return numbers */
LAB_EXPORT(lab_state)

uint32_t
lab_state()
{
    return Give(GetLab().simulation->MakeState());
}

/** Makes the rows of LabSimulation::MakeSessions(). @return numbers */
LAB_EXPORT(lab_sessions)

uint32_t
lab_sessions()
{
    return Give(GetLab().simulation->MakeSessions());
}

/** Makes the rows of LabSimulation::MakeBackground(). @return numbers */
LAB_EXPORT(lab_background)

uint32_t
lab_background()
{
    return Give(GetLab().simulation->MakeBackground());
}

/** Makes the rows of LabSimulation::MakeChunks(). @param session index @param from first chunk
 * @return numbers */
LAB_EXPORT(lab_chunks)

uint32_t
lab_chunks(uint32_t session, uint32_t from)
{
    return Give(GetLab().simulation->MakeChunks(session, from));
}

/** Makes the rows of LabSimulation::MakeRestarts(). @param session index @return numbers */
LAB_EXPORT(lab_restarts)

uint32_t
lab_restarts(uint32_t session)
{
    return Give(GetLab().simulation->MakeRestarts(session));
}

/** Makes the rows of LabSimulation::MakeConnections(). @return numbers */
LAB_EXPORT(lab_connections)

uint32_t
lab_connections()
{
    return Give(GetLab().simulation->MakeConnections());
}

/** Makes the rows of LabSimulation::MakePackets(). @return numbers */
LAB_EXPORT(lab_packets)

uint32_t
lab_packets()
{
    return Give(GetLab().simulation->MakePackets());
}

/** Makes the rows of LabSimulation::MakeDrops(). @return numbers */
LAB_EXPORT(lab_drops)

uint32_t
lab_drops()
{
    return Give(GetLab().simulation->MakeDrops());
}

/** Makes the row of LabSimulation::MakeAxis(). @return numbers */
LAB_EXPORT(lab_axis)

uint32_t
lab_axis()
{
    return Give(GetLab().simulation->MakeAxis());
}

/** @return 1 where windows of the loaded scenario's receivers move, else 0 */
LAB_EXPORT(lab_windows_move)

int32_t
lab_windows_move()
{
    return GetLab().simulation->DoWindowsMove() ? 1 : 0;
}

/** @return payload of a full segment of the loaded scenario (MSS), bytes */
LAB_EXPORT(lab_segment_bytes)

double
lab_segment_bytes()
{
    return GetLab().simulation->GetSegmentBytes();
}

/** Makes the rows of LabSimulation::MakeQueue(). @return numbers */
LAB_EXPORT(lab_queue)

uint32_t
lab_queue()
{
    return Give(GetLab().simulation->MakeQueue());
}

/** Makes the row of LabSimulation::MakeIdleRtts(). @return numbers */
LAB_EXPORT(lab_idle_rtts)

uint32_t
lab_idle_rtts()
{
    return Give(GetLab().simulation->MakeIdleRtts());
}

/** Makes the rows of LabSimulation::MakeRtts(). @return numbers */
LAB_EXPORT(lab_rtts)

uint32_t
lab_rtts()
{
    return Give(GetLab().simulation->MakeRtts());
}

/** Makes the rows of LabSimulation::MakeFlows(). @return numbers */
LAB_EXPORT(lab_flows)

uint32_t
lab_flows()
{
    return Give(GetLab().simulation->MakeFlows());
}

/** Makes the rows of LabSimulation::MakeWindowList(). @return numbers */
LAB_EXPORT(lab_window_list)

uint32_t
lab_window_list()
{
    return Give(GetLab().simulation->MakeWindowList());
}

/**
 * Makes the rows of LabSimulation::MakeWindows(), single precision.
 * @param session index, of lab_window_list()
 * @param connection index
 * @return where they are, as many as the axis has bins
 */
LAB_EXPORT(lab_windows)

const float*
lab_windows(uint32_t session, uint32_t connection)
{
    Lab& lab = GetLab();
    lab.windows = lab.simulation->MakeWindows(session, connection);
    return lab.windows.data();
}

/** Makes the row of LabSimulation::MakeModel(). @param largest N @return numbers */
LAB_EXPORT(lab_model)

uint32_t
lab_model(uint32_t largest)
{
    return Give(GetLab().simulation->MakeModel(largest));
}

/** Makes a text: the result so far, as `./gridftp run --json` prints it. */
LAB_EXPORT(lab_result)

void
lab_result()
{
    const auto& simulation = *GetLab().simulation;
    SayResult(simulation.GetScenario(), simulation.GetSimulator());
}

/**
 * The next transfer of lab_apart() has a tuner in the page, mode external. That has answered the
 * text in lab_input() so far, a line for each question.
 */
LAB_EXPORT(lab_answers)

void
lab_answers()
{
    SetOutsideAnswers(GetLab().text);
    GetLab().isAnswered = true;
}

/** Makes a text: what it was asked without having an answer, for which the transfer has failed;
 * empty where there was no such question. */
LAB_EXPORT(lab_question)

void
lab_question()
{
    GetLab().text = GetOutsideQuestion();
}

/**
 * Begins to simulate the scenario that was written to lab_input(), apart from the one that is
 * loaded and faster, since nothing of it is shown.
 * @param traced whether its traces are recorded as text: 0 none, 1 all but buffers, 2 all
 * @param begin first time that is recorded, s
 * @param end last time that is recorded, s
 * @return 1, or 0, and the text says what is wrong
 */
LAB_EXPORT(lab_apart)

int32_t
lab_apart(int32_t traced, double begin, double end)
{
    Lab& lab = GetLab();
    const auto start = std::exchange(lab.isAnswered, false) ? GetOutsideTunerStarter() : nullptr;
    if (!ReadScenario())
    {
        return 0;
    }
    lab.apart = std::make_unique<SegmentSimulator>(lab.scenario, start);
    lab.traces = std::make_unique<TraceText>(ToNanoseconds(begin), ToNanoseconds(end));
    lab.tracer.reset();
    if (traced)
    {
        lab.tracer = std::make_unique<SegmentTraces>(*lab.traces, traced > 1);
        lab.apart->SetObserver(*lab.tracer);
    }
    return 1;
}

/** Goes on with it. @param until s @return 0 while it goes on, 1 at the end, 2 where the traces are
 * too long */
LAB_EXPORT(lab_apart_advance)

int32_t
lab_apart_advance(double until)
{
    Lab& lab = GetLab();
    const bool ended = lab.apart->Advance(ToNanoseconds(until));
    if (ended && lab.tracer)
    {
        lab.tracer->End(lab.apart->GetNow());
    }
    return lab.traces->IsFull() ? 2 : ended ? 1 : 0;
}

/** Makes a text: its result so far, as `./gridftp run --json` prints it. */
LAB_EXPORT(lab_apart_result)

void
lab_apart_result()
{
    SayResult(GetLab().scenario, *GetLab().apart);
}

/** Makes a text: what was recorded. @param file which one, a Trace */
LAB_EXPORT(lab_apart_trace)

void
lab_apart_trace(int32_t file)
{
    GetLab().text = GetLab().traces->Get(static_cast<Trace>(file));
}
