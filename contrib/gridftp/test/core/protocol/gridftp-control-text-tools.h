/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CONTROL_TEXT_TOOLS_H
#define GRIDFTP_CONTROL_TEXT_TOOLS_H

#include "gridftp-control-reply.h"
#include "gridftp-control-text.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::gridftp
{

/**
 * @file
 * @ingroup gridftp
 * What the tests of control texts have in common.
 */

/**
 * The value of a result, or a value no test expects.
 * @tparam T its type
 * @param result the result
 * @param otherwise in place of an error
 * @return the value
 */
template <typename T>
T
Or(const TextResult<T>& result, T otherwise)
{
    return result ? *result : otherwise;
}

/**
 * The code of an error.
 * @tparam T the type of a value
 * @param result the result
 * @return the code, 0 if there is a value
 */
template <typename T>
int
Code(const TextResult<T>& result)
{
    return result ? 0 : result.GetError().code;
}

/**
 * A line or an error as one text.
 * @param line the result
 * @return the line, or e.g. "<500>"
 */
inline std::string
Show(const TextResult<std::string>& line)
{
    return line ? *line : "<" + std::to_string(line.GetError().code) + ">";
}

/**
 * Cut a stream into lines.
 * @param stream the stream
 * @param cuts where pieces end, ascending
 * @return the lines
 */
inline std::vector<std::string>
Lines(std::string_view stream, const std::vector<std::size_t>& cuts)
{
    LineReader reader;
    std::vector<std::string> lines;
    std::size_t at = 0;
    for (std::size_t i = 0; i <= cuts.size(); ++i)
    {
        const std::size_t end = i < cuts.size() ? cuts[i] : stream.size();
        reader.Feed(stream.substr(at, end - at));
        at = end;
        while (const auto line = reader.Next())
        {
            lines.push_back(Show(*line));
        }
    }
    return lines;
}

/**
 * Put lines together to replies.
 * @param lines the lines
 * @return the replies; errors as replies without lines
 */
inline std::vector<Reply>
Replies(const std::vector<std::string>& lines)
{
    ReplyReader reader;
    std::vector<Reply> replies;
    for (const std::string& line : lines)
    {
        if (const auto reply = reader.Feed(line))
        {
            replies.push_back(*reply ? **reply : Reply{reply->GetError().code, {}});
        }
    }
    return replies;
}

} // namespace ns3::gridftp

#endif // GRIDFTP_CONTROL_TEXT_TOOLS_H
