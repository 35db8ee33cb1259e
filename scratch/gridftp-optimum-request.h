/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_OPTIMUM_REQUEST_H
#define GRIDFTP_OPTIMUM_REQUEST_H

#include "gridftp-expected.h"
#include "gridftp-linux-congestion.h"
#include "gridftp-option-table.h"
#include "gridftp-option.h"
#include "gridftp-scenario.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * The command line of gridftp-optimum.
 */

namespace ns3::gridftp
{

/** What the command line asks for. */
struct OptimumRequest
{
    int64_t bandwidth{};      //!< B, bit/s
    int64_t rtt{};            //!< R, ns
    int64_t window{};         //!< W, bytes
    int64_t packetSize{};     //!< IP packet of a full segment, bytes
    int64_t maxParallelism{}; //!< largest N tried
    double loss{};            //!< probability that the path loses a packet; 0: it loses none
    bool json{false};         //!< print JSON
    bool help{false};         //!< print the help
    std::string csv;          //!< file for the curve; empty: none

    TcpStack stack{};   //!< LINUX: simulated, CLASSIC: the fluid model
    std::string tcp;    //!< congestion control, simulated
    int64_t queue{};    //!< packets at the bottleneck, simulated
    int64_t fileSize{}; //!< bytes, simulated
    int64_t repeats{};  //!< transfers for each N, simulated
};

/** @param name of a row of the transfer's table @param binding of it here @return the row */
inline Option
Borrow(std::string_view name, OptionBinding binding)
{
    Option option = GetOption(name);
    option.binding = binding;
    option.engines = "";
    return option;
}

/** @return rows that the fluid model and simulated transfers have in common, without --json etc. */
inline std::vector<Option>
MakePathRows()
{
    Option rtt = Borrow("delay", BindMember<&OptimumRequest::rtt>());
    rtt.name = "rtt";
    rtt.key = "rtt_s";
    rtt.defaultText = "20ms";
    rtt.minimum = int64_t{1};
    rtt.help = "R, round-trip time";
    Option loss = Borrow("random-loss", BindMember<&OptimumRequest::loss>());
    loss.name = "loss";
    loss.key = "loss";
    loss.help =
        "probability that the path loses a packet at random; 0: only the connections cause losses";
    Option window = Borrow("window", BindMember<&OptimumRequest::window>());
    window.help = "W, receive buffer of each data connection; linux: auto-tuned unless given";
    Option most = Borrow("max-parallelism", BindMember<&OptimumRequest::maxParallelism>());
    most.help = "largest N";
    return {Borrow("bandwidth", BindMember<&OptimumRequest::bandwidth>()),
            rtt,
            window,
            Borrow("packet-size", BindMember<&OptimumRequest::packetSize>()),
            loss,
            most};
}

/** @return rows that only simulated transfers have */
inline std::vector<Option>
MakeSimulatedRows()
{
    Option tcp = Borrow("tcp", BindMember<&OptimumRequest::tcp>());
    tcp.choices.clear();
    tcp.placeholder.clear();
    for (const auto& kind : GetLinuxCongestionKinds())
    {
        tcp.choices.push_back(kind.name);
        tcp.placeholder += (tcp.choices.size() == 1 ? "" : "|") + std::string(kind.name);
    }
    tcp.segmentChoices = tcp.choices;
    tcp.openChoice = {};
    tcp.defaultText = tcp.choices.front();
    tcp.help = "linux: congestion control of the hosts";
    Option queue = Borrow("queue", BindMember<&OptimumRequest::queue>());
    queue.help = "linux: buffer of the bottleneck: most packets that wait";
    Option fileSize = Borrow("file-size", BindMember<&OptimumRequest::fileSize>());
    fileSize.defaultText = "1GB";
    fileSize.help = "linux: size of the file";
    Option repeats = Borrow("run", BindMember<&OptimumRequest::repeats>());
    repeats.name = "repeat";
    repeats.key = "repeats";
    repeats.defaultText = "3";
    repeats.minimum = int64_t{1};
    repeats.maximum = int64_t{1000};
    repeats.help = "linux: number of transfers for each N, with random starts within R";
    return {tcp, queue, fileSize, repeats};
}

/** @return rows of the output */
inline std::vector<Option>
MakeOutputRows()
{
    Option csv = Borrow("trace", BindMember<&OptimumRequest::csv>());
    csv.name = "csv";
    csv.key = "csv";
    csv.placeholder = "FILE";
    csv.help = "write the curve as CSV";
    return {csv,
            Borrow("json", BindMember<&OptimumRequest::json>()),
            Borrow("help", BindMember<&OptimumRequest::help>())};
}

/** @return the row of --stack */
inline Option
MakeStackRow()
{
    Option stack = Borrow("stack", BindMember<&OptimumRequest::stack>());
    stack.defaultText = "linux";
    stack.help = "linux: simulates transfers between hosts of Linux 6.18; classic: evaluates the "
                 "fluid model of Ito et al. (Reno, window W)";
    return stack;
}

/** @param tables some @return their rows */
inline std::vector<Option>
JoinRows(const std::vector<std::vector<Option>>& tables)
{
    std::vector<Option> all;
    for (const auto& table : tables)
    {
        all.insert(all.end(), table.begin(), table.end());
    }
    return all;
}

/** @return all options */
inline std::vector<Option>
MakeOptimumTable()
{
    return JoinRows({{MakeStackRow()}, MakePathRows(), MakeSimulatedRows(), MakeOutputRows()});
}

/** @return options of the fluid model */
inline std::vector<Option>
MakeFluidTable()
{
    return JoinRows({MakePathRows(), MakeOutputRows()});
}

/** @param request an OptimumRequest @return the same: all rows are bound to it */
inline void*
GetOptimumTarget(void* request, OptionScope /* scope */)
{
    return request;
}

/** @param argument "--name=VALUE" or "--name" @return name */
inline std::string_view
GetArgumentName(std::string_view argument)
{
    const size_t dashes = std::min(argument.find_first_not_of('-'), argument.size());
    return argument.substr(dashes, argument.find('=') - dashes);
}

/** @param arguments of the command line @param name of an option @return whether it is given */
inline bool
IsGiven(std::span<const std::string_view> arguments, std::string_view name)
{
    return std::ranges::find(arguments, name, &GetArgumentName) != arguments.end();
}

/** @param arguments of a command line that asks the fluid model @return nothing, or which option
 * has no effect there */
inline Done
CheckFluidArguments(std::span<const std::string_view> arguments)
{
    for (const auto& row : MakeSimulatedRows())
    {
        const auto given = std::ranges::find(arguments, row.name, &GetArgumentName);
        if (given != arguments.end())
        {
            return Error{std::string(*given) +
                         " has no effect with --stack=classic, which evaluates the fluid model; "
                         "allowed with it: stack=linux"};
        }
    }
    return std::monostate{};
}

} // namespace ns3::gridftp

#endif // GRIDFTP_OPTIMUM_REQUEST_H
