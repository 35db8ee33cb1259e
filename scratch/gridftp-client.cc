/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * How fast does a file go to or from a real GridFTP server, and how many connections does a tuner
 * choose?
 *
 * In: get, put or copy, and URLs; the tuner and its parameters as for gridftp-transfer. Out: the
 * file; a line for each chunk, or JSON. It is the client of the simulations (TransferClient) on TCP
 * of Linux, anonymous and without GSI. Exit status: 0; 1 if the file is not moved; 2 if the command
 * line, a local file or the journal is wrong; 130 after Ctrl-C.
 */

#include "gridftp-client-request.h"
#include "gridftp-json-writer.h"
#include "gridftp-program.h"
#include "gridftp-stop-signals.h"

#include <csignal>
#include <cstdio>
#include <iostream>
#include <optional>
#include <string>
#include <unistd.h>

using namespace ns3::gridftp;

namespace
{

constexpr std::string_view PROGRAM = "gridftp-client";
constexpr Nanoseconds SECOND = 1'000'000'000;
constexpr int EXIT_INTERRUPTED = 130;

/** @param bytes that were moved @param time ns @return "12.3 Mbit/s" */
std::string
FormatRate(uint64_t bytes, Nanoseconds time)
{
    char text[32];
    const double mbps = time > 0 ? 8e3 * static_cast<double>(bytes) / static_cast<double>(time) : 0;
    std::snprintf(text, sizeof(text), "%.1f Mbit/s", mbps);
    return text;
}

/** Prints progress twice a second, on a terminal. */
class ProgressLine final : private EventTarget
{
  public:
    /** @param loop of the process @param client that moves the file @param style of the progress */
    ProgressLine(PosixLoop& loop, const EndpointClient& client, Progress style)
        : m_loop(loop),
          m_client(client),
          m_isJson(style == Progress::JSON)
    {
        if (m_isJson || (style == Progress::AUTO && isatty(STDERR_FILENO) == 1))
        {
            m_loop.Schedule(m_loop.GetNow() + INTERVAL, *this, 0, this);
        }
    }

    ~ProgressLine() override
    {
        m_loop.Drop(this);
        Clear();
    }

    /** Clears the line, so that another one can be printed. */
    void Clear()
    {
        if (std::exchange(m_isPrinted, false))
        {
            std::fputs("\r\033[K", stderr);
        }
    }

  private:
    static constexpr Nanoseconds INTERVAL = SECOND / 2;

    // EventTarget
    void HandleEvent(Nanoseconds now, uint32_t /* id */) override
    {
        const EndpointProgress progress = m_client.GetProgress();
        m_isJson ? PrintJson(now, progress) : PrintLine(now, progress);
        m_loop.Schedule(now + INTERVAL, *this, 0, this);
    }

    /** @param now current time @param progress of the client */
    static void PrintJson(Nanoseconds now, const EndpointProgress& progress)
    {
        JsonWriter json;
        json.BeginObject().Key("progress").BeginObject();
        json.Key("elapsed_s").Number(static_cast<double>(now) / SECOND);
        json.Key("moved_bytes").Integer(static_cast<int64_t>(progress.movedBytes));
        json.Key("parallelism").Integer(progress.parallelism);
        json.EndObject().EndObject();
        std::cerr << json.GetText() << std::endl;
    }

    /** @param now current time @param progress of the client */
    void PrintLine(Nanoseconds now, const EndpointProgress& progress)
    {
        const double percent = progress.bytes.value_or(0) > 0
                                   ? 100.0 * static_cast<double>(progress.movedBytes) /
                                         static_cast<double>(*progress.bytes)
                                   : 0;
        std::fprintf(stderr,
                     "\r\033[K%5.1f %%  %llu MB  %s  N = %u",
                     percent,
                     static_cast<unsigned long long>(progress.movedBytes / 1'000'000),
                     FormatRate(progress.movedBytes, now).c_str(),
                     progress.parallelism);
        m_isPrinted = true;
    }

