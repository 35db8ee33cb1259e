/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CLIENT_REQUEST_H
#define GRIDFTP_CLIENT_REQUEST_H

#include "gridftp-endpoint-client.h"
#include "gridftp-endpoint-options.h"
#include "gridftp-ftp-url.h"
#include "gridftp-program-process.h"
#include "gridftp-tuning-context.h"
#include "gridftp-tuning-mode.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * The command line of gridftp-client.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What the command line of gridftp-client asks for. */
struct ClientRequest
{
    std::string journal; //!< see EndpointClientSettings::journal
    Progress progress{}; //!< on standard error
    bool json{false};    //!< print the result as JSON
    bool help{false};    //!< print the help
};

/** @return options of the program itself */
inline std::vector<Option>
MakeClientRows()
{
    Option progress = GetOption("progress");
    progress.binding = BindMember<&ClientRequest::progress>();
    progress.help = "progress on standard error";
    Option json = GetOption("json");
    json.binding = BindMember<&ClientRequest::json>();
    json.help = "print chunks, N and goodput as JSON";
    Option help = GetOption("help");
    help.binding = BindMember<&ClientRequest::help>();
    return {
        MakeEndpointRow("journal",
                        OptionKind::NAME,
                        "FILE",
                        "record stored byte ranges in FILE; if FILE exists, continue that transfer",
                        BindMember<&ClientRequest::journal>()),
        progress,
        json,
        help};
}

/** @return names of the options of gridftp-transfer that the program accepts */
inline std::vector<std::string_view>
ListClientOptions()
{
    std::vector<std::string_view> names{"mode"};
    for (const auto& mode : GetTuningModes())
    {
        for (const auto* parameter : mode.parameters)
        {
            if (std::ranges::find(names, parameter->name) == names.end())
            {
                names.push_back(parameter->name);
            }
        }
    }
    for (const std::string_view name : {"chunk-parallelism",
                                        "external-timeout",
                                        "chunk-size",
                                        "block-size",
                                        "layout",
                                        "data-channels",
                                        "pipelining",
                                        "rtt-samples",
                                        "tcp",
                                        "window",
                                        "retries",
                                        "retry-wait",
                                        "retry-wait-most",
                                        "stall-timeout",
                                        "keepalive",
                                        "min-rate",
                                        "min-rate-period",
                                        "checksum"})
    {
        names.push_back(name);
    }
    return names;
}

/** @param text of a URL @return its server and its path, or what is wrong */
inline Expected<std::pair<HostPort, std::string>>
FindServer(std::string_view text)
{
    const auto url = ParseFtpUrl(text);
    if (!url)
    {
        return url.GetError();
    }
    const auto server = ResolveHost(url->host, url->port);
    if (!server)
    {
        return server.GetError();
    }
    return std::pair(*server, url->path);
}

/** @param path of a file at a server @return its last component */
inline std::string
GetFileName(const std::string& path)
{
    return path.substr(path.rfind('/') + 1);
}

/** Sets what is moved, where from and where to. @param words of the command line @param settings of
 * the client @return nothing, or what is wrong */
inline Done
SetPlaces(const std::vector<std::string_view>& words, EndpointClientSettings& settings)
{
    constexpr std::string_view ALLOWED = "; allowed: get URL [FILE], put FILE URL, copy URL URL";
    ClientSettings& session = settings.transfer.session;
    const std::string_view action = words.empty() ? "" : words.front();
    const bool isGet = action == "get" && (words.size() == 2 || words.size() == 3);
    const bool isPut = action == "put" && words.size() == 3;
    const bool isCopy = action == "copy" && words.size() == 3;
    if (!isGet && !isPut && !isCopy)
    {
        const bool isKnown = action == "get" || action == "put" || action == "copy";
        return Error{(isKnown ? std::string(action) + " with " + std::to_string(words.size() - 1) +
                                    " arguments"
                              : "no command " + Printable(action)) +
                     std::string(ALLOWED)};
    }
    const auto first = isPut ? FindServer(words[2]) : FindServer(words[1]);
    if (!first)
    {
        return first.GetError();
    }
    session.direction = isGet   ? Direction::DOWNLOAD
                        : isPut ? Direction::UPLOAD
                                : Direction::THIRD_PARTY;
    std::tie(session.server, session.path) = *first;
    if (isGet)
    {
        settings.localPath = words.size() == 3 ? std::string(words[2]) : GetFileName(session.path);
        return settings.localPath.empty()
                   ? Done(Error{"URL " + Printable(words[1]) + " names no file; allowed: a file"})
                   : Done(std::monostate{});
    }
    if (isPut)
    {
        settings.localPath = words[1];
        return std::monostate{};
    }
    const auto second = FindServer(words[2]);
    if (!second)
    {
        return second.GetError();
    }
    std::tie(session.sender, session.senderPath) = *first;
    std::tie(session.server, session.path) = *second;
    return std::monostate{};
}

/** Sets how it is moved. @param arguments options of gridftp-transfer @param scenario of them
 * @param settings of the client */
inline void
SetManner(std::span<const std::string_view> arguments,
          const Scenario& scenario,
          EndpointClientSettings& settings)
{
    const SessionSpec& spec = scenario.sessions.front();
    TransferClientSettings& transfer = settings.transfer;
    ClientSettings& session = transfer.session;
    session.data.tcp = IsOptionGiven(arguments, "tcp") ? spec.tcp : "";
    session.data.buffers = IsOptionGiven(arguments, "window") ? spec.buffers : BufferSpec();
    session.data.buffers.processing.checksum = spec.buffers.processing.checksum;
    session.data.stallTimeout = spec.stallTimeout;
    session.opensEarly = true;
    session.endsStored = true;
    session.channels = spec.dataChannels;
    session.layout = spec.layout;
    session.blockBytes = static_cast<uint64_t>(spec.blockSize);
    session.rttSamples = static_cast<size_t>(spec.rttSamples);
    session.pipelining = static_cast<size_t>(spec.pipelining);
    session.keepalive = spec.keepalive;
    session.minRateBps = spec.minRate;
    session.minRatePeriod = spec.minRatePeriod;
    transfer.chunkBytes = static_cast<uint64_t>(spec.chunkSize);
    transfer.segmentBytes = static_cast<uint32_t>(GetSegmentBytes(scenario));
    transfer.tunerWindow = spec.tunerWindow;
    transfer.retries = spec.retries;
    transfer.retryWait = spec.retryWait;
    transfer.retryWaitMost = spec.retryWaitMost;
    transfer.makePolicy = [scenario](int64_t pair) {
        TuningContext context = MakeTuningContext(scenario, 0, &StartExternalProgram);
        context.terms.pair = pair;
        const SessionSpec& one = scenario.sessions.front();
        return MakeTuningPolicy(one.mode, one.tuning, context);
    };
}

} // namespace ns3::gridftp

#endif // GRIDFTP_CLIENT_REQUEST_H
