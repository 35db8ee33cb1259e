/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-file-sizes.h"

#include "gridftp-file-set.h"
#include "gridftp-option-directions.h"
#include "gridftp-option-row.h"
#include "gridftp-option-session.h"
#include "gridftp-quantity.h"
#include "gridftp-text.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace ns3::gridftp
{

namespace
{

constexpr int64_t SECOND = 1'000'000'000;
constexpr int64_t PETA = 1'000'000'000'000'000;
constexpr std::string_view ALLOWED =
    "fixed, lognormal, SIZE:SIZE:..., or a file with one size a line";

/** What is wrong with the sizes of a session. */
Error
Wrong(const std::string& text, const std::string& what)
{
    return Error{"--file-sizes=" + Printable(text) + " " + what +
                 "; allowed: " + std::string(ALLOWED)};
}

/** A line, or one of several sizes, without white space and what a '#' begins. */
std::string_view
Strip(std::string_view text)
{
    return Trim(text.substr(0, text.find('#')));
}

/**
 * Reads sizes with a sign between them.
 * @param given what the option was
 * @param text all of it
 * @param between two sizes
 * @param unit what a size is counted as
 * @return the sizes; empty parts are none
 */
Expected<std::vector<int64_t>>
ReadSizes(const std::string& given, std::string_view text, char between, const std::string& unit)
{
    std::vector<int64_t> sizes;
    size_t number = 0;
    for (size_t at = 0; at <= text.size(); ++number)
    {
        const size_t end = std::min(text.find(between, at), text.size());
        const auto part = Strip(text.substr(at, end - at));
        at = end + 1;
        if (part.empty())
        {
            continue;
        }
        const auto size = ParseWhole(part, Dimension::BYTES);
        if (!size || *size < 1 || *size > PETA)
        {
            return Wrong(given,
                         "has '" + Printable(part) + "' as " + unit + " " +
                             std::to_string(number + 1) + ", which is no size from 1B to 1PB");
        }
        sizes.push_back(*size);
    }
    if (sizes.empty() || sizes.size() > MOST_LISTED_FILES)
    {
        return Wrong(given,
                     "has " + std::to_string(sizes.size()) + " sizes, not 1 to " +
                         std::to_string(MOST_LISTED_FILES));
    }
    return sizes;
}

/** The sizes that a session lists or names. */
Expected<std::vector<int64_t>>
FindSizes(const std::string& given, const FileReader& read)
{
    if (given.find(':') != given.npos)
    {
        return ReadSizes(given, given, ':', "size");
    }
    if (const auto size = ParseWhole(given, Dimension::BYTES); size)
    {
        return ReadSizes(given, given, ':', "size");
    }
    const auto content =
        read ? read(given)
             : Expected<std::string>(Error{"cannot be read here, without access to files"});
    if (!content)
    {
        return Wrong(given, content.GetError().message);
    }
    return ReadSizes(given, *content, '\n', "line");
}

/** Resolves the files of one session. */
Done
Resolve(SessionSpec& session, const FileReader& read)
{
    auto sizes = FindSizes(session.fileSizes, read);
    if (!sizes)
    {
        return sizes.GetError();
    }
    const auto count = static_cast<int64_t>(sizes->size());
    if (session.files != 1 && session.files != count)
    {
        return Error{"--files=" + std::to_string(session.files) +
                     " differs from the number of sizes in --file-sizes; allowed with it: " +
                     std::to_string(count) + ", or no --files"};
    }
    session.files = count;
    session.fileSizes.clear();
    for (const int64_t size : *sizes)
    {
        session.fileSizes +=
            (session.fileSizes.empty() ? "" : ":") + FormatWhole(size, Dimension::BYTES);
    }
    session.fileList = std::move(*sizes);
    return std::monostate{};
}

} // namespace

void
AddFileRows(std::vector<Option>& rows)
{
    const auto scope = OptionScope::SESSION;
    rows.push_back(WholeRow("files",
                            "files",
                            scope,
                            Dimension::COUNT,
                            "1",
                            {1, MOST_FILES},
                            BindMember<&SessionSpec::files>(),
                            "number of files, one after the other; default: as many as listed"));
    rows.push_back(WordRow(OptionKind::NAME,
                           "file-sizes",
                           "file_sizes",
                           scope,
                           FIXED_FILES,
                           "fixed|lognormal|SIZE:SIZE:...|FILE",
                           {},
                           BindMember<&SessionSpec::fileSizes>(),
                           "sizes of the files: all file-size, random with this mean, or a list"));
    rows.back().mayBeFile = true;
    rows.push_back(RealRow("file-size-spread",
                           "file_size_spread",
                           scope,
                           "1",
                           {0, 4, false, false},
                           BindMember<&SessionSpec::fileSpread>(),
                           "file-sizes=lognormal: standard deviation of ln(size)"));
    AddDirectionsRow(rows);
    rows.push_back(WholeRow("repeat-for",
                            "repeat_for_s",
                            scope,
                            Dimension::TIME,
                            "0s",
                            {0, 1'000'000 * SECOND},
                            BindMember<&SessionSpec::repeatFor>(),
                            "repeat all files for this long after start; 0s: once"));
}

Option
MakeFilesOfRow()
{
    return WholeRow("files-of",
                    "files_of",
                    OptionScope::SESSION,
                    Dimension::COUNT,
                    "itself",
                    {0, MOST_PAIRS - 1},
                    BindMember<&SessionSpec::filesOf>(),
                    "session, from 0, whose data set it shares: each takes the next file");
}

Done
ResolveSharedFiles(Scenario& scenario)
{
    for (size_t i = 0; i < scenario.sessions.size(); ++i)
    {
        SessionSpec& session = scenario.sessions[i];
        const auto own = static_cast<int64_t>(i);
        session.filesOf = session.filesOf < 0 ? own : session.filesOf;
        if (session.filesOf == own)
        {
            continue;
        }
        const std::string shown = "--session 'files-of=" + std::to_string(session.filesOf) + "'";
        const auto of = static_cast<size_t>(session.filesOf);
        if (of > i || scenario.sessions[of].filesOf != session.filesOf)
        {
            return Error{shown + " of session " + std::to_string(i) +
                         " is not an earlier session, or shares files itself; allowed: an earlier "
                         "session with files of its own"};
        }
        const SessionSpec& owner = scenario.sessions[of];
        if (owner.direction != session.direction)
        {
            return Error{shown + " of session " + std::to_string(i) +
                         " has files of the other direction; allowed: an earlier session of the "
                         "same direction"};
        }
        if (!IsDataSet(owner))
        {
            return Error{shown + " has one file; allowed: a session with --files, --file-sizes or "
                                 "--repeat-for"};
        }
        session.fileSize = owner.fileSize;
        session.files = owner.files;
        session.fileSizes = owner.fileSizes;
        session.fileSpread = owner.fileSpread;
        session.fileList = owner.fileList;
        session.repeatFor = owner.repeatFor;
    }
    return std::monostate{};
}

Done
ResolveFileSizes(Scenario& scenario, const FileReader& read)
{
    for (auto& session : scenario.sessions)
    {
        const std::string& text = session.fileSizes;
        if (text.empty() || text == FIXED_FILES || text == LOG_NORMAL_FILES ||
            !session.fileList.empty())
        {
            continue;
        }
        if (auto done = Resolve(session, read); !done)
        {
            return done;
        }
    }
    return std::monostate{};
}

} // namespace ns3::gridftp