    PosixLoop& m_loop;              //!< of the process
    const EndpointClient& m_client; //!< moves the file
    bool m_isJson;                  //!< JSON lines
    bool m_isPrinted{false};        //!< a line is on the terminal
};

/** @param record of a chunk @return a line about it */
std::string
FormatChunk(const ChunkRecord& record)
{
    char text[128];
    std::snprintf(text,
                  sizeof(text),
                  "chunk %u: %llu bytes, N = %u, R = %.3f ms, G = ",
                  record.index,
                  static_cast<unsigned long long>(record.bytes),
                  record.parallelism,
                  record.rttS * 1e3);
    return text + FormatRate(record.bytes, record.endNs - record.startNs) +
           ", next N = " + std::to_string(record.nextParallelism);
}

/** @param client that is done or has failed @return the checksum that both files have; none: it
 * has compared none */
std::optional<ChecksumResult>
GetChecksum(const EndpointClient& client)
{
    const auto& sessions = client.GetClient().GetSessions();
    return sessions.empty() ? std::nullopt : sessions.back()->GetChecksum();
}

/** @param client that is done or has failed @return its result, JSON */
std::string
FormatResult(const EndpointClient& client)
{
    JsonWriter json;
    const std::string failure = client.GetFailure();
    json.BeginObject().Key("status").String(failure.empty() ? "done" : "failed");
    json.Key("reason");
    failure.empty() ? json.Null() : json.String(failure);
    json.Key("attempts").Integer(static_cast<int64_t>(client.GetClient().GetRestarts().size() + 1));
    json.Key("chunks").BeginArray();
    for (const ChunkRecord& chunk : client.GetClient().GetChunks())
    {
        WriteChunk(json, chunk);
    }
    json.EndArray();
    if (const auto checksum = GetChecksum(client))
    {
        json.Key("checksum").String(checksum->value);
    }
    json.EndObject();
    return json.GetText();
}

/** Prints the result: JSON, or one line. @param request of the user @param client that is done or
 * has failed */
void
PrintResult(const ClientRequest& request, const EndpointClient& client)
{
    if (request.json)
    {
        std::cout << FormatResult(client) << std::endl;
        return;
    }
    const auto& chunks = client.GetClient().GetChunks();
    if (!client.GetFailure().empty() || chunks.empty())
    {
        return;
    }
    uint64_t bytes = 0;
    for (const auto& chunk : chunks)
    {
        bytes += chunk.bytes;
    }
    const Nanoseconds time = chunks.back().endNs - chunks.front().startNs;
    std::cout << bytes << " bytes in " << static_cast<double>(time) / SECOND << " s, "
              << FormatRate(bytes, time) << ", last N = " << chunks.back().parallelism << std::endl;
    if (const auto checksum = GetChecksum(client))
    {
        std::cout << "checksum adler32 " << checksum->value << " at both hosts" << std::endl;
    }
}

/** Moves the file. @param request of the user @param settings of the client @return exit status */
int
Run(const ClientRequest& request, EndpointClientSettings settings)
{
    PosixLoop loop;
    ProgressLine* line = nullptr;
    settings.chunkHandler = [&](const ChunkRecord& record) {
        if (!request.json)
        {
            line ? line->Clear() : void();
            std::cout << FormatChunk(record) << std::endl;
        }
    };
    settings.restartHandler = [&](const RestartResult& restart) {
        line ? line->Clear() : void();
        std::cerr << PROGRAM << ": " << restart.reason << "; next attempt in "
                  << static_cast<double>(restart.waitNs) / SECOND << " s" << std::endl;
    };
    EndpointClient client(loop, settings);
    StopSignals signals(loop, [&client](Nanoseconds /* now */) { client.Stop(); });
    if (const auto started = client.Start(); !started)
    {
        return Refuse(PROGRAM, started.GetError());
    }
    {
        ProgressLine progress(loop, client, request.progress);
        line = &progress;
        loop.Run();
        line = nullptr;
    }
    PrintResult(request, client);
    if (signals.GetSignal() != 0)
    {
        return EXIT_INTERRUPTED;
    }
    if (!client.GetFailure().empty())
    {
        std::cerr << PROGRAM << ": " << client.GetFailure() << std::endl;
        return 1;
    }
    return 0;
}

/** @ingroup gridftp @param request a ClientRequest @return the same: all rows are bound to it */
void*
GetClientTarget(void* request, OptionScope /* scope */)
{
    return request;
}

} // namespace

int
main(int argc, char* argv[])
{
    signal(SIGPIPE, SIG_IGN);
    const auto borrowed = ListClientOptions();
    const auto parts = SplitArguments(GetArguments(argc, argv), borrowed);
    const auto table = MakeClientRows();
    ClientRequest request;
    ApplyDefaults(table, &request, &GetClientTarget);
    if (const auto done = ParseArguments(table, parts.own, &request, &GetClientTarget); !done)
    {
        return Refuse(PROGRAM, done.GetError());
    }
    if (request.help)
    {
        std::cout << "usage: gridftp-client get URL [FILE] [--name=VALUE ...]\n"
                     "       gridftp-client put FILE URL [--name=VALUE ...]\n"
                     "       gridftp-client copy URL URL [--name=VALUE ...]\n\n"
                     "Moves a file from or to a GridFTP server, ftp://HOST[:PORT]/PATH, in chunks "
                     "over N\nparallel TCP connections (MODE E), or from one server to another "
                     "one. A tuner chooses N.\nFor tests, teaching and measurements: anonymous "
                     "FTP over IPv4, without GSI; it does not\nreplace globus-url-copy.\n\n"
                  << DescribeOptions(JoinEndpointRows(table, borrowed));
        return 0;
    }
    const auto scenario = ParseBorrowed(parts.transfer);
    if (!scenario)
    {
        return Refuse(PROGRAM, scenario.GetError());
    }
    EndpointClientSettings settings;
    settings.journal = request.journal;
    if (const auto done = SetPlaces(parts.words, settings); !done)
    {
        return Refuse(PROGRAM, done.GetError());
    }
    SetManner(parts.transfer, *scenario, settings);
    return Run(request, settings);
}
