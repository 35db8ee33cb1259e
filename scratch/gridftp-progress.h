/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_PROGRESS_H
#define GRIDFTP_PROGRESS_H

#include "gridftp-json-writer.h"
#include "gridftp-option-table.h"
#include "gridftp-progress-report.h"

#include <chrono>
#include <cstdio>
#include <functional>
#include <iostream>
#include <unistd.h>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Prints how far a run has got, at most twice a second, on standard error.
 */
class ProgressPrinter
{
  public:
    /** @param style a line on a terminal, JSON lines, or nothing */
    explicit ProgressPrinter(Progress style)
        : m_json(style == Progress::JSON),
          m_wanted(m_json || (style == Progress::AUTO && isatty(STDERR_FILENO) == 1))
    {
    }

    /** @return what prints reports; empty where nobody reads them */
    std::function<void(const ProgressReport&)> GetReceiver()
    {
        if (!m_wanted)
        {
            return {};
        }
        return [this](const ProgressReport& report) { Print(report); };
    }

    /** Clears the line. */
    void Finish()
    {
        if (m_printed)
        {
            std::fputs("\r\033[K", stderr);
        }
    }

  private:
    using Clock = std::chrono::steady_clock;

    /** Prints a report when it is time to. @param report how far the run has got */
    void Print(const ProgressReport& report)
    {
        const auto now = Clock::now();
        if (now - m_last < std::chrono::milliseconds(500))
        {
            return;
        }
        m_last = now;
        if (m_json)
        {
            PrintJson(report);
        }
        else
        {
            PrintLine(report, std::chrono::duration<double>(now - m_begin).count());
        }
    }

    /** Prints a JSON line. @param report how far the run has got */
    static void PrintJson(const ProgressReport& report)
    {
        JsonWriter json;
        json.BeginObject().Key("progress").BeginObject();
        json.Key("sim_s").Number(report.simS);
        json.Key("chunk").Integer(static_cast<int64_t>(report.chunk));
        json.Key("chunks").Integer(static_cast<int64_t>(report.chunks));
        json.Key("parallelism").Integer(report.parallelism);
        json.Key("fraction").Number(report.fraction);
        json.EndObject().EndObject();
        std::cerr << json.GetText() << std::endl;
    }

    /** Rewrites the line. @param report how far @param wallS since the beginning, s */
    void PrintLine(const ProgressReport& report, double wallS)
    {
        m_printed = true;
        const double left =
            report.fraction > 0 ? wallS * (1 - report.fraction) / report.fraction : 0;
        std::fprintf(stderr,
                     "\r\033[K%5.1f %%  t = %.1f s  chunk %llu of %llu  N = %u  about %.0f s left",
                     100 * report.fraction,
                     report.simS,
                     static_cast<unsigned long long>(report.chunk),
                     static_cast<unsigned long long>(report.chunks),
                     report.parallelism,
                     left);
    }

    bool m_json;                             //!< JSON lines
    bool m_wanted;                           //!< anybody reads it
    bool m_printed{false};                   //!< a line stands on the terminal
    Clock::time_point m_begin{Clock::now()}; //!< of the run
    Clock::time_point m_last{};              //!< of the last report
};

} // namespace ns3::gridftp

#endif // GRIDFTP_PROGRESS_H
