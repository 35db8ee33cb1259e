/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-control-text.h"

#include "gridftp-text.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace ns3::gridftp
{

namespace
{

/// What may follow a verb.
enum class ArgumentRule : uint8_t
{
    NONE,
    OPTIONAL,
    REQUIRED,
};

/// One row of the command table.
struct VerbRow
{
    Verb verb;             //!< the command
    std::string_view name; //!< its name
    ArgumentRule rule;     //!< what may follow
    bool implemented;      //!< or answered with 502
};

/// All commands, in the order of Verb.
constexpr std::array<VerbRow, 29> VERBS{{
    {Verb::USER, "USER", ArgumentRule::REQUIRED, true},
    {Verb::PASS, "PASS", ArgumentRule::OPTIONAL, true},
    {Verb::SITE, "SITE", ArgumentRule::REQUIRED, true},
    {Verb::FEAT, "FEAT", ArgumentRule::NONE, true},
    {Verb::TYPE, "TYPE", ArgumentRule::REQUIRED, true},
    {Verb::MODE, "MODE", ArgumentRule::REQUIRED, true},
    {Verb::SIZE, "SIZE", ArgumentRule::REQUIRED, true},
    {Verb::PASV, "PASV", ArgumentRule::NONE, true},
    {Verb::PORT, "PORT", ArgumentRule::REQUIRED, true},
    {Verb::ALLO, "ALLO", ArgumentRule::REQUIRED, true},
    {Verb::STOR, "STOR", ArgumentRule::REQUIRED, true},
    {Verb::RETR, "RETR", ArgumentRule::REQUIRED, true},
    {Verb::ESTO, "ESTO", ArgumentRule::REQUIRED, true},
    {Verb::ERET, "ERET", ArgumentRule::REQUIRED, true},
    {Verb::OPTS, "OPTS", ArgumentRule::REQUIRED, true},
    {Verb::REST, "REST", ArgumentRule::REQUIRED, true},
    {Verb::SBUF, "SBUF", ArgumentRule::REQUIRED, true},
    {Verb::PBSZ, "PBSZ", ArgumentRule::REQUIRED, true},
    {Verb::NOOP, "NOOP", ArgumentRule::NONE, true},
    {Verb::ABOR, "ABOR", ArgumentRule::NONE, true},
    {Verb::QUIT, "QUIT", ArgumentRule::NONE, true},
    {Verb::DCAU, "DCAU", ArgumentRule::REQUIRED, true},
    {Verb::SPAS, "SPAS", ArgumentRule::NONE, true},
    {Verb::SPOR, "SPOR", ArgumentRule::REQUIRED, true},
    {Verb::PROT, "PROT", ArgumentRule::REQUIRED, true},
    {Verb::CKSM, "CKSM", ArgumentRule::REQUIRED, true},
    {Verb::MDTM, "MDTM", ArgumentRule::REQUIRED, false},
    {Verb::AUTH, "AUTH", ArgumentRule::REQUIRED, true},
    {Verb::ADAT, "ADAT", ArgumentRule::REQUIRED, true},
}};

/// The SITE commands, in the order of SiteVerb.
constexpr std::array<std::string_view, 4> SITE_VERBS{"HELP",
                                                     "CLIENTINFO",
                                                     "STORBUFSIZE",
                                                     "RETRBUFSIZE"};

bool
IsLineByte(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && byte != 0x7f && byte != 0xff;
}

// The locale has no say in the protocol, hence not std::toupper.
char
Upper(char c)
{
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

TextError
BadArgument(std::string_view what, std::string_view value, std::string_view allowed)
{
    return MakeTextError(501, what, value, allowed);
}

} // namespace

std::string_view
VerbName(Verb verb)
{
    return VERBS[static_cast<std::size_t>(verb)].name;
}

std::vector<Verb>
ImplementedVerbs()
{
    std::vector<Verb> verbs;
    for (const VerbRow& row : VERBS)
    {
        if (row.implemented)
        {
            verbs.push_back(row.verb);
        }
    }
    return verbs;
}

bool
IsLineText(std::string_view text)
{
    return std::all_of(text.begin(), text.end(), IsLineByte);
}

std::string
ToLineText(std::string_view text)
{
    std::string clean(text);
    std::replace_if(clean.begin(), clean.end(), [](char c) { return !IsLineByte(c); }, '?');
    return clean;
}

std::string_view
TakeUntil(std::string_view& rest, char separator)
{
    const std::size_t end = std::min(rest.find(separator), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return word;
}

bool
EqualNoCase(std::string_view a, std::string_view b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
        return Upper(x) == Upper(y);
    });
}

TextError
MakeTextError(int code, std::string_view what, std::string_view value, std::string_view allowed)
{
    constexpr std::size_t shown = 64;
    std::string text = std::string(what) + " '";
    text += std::string(value.substr(0, shown)) + (value.size() > shown ? "...': " : "': ");
    return {code, ToLineText(text + std::string(allowed))};
}

TextError
MakeNotImplemented(Verb verb)
{
    return {502, std::string(VerbName(verb)) + " command not implemented."};
}

TextResult<Command>
ParseCommand(std::string_view line)
{
    if (!IsLineText(line))
    {
        return TextError{500, "Invalid command: not text."};
    }
    std::string_view argument = line;
    const std::string_view name = TakeUntil(argument, ' ');
    const auto row = std::find_if(VERBS.begin(), VERBS.end(), [name](const VerbRow& r) {
        return EqualNoCase(r.name, name);
    });
    if (row == VERBS.end())
    {
        return MakeTextError(500, "Invalid command", name, "not known.");
    }
    if (!row->implemented)
    {
        return MakeNotImplemented(row->verb);
    }
    const bool blank = Trim(argument).empty();
    if (row->rule == ArgumentRule::REQUIRED && blank)
    {
        return TextError{501, std::string(row->name) + " needs an argument."};
    }
    if (row->rule == ArgumentRule::NONE && !blank)
    {
        return TextError{501, std::string(row->name) + " takes no argument."};
    }
    return Command{row->verb, row->rule == ArgumentRule::NONE ? "" : std::string(argument)};
}

std::string
FormatCommand(const Command& command)
{
    std::string line(VerbName(command.verb));
    if (!command.argument.empty())
    {
        line += ' ' + ToLineText(command.argument);
    }
    return line + "\r\n";
}

TextResult<uint64_t>
ParseNumber(std::string_view text, uint64_t maximum)
{
    uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(text.data(), end, value);
    if (problem == std::errc::invalid_argument || stop != end)
    {
        return BadArgument("Number", text, "digits only.");
    }
    if (problem != std::errc() || value > maximum)
    {
        return BadArgument("Number", text, "at most " + std::to_string(maximum) + ".");
    }
    return value;
}

TextResult<char>
ParseLetter(std::string_view argument, std::string_view implemented)
{
    const char letter = argument.size() == 1 ? Upper(argument[0]) : '\0';
    if (letter < 'A' || letter > 'Z')
    {
        return BadArgument("Parameter", argument, "one letter expected.");
    }
    if (implemented.find(letter) == std::string_view::npos)
    {
        return MakeTextError(504,
                             "Parameter",
                             argument,
                             "not implemented, only " + std::string(implemented) + ".");
    }
    return letter;
}

std::string
FormatHostPort(const HostPort& value)
{
    std::string text;
    for (int shift = 24; shift >= 0; shift -= 8)
    {
        text += std::to_string(value.address >> shift & 0xff) + ',';
    }
    return text + std::to_string(value.port >> 8) + ',' + std::to_string(value.port & 0xff);
}

TextResult<HostPort>
ParseHostPort(std::string_view argument)
{
    constexpr int fields = 6;
    uint64_t bits = 0;
    std::string_view rest = argument;
    for (int i = 0; i < fields; ++i)
    {
        const auto field = ParseNumber(TakeUntil(rest, ','), 255);
        if (!field)
        {
            return BadArgument("Address", argument, "h1,h2,h3,h4,p1,p2 with 0 to 255 expected.");
        }
        bits = bits << 8 | *field;
    }
    if (!rest.empty() || argument.back() == ',')
    {
        return BadArgument("Address", argument, "six numbers expected.");
    }
    return HostPort{static_cast<uint32_t>(bits >> 16), static_cast<uint16_t>(bits & 0xffff)};
}

std::string
FormatAdjustedStore(const AdjustedStore& value)
{
    return "A " + std::to_string(value.offset) + ' ' + value.path;
}

TextResult<AdjustedStore>
ParseAdjustedStore(std::string_view argument)
{
    std::string_view rest = argument;
    const auto module = ParseLetter(TakeUntil(rest, ' '), "A");
    if (!module)
    {
        return module.GetError();
    }
    const auto offset = ParseNumber(TakeUntil(rest, ' '));
    if (!offset)
    {
        return offset.GetError();
    }
    if (rest.empty())
    {
        return BadArgument("Argument", argument, "A offset path expected.");
    }
    return AdjustedStore{*offset, std::string(rest)};
}

std::string
FormatPartialRetrieve(const PartialRetrieve& value)
{
    return "P " + std::to_string(value.offset) + ' ' + std::to_string(value.length) + ' ' +
           value.path;
}

TextResult<PartialRetrieve>
ParsePartialRetrieve(std::string_view argument)
{
    std::string_view rest = argument;
    const auto module = ParseLetter(TakeUntil(rest, ' '), "P");
    if (!module)
    {
        return module.GetError();
    }
    const auto offset = ParseNumber(TakeUntil(rest, ' '));
    if (!offset)
    {
        return offset.GetError();
    }
    const auto length = ParseNumber(TakeUntil(rest, ' '), UINT64_MAX - *offset);
    if (!length)
    {
        return length.GetError();
    }
    if (rest.empty())
    {
        return BadArgument("Argument", argument, "P offset length path expected.");
    }
    return PartialRetrieve{*offset, *length, std::string(rest)};
}

std::string
FormatParallelism(const ParallelismOption& value)
{
    return std::to_string(value.starting) + ',' + std::to_string(value.minimum) + ',' +
           std::to_string(value.maximum);
}

TextResult<ParallelismOption>
ParseParallelism(std::string_view text)
{
    std::string_view rest = text;
    const auto starting = ParseNumber(TakeUntil(rest, ','), UINT32_MAX);
    const auto minimum = ParseNumber(TakeUntil(rest, ','), UINT32_MAX);
    const auto maximum = ParseNumber(rest, UINT32_MAX);
    if (!starting || !minimum || !maximum)
    {
        return BadArgument("Parallelism", text, "starting,minimum,maximum expected.");
    }
    if (*minimum < 1 || *minimum > *starting || *starting > *maximum)
    {
        return BadArgument("Parallelism", text, "1 <= minimum <= starting <= maximum expected.");
    }
    return ParallelismOption{static_cast<uint32_t>(*starting),
                             static_cast<uint32_t>(*minimum),
                             static_cast<uint32_t>(*maximum)};
}

std::string
FormatSite(const SiteCommand& value)
{
    std::string text(SITE_VERBS[static_cast<std::size_t>(value.verb)]);
    switch (value.verb)
    {
    case SiteVerb::HELP:
        return text;
    case SiteVerb::CLIENTINFO:
        return text + ' ' + value.text;
    case SiteVerb::STORBUFSIZE:
    case SiteVerb::RETRBUFSIZE:
        break;
    }
    return text + ' ' + std::to_string(value.size);
}

TextResult<SiteCommand>
ParseSite(std::string_view argument)
{
    std::string_view rest = argument;
    const std::string_view name = TakeUntil(rest, ' ');
    const auto found = std::find_if(SITE_VERBS.begin(),
                                    SITE_VERBS.end(),
                                    [name](std::string_view s) { return EqualNoCase(s, name); });
    if (found == SITE_VERBS.end())
    {
        return MakeTextError(500, "SITE command", name, "not known.");
    }
    const auto verb = static_cast<SiteVerb>(found - SITE_VERBS.begin());
    const bool blank = Trim(rest).empty();
    if (blank != (verb == SiteVerb::HELP))
    {
        return BadArgument("SITE command", name, blank ? "needs a parameter." : "takes none.");
    }
    if (verb == SiteVerb::HELP)
    {
        return SiteCommand{verb, 0, ""};
    }
    if (verb == SiteVerb::CLIENTINFO)
    {
        return SiteCommand{verb, 0, std::string(rest)};
    }
    const auto size = ParseNumber(rest);
    if (!size || *size == 0)
    {
        return size ? BadArgument("Buffer size", rest, "at least 1 byte.") : size.GetError();
    }
    return SiteCommand{verb, *size, ""};
}

TextResult<MarkerRanges>
ParseRanges(std::string_view text)
{
    auto ranges = ReadRanges(text);
    if (!ranges)
    {
        return BadArgument("Ranges", text, "begin-end,begin-end,... expected.");
    }
    return *ranges;
}

} // namespace ns3::gridftp
