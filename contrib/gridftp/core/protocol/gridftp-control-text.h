/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CONTROL_TEXT_H
#define GRIDFTP_CONTROL_TEXT_H

#include "gridftp-expected.h"
#include "gridftp-marker-ranges.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * The commands of the control connection as RFC 959, RFC 2228, RFC 2389 and GFD.20 define them
 * and as the Grid Community Toolkit 6.2 server and client were observed to use them. Formatters
 * and parsers only: no connection, no order of commands, no state. Nothing here throws.
 */

namespace ns3::gridftp
{

/// The TCP port of the control connection that GridFTP servers are registered with.
inline constexpr uint16_t CONTROL_PORT = 2811;

/// Why a text was refused.
struct TextError
{
    int code;         //!< the reply that says so: 500, 501, 502 or 504 (RFC 959, section 4.2)
    std::string text; //!< the text of that reply, one line

    bool operator==(const TextError&) const = default;
};

/// A value, or why the text was refused.
template <typename T>
using TextResult = Expected<T, TextError>;

/// The commands known here. The last group is recognised but answered with 502.
// clang-format off
enum class Verb : uint8_t
{
    USER, PASS, SITE, FEAT, TYPE, MODE, SIZE, PASV, PORT, ALLO, STOR, RETR, ESTO, ERET, OPTS,
    REST, SBUF, PBSZ, NOOP, ABOR, QUIT,
    DCAU, SPAS, SPOR, PROT, CKSM, MDTM, AUTH, ADAT,
};
// clang-format on

/**
 * The name of a command.
 * @param verb the command
 * @return four upper-case letters
 */
std::string_view VerbName(Verb verb);

/**
 * The commands that are not answered with 502.
 * @return the commands in the order of Verb
 */
std::vector<Verb> ImplementedVerbs();

/// One command line.
struct Command
{
    Verb verb{Verb::NOOP}; //!< the command
    std::string argument;  //!< all after the one space behind the verb; empty: no space either

    bool operator==(const Command&) const = default;
};

/**
 * Can this stand in a line of the control connection? Control characters and 0xff (the telnet
 * IAC) cannot; UTF-8 can (RFC 2640).
 * @param text the text
 * @return true if it can
 */
bool IsLineText(std::string_view text);

/**
 * Make any text fit for a line.
 * @param text the text
 * @return the text with '?' for each byte that IsLineText() does not allow
 */
std::string ToLineText(std::string_view text);

/**
 * Take the text up to a separator off the rest, and the separator with it.
 * @param rest the rest; becomes empty when there is no separator
 * @param separator the separator
 * @return the text before the separator
 */
std::string_view TakeUntil(std::string_view& rest, char separator);

/// @param a a text @param b another one @return whether they differ in upper and lower case only
bool EqualNoCase(std::string_view a, std::string_view b);

/**
 * Say that something in a text is not allowed.
 * @param code the reply code
 * @param what the thing, e.g. "Number"
 * @param value what was found; long ones are cut, so that the reply fits a line
 * @param allowed what is allowed
 * @return the error
 */
TextError MakeTextError(int code,
                        std::string_view what,
                        std::string_view value,
                        std::string_view allowed);

/// @param verb a command @return 502, which says that it is not implemented
TextError MakeNotImplemented(Verb verb);

/**
 * Read a command line. Upper and lower case are the same in the verb.
 * @param line the line without its end
 * @return the command; or 500 for an unknown command or junk, 501 for a missing or superfluous
 * argument, 502 for a command that is known but not implemented
 */
TextResult<Command> ParseCommand(std::string_view line);

/**
 * Write a command line.
 * @param command the command; bytes of its argument that no line can hold become '?'
 * @return the line with CRLF
 */
std::string FormatCommand(const Command& command);

/**
 * Read an unsigned decimal number: digits only, no sign, no space.
 * @param text the text
 * @param maximum the largest value allowed
 * @return the number, or 501
 */
TextResult<uint64_t> ParseNumber(std::string_view text, uint64_t maximum = UINT64_MAX);

/**
 * Read the one-letter argument of TYPE or MODE, in either case.
 * @param argument the argument
 * @param implemented the letters that are implemented, upper case, e.g. "I" or "E"
 * @return the letter, upper case; or 504 for another letter, 501 for anything else
 */
TextResult<char> ParseLetter(std::string_view argument, std::string_view implemented);

/// An IPv4 address and port, the argument of PORT and the content of reply 227.
struct HostPort
{
    uint32_t address{0}; //!< IPv4 address, host byte order, as ns3::Ipv4Address::Get()
    uint16_t port{0};    //!< TCP port

