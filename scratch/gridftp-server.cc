/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * How does a real GridFTP client behave?
 *
 * In: a folder. Serves its files to GridFTP clients, anonymously, until Ctrl-C. It is the server of
 * the simulations (ServerSession) on TCP of Linux. Exit status: 0 after Ctrl-C; 1 if the system
 * refuses the port; 2 if the command line or the folder is wrong.
 */

#include "gridftp-endpoint-options.h"
#include "gridftp-endpoint-server.h"
#include "gridftp-ftp-url.h"
#include "gridftp-program.h"
#include "gridftp-stop-signals.h"

#include <array>
#include <csignal>
#include <iostream>
#include <span>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <vector>

using namespace ns3::gridftp;

namespace
{

constexpr std::string_view PROGRAM = "gridftp-server";

/** What the command line asks for. */
struct ServerRequest
{
    std::string address;      //!< on which it listens
    int64_t port{};           //!< of control connections
    bool isWritable{false};   //!< clients may store files
    bool isThirdParty{false}; //!< data connections may go to other hosts than the client
    int64_t mostSessions{};   //!< control connections at a time
    int64_t mostBytes{};      //!< size of a file that is stored; 0: no limit
    bool isQuiet{false};      //!< no log
    bool help{false};         //!< print the help
};

/** @param row without a range @param minimum least value @param maximum largest value @param text
 * default @return the row of a number */
Option
WithRange(Option row, int64_t minimum, int64_t maximum, std::string_view text)
{
    row.minimum = minimum;
    row.maximum = maximum;
    row.defaultText = text;
    return row;
}

/** @return options of the program itself */
std::vector<Option>
MakeServerRows()
{
    constexpr int64_t MOST_PORT = 65535;
    constexpr int64_t MOST_SESSIONS = 100'000;
    Option address = MakeEndpointRow("address",
                                     OptionKind::NAME,
                                     "A.B.C.D",
                                     "IPv4 address on which it listens; 0.0.0.0: all of the host",
                                     BindMember<&ServerRequest::address>());
    address.defaultText = "127.0.0.1";
    Option port = MakeEndpointRow("port",
                                  OptionKind::WHOLE,
                                  "NUMBER",
                                  "TCP port of control connections; 0: any free one",
                                  BindMember<&ServerRequest::port>());
    Option sessions = MakeEndpointRow("max-clients",
                                      OptionKind::WHOLE,
                                      "NUMBER",
                                      "most clients at a time",
                                      BindMember<&ServerRequest::mostSessions>());
    Option bytes = GetOption("file-size");
    bytes.name = bytes.key = "max-file-size";
    bytes.scope = OptionScope::OUTPUT;
    bytes.help = "largest file that clients may store; 0: no limit";
    bytes.binding = BindMember<&ServerRequest::mostBytes>();
    bytes.minimum = int64_t{0};
    bytes.defaultText = "0B";
    bytes.engines = "";
    Option help = GetOption("help");
    help.binding = BindMember<&ServerRequest::help>();
    return {address,
            WithRange(port, 0, MOST_PORT, "2811"),
            MakeEndpointRow("writable",
                            OptionKind::FLAG,
                            "",
                            "clients may store files; without it they may only read",
                            BindMember<&ServerRequest::isWritable>()),
            MakeEndpointRow("third-party",
                            OptionKind::FLAG,
                            "",
                            "data connections may go to other hosts than the client's (copy)",
                            BindMember<&ServerRequest::isThirdParty>()),
            WithRange(sessions, 1, MOST_SESSIONS, "256"),
            bytes,
            MakeEndpointRow("quiet",
                            OptionKind::FLAG,
                            "",
                            "do not log clients on standard error",
                            BindMember<&ServerRequest::isQuiet>()),
            help};
}

constexpr std::array<std::string_view, 5> BORROWED{"block-size",
                                                   "layout",
                                                   "tcp",
                                                   "window",
                                                   "stall-timeout"};

/** @param arguments options of gridftp-transfer @param spec of them @return settings of sessions */
ServerSettings
MakeSessionSettings(std::span<const std::string_view> arguments, const SessionSpec& spec)
{
    constexpr Nanoseconds MARKER_INTERVAL = 5'000'000'000; // as the server of GCT 6.2
    return {.data = {.tcp = IsOptionGiven(arguments, "tcp") ? spec.tcp : "",
                     .buffers = IsOptionGiven(arguments, "window") ? spec.buffers : BufferSpec(),
                     .markerInterval = MARKER_INTERVAL,
                     .recordsRanges = true,
                     .stallTimeout = spec.stallTimeout},
            .layout = spec.layout,
            .blockBytes = static_cast<uint64_t>(spec.blockSize)};
}

/** Allows as many open files as the system grants: each connection is one. */
void
RaiseFileLimit()
{
    rlimit files{};
    if (getrlimit(RLIMIT_NOFILE, &files) == 0)
    {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
}

/** Serves. @param folder that is offered @param settings of the server @param address as given
 * @return exit status */
int
Serve(const ServedFolder& folder,
      const EndpointServerSettings& settings,
      const std::string& address)
{
    RaiseFileLimit();
    PosixLoop loop;
    EndpointServer server(loop, folder, settings);
    StopSignals signals(loop, [&](Nanoseconds /* now */) {
        server.Stop();
        loop.Stop();
    });
    const auto port = server.Listen();
    if (!port)
    {
        std::cerr << PROGRAM << ": " << port.GetError().message << std::endl;
        return 1;
    }
    std::cout << "ftp://" << address << ":" << *port << "/" << std::endl;
    loop.Run();
    return 0;
}

/** @param request a ServerRequest @return the same: all rows are bound to it */
void*
GetServerTarget(void* request, OptionScope /* scope */)
{
    return request;
}

} // namespace

int
main(int argc, char* argv[])
{
    signal(SIGPIPE, SIG_IGN);
    const auto parts = SplitArguments(GetArguments(argc, argv), BORROWED);
    const auto table = MakeServerRows();
    ServerRequest request;
    ApplyDefaults(table, &request, &GetServerTarget);
    if (const auto done = ParseArguments(table, parts.own, &request, &GetServerTarget); !done)
    {
        return Refuse(PROGRAM, done.GetError());
    }
    if (request.help)
    {
        std::cout << "usage: gridftp-server FOLDER [--name=VALUE ...]\n\n"
                     "Serves the files of FOLDER to GridFTP clients until Ctrl-C, and prints its "
                     "URL. Nothing\noutside of FOLDER is read or written. For tests, teaching and "
                     "measurements: anonymous FTP\nover IPv4 and MODE E, without GSI; it does not "
                     "replace globus-gridftp-server.\n\n"
                  << DescribeOptions(JoinEndpointRows(table, BORROWED));
        return 0;
    }
    if (parts.words.size() != 1)
    {
        return Refuse(PROGRAM,
                      {std::to_string(parts.words.size()) + " folders; allowed: one, FOLDER"});
    }
    const auto scenario = ParseBorrowed(parts.transfer);
    const auto address = ResolveHost(request.address, 0);
    const auto folder = ServedFolder::Open(
        std::string(parts.words.front()),
        {.isWritable = request.isWritable, .most = static_cast<uint64_t>(request.mostBytes)});
    if (!scenario || !address || !folder)
    {
        return Refuse(PROGRAM,
                      !scenario  ? scenario.GetError()
                      : !address ? address.GetError()
                                 : folder.GetError());
    }
    EndpointServerSettings settings{
        .address = address->address,
        .port = static_cast<uint16_t>(request.port),
        .mostSessions = static_cast<size_t>(request.mostSessions),
        .allowsOtherHosts = request.isThirdParty,
        .session = MakeSessionSettings(parts.transfer, scenario->sessions.front())};
    if (!request.isQuiet)
    {
        settings.log = [](const std::string& line) { std::cerr << line << std::endl; };
    }
    return Serve(*folder, settings, request.address);
}
