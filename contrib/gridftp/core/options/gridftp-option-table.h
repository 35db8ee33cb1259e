/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_OPTION_TABLE_H
#define GRIDFTP_OPTION_TABLE_H

#include "gridftp-file-reader.h"
#include "gridftp-option.h"
#include "gridftp-path-schedule.h"
#include "gridftp-scenario.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Progress reports of a long run, on standard error. */
enum class Progress
{
    AUTO, //!< one line that is rewritten, on a terminal; nothing elsewhere
    JSON, //!< one JSON object per line
    OFF   //!< none
};

/** @ingroup gridftp @brief Whether chunks are skipped that would go as the one before did. */
enum class ChunkSkipping
{
    ON, //!< which changes no digit
    OFF //!< each one is simulated
};

/** @ingroup gridftp @brief What is printed and written; none of it changes a result. */
struct OutputSpec
{
    bool json{false};            //!< print the result as JSON
    bool describe{false};        //!< print the option table as JSON, simulate nothing
    bool resolve{false};         //!< print the scenario in SI numbers, simulate nothing
    bool help{false};            //!< print the help, simulate nothing
    Progress progress{};         //!< progress reports
    ChunkSkipping fastForward{}; //!< how it is simulated, not what comes of it
    std::string batch;           //!< file of scenarios, "-" for standard input; empty: none
    std::string trace;           //!< folder of the CSV traces; empty: none
    std::string pcap;            //!< prefix of the packet captures; empty: none
};

/** @ingroup gridftp @brief What is given beside the first session, as "KEY=V,..." each. */
struct TrafficSpec
{
    std::vector<std::string> sessions;   //!< further sessions
    std::vector<std::string> arrivals;   //!< sessions that arrive one after the other
    std::vector<std::string> background; //!< background connections
    std::vector<std::string> faults;     //!< what goes wrong
    std::string faultsFile;              //!< a file of that; empty: none
};

/** @ingroup gridftp @brief What a command line asks for. */
struct TransferRequest
{
    Scenario scenario;   //!< complete, with all its sessions
    TrafficSpec traffic; //!< how those beside the first one were given
    OutputSpec output;   //!< what to do with it
    Notes notes;         //!< what the user should know of its files
};

/**
 * @ingroup gridftp
 * The one table of the options of a transfer: the parser, --help, --describe, --resolve and the
 * ns-3 attributes are made from it, so that a name, unit, default or range stands here alone.
 *
 * Defaults are those of Ito et al., Sec. 4; what the paper leaves unsaid follows ns-2 2.35
 * (ns-default.tcl): initial window 2, minimum RTO 0.2 s, an ACK for every segment.
 *
 * @return the rows
 */
std::span<const Option> GetOptionTable();

/**
 * @ingroup gridftp
 * @return what --describe prints, as JSON: the table, and the tuners as they declare themselves
 */
std::string DescribeTransfer();

/**
 * @ingroup gridftp
 * @param name an option that is in the table
 * @return its row
 */
const Option& GetOption(std::string_view name);

/** @ingroup gridftp @param name a WHOLE option @return its default in smallest units */
int64_t GetDefaultWhole(std::string_view name);

/** @ingroup gridftp @param name a REAL option @return its default */
double GetDefaultReal(std::string_view name);

/** @ingroup gridftp @param name a NAME or CHOICE option @return its default */
std::string GetDefaultText(std::string_view name);

/** @ingroup gridftp @param engine an engine @return its name, as in --engine=NAME */
std::string_view EngineName(Engine engine);

/**
 * @ingroup gridftp
 * Checks that an engine knows all that is asked of it.
 *
 * @param engine the engine
 * @param scope which options
 * @param spec the struct that the rows of this scope are bound to
 * @return nothing, or one line naming an option that is not at its default and that the engine does
 *         not know
 */
Done CheckEngine(Engine engine, OptionScope scope, const void* spec);

/**
 * @ingroup gridftp
 * @return the defaults of the table, with one session; what depends on other options is not
 * resolved
 */
TransferRequest MakeDefaultRequest();

/**
 * @ingroup gridftp
 * @param request a TransferRequest with a session
 * @param scope of an option in the table
 * @return the struct within it that the rows of the scope are bound to, the first session for one
 */
void* TransferTarget(void* request, OptionScope scope);

/**
 * @ingroup gridftp
 * Reads a whole command line and resolves the scenario.
 *
 * @param arguments without the program's name
 * @param read reads a file that is named; none: no file can be
 * @return what it asks for, or one line that says what is wrong
 */
Expected<TransferRequest> ParseTransfer(std::span<const std::string_view> arguments,
                                        const FileReader& read = {});

} // namespace ns3::gridftp

#endif // GRIDFTP_OPTION_TABLE_H