    bool operator==(const HostPort&) const = default;
};

/// @param value the address and port @return "h1,h2,h3,h4,p1,p2" (RFC 959, section 4.1.2)
std::string FormatHostPort(const HostPort& value);
/// @param argument "h1,h2,h3,h4,p1,p2" @return the address and port, or 501
TextResult<HostPort> ParseHostPort(std::string_view argument);

/// Argument of ESTO: where the bytes of an upload go (GFD.20, adjusted store).
struct AdjustedStore
{
    uint64_t offset{0}; //!< added to the offsets on the data connections, bytes
    std::string path;   //!< the file

    bool operator==(const AdjustedStore&) const = default;
};

/// @param value the argument @return "A offset path"
std::string FormatAdjustedStore(const AdjustedStore& value);
/// @param argument "A offset path" @return the parts, or 501; 504 for another module than A
TextResult<AdjustedStore> ParseAdjustedStore(std::string_view argument);

/// Argument of ERET: which bytes a download wants (GFD.20, partial retrieve).
struct PartialRetrieve
{
    uint64_t offset{0}; //!< the first byte
    uint64_t length{0}; //!< how many bytes; offset + length fits 64 bits
    std::string path;   //!< the file

    bool operator==(const PartialRetrieve&) const = default;
};

/// @param value the argument @return "P offset length path"
std::string FormatPartialRetrieve(const PartialRetrieve& value);
/// @param argument "P offset length path" @return the parts, or 501; 504 for another than P
TextResult<PartialRetrieve> ParsePartialRetrieve(std::string_view argument);

/// Of OPTS RETR: data connections for the next download (GFD.20), see RetrieveOptions.
struct ParallelismOption
{
    uint32_t starting{1}; //!< connections to start with
    uint32_t minimum{1};  //!< never fewer, 1 <= minimum <= starting
    uint32_t maximum{1};  //!< never more, starting <= maximum

    bool operator==(const ParallelismOption&) const = default;
};

/// @param value the numbers @return "starting,minimum,maximum"
std::string FormatParallelism(const ParallelismOption& value);
/// @param text "starting,minimum,maximum" @return the numbers, or 501
TextResult<ParallelismOption> ParseParallelism(std::string_view text);

/// The SITE commands known here.
enum class SiteVerb : uint8_t
{
    HELP,        //!< no parameter
    CLIENTINFO,  //!< text
    STORBUFSIZE, //!< TCP buffer for receiving, bytes
    RETRBUFSIZE, //!< TCP buffer for sending, bytes
};

/// Argument of SITE.
struct SiteCommand
{
    SiteVerb verb{SiteVerb::HELP}; //!< which one
    uint64_t size{0};              //!< of the two ...BUFSIZE: bytes, at least 1
    std::string text;              //!< of CLIENTINFO: the client's words about itself

    bool operator==(const SiteCommand&) const = default;
};

/// @param value the argument @return e.g. "STORBUFSIZE 65536"
std::string FormatSite(const SiteCommand& value);
/// @param argument e.g. "STORBUFSIZE 65536" @return the parts; or 500 unknown, 501 bad parameter
TextResult<SiteCommand> ParseSite(std::string_view argument);

/// @param text "begin-end,..." @return at least one range, each with begin <= end; or 501
TextResult<MarkerRanges> ParseRanges(std::string_view text);

} // namespace ns3::gridftp

#endif // GRIDFTP_CONTROL_TEXT_H
