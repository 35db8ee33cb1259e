/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-control-script.h"

#include <string>

namespace ns3::gridftp
{

bool
IsTimedVerb(Verb verb)
{
    switch (verb)
    {
    case Verb::USER:
    case Verb::PASS:
    case Verb::SITE:
    case Verb::FEAT:
    case Verb::TYPE:
    case Verb::MODE:
    case Verb::SIZE:
    case Verb::OPTS:
    case Verb::PBSZ:
    case Verb::SBUF:
        return true;
    default:
        return false;
    }
}

std::vector<Command>
LoginCommands(Direction direction, uint64_t windowBytes)
{
    const bool upload = direction == Direction::UPLOAD;
    const SiteCommand buffer{.verb = upload ? SiteVerb::STORBUFSIZE : SiteVerb::RETRBUFSIZE,
                             .size = windowBytes,
                             .text = ""};
    const SiteCommand info{.verb = SiteVerb::CLIENTINFO,
                           .size = 0,
                           .text = "appname=ns-3-gridftp;scheme=gsiftp;"};
    std::vector<Command> commands{
        {Verb::USER, "anonymous"},
        {Verb::PASS, "client@gridftp"},
        {Verb::SITE, FormatSite({.verb = SiteVerb::HELP, .size = 0, .text = ""})},
        {Verb::FEAT, ""},
        {Verb::SITE, FormatSite(info)},
        {Verb::TYPE, "I"},
        {Verb::MODE, "E"},
    };
    if (!upload)
    {
        commands.push_back({Verb::SIZE, std::string(FILE_PATH)});
    }
    commands.push_back({Verb::SITE, FormatSite(buffer)});
    return commands;
}

std::vector<Command>
ChunkCommands(const ChunkOrder& order)
{
    std::vector<Command> commands;
    const std::string path(FILE_PATH);
    if (order.direction == Direction::UPLOAD)
    {
        if (order.newAddress)
        {
            commands.push_back({Verb::PASV, ""});
        }
        commands.push_back({Verb::ALLO, std::to_string(order.bytes)});
        commands.push_back({Verb::ESTO, FormatAdjustedStore({order.offset, path})});
        return commands;
    }
    const uint32_t n = order.parallelism;
    commands.push_back({Verb::OPTS, FormatParallelismOption({n, n, n})});
    if (order.newAddress)
    {
        commands.push_back({Verb::PORT, FormatHostPort(order.listener)});
    }
    commands.push_back({Verb::ERET, FormatPartialRetrieve({order.offset, order.bytes, path})});
    return commands;
}

} // namespace ns3::gridftp
