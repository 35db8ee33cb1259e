/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TEXT_H
#define GRIDFTP_TEXT_H

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * Words of others in messages of ours.
 */

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Makes foreign text fit for an error message.
 * @param text any bytes
 * @return its beginning, on one line, with '?' for what is not printable ASCII
 */
std::string Printable(std::string_view text);

/**
 * @ingroup gridftp
 * @param text of a file's line, a list or a control connection
 * @return it without the white space at its ends: spaces, tabs, and a CR before a line's end
 */
std::string_view Trim(std::string_view text);

/**
 * @ingroup gridftp
 * @param words in order
 * @param between what stands between two of them
 * @return all of them as one text
 */
std::string Join(std::span<const std::string_view> words, std::string_view between);

/**
 * @ingroup gridftp
 * @param a a word
 * @param b another word
 * @return the least number of edits that turn one into the other: a letter inserted, removed or
 *         replaced, or two neighbours swapped (optimal string alignment). Capitals equal small
 *         letters.
 */
size_t CountEdits(std::string_view a, std::string_view b);

/**
 * @ingroup gridftp
 * @param word an unknown word
 * @param known the words that exist
 * @return the known word with the fewest differences (a letter more, less, replaced, or swapped
 *         with its neighbour; capitals do not count), the first one on a tie; empty where that are
 *         more than a third of the letters, two in words of 5 to 8 letters, one in shorter words,
 *         where two or more change the first letter, or three or more make one of the words between
 *         dashes another one
 */
std::string_view NearestWord(std::string_view word, std::span<const std::string_view> known);

/**
 * @ingroup gridftp
 * @param named what has a name each, and outlives what is returned
 * @return the names, in order
 */
template <typename Range>
std::vector<std::string_view>
NamesOf(const Range& named)
{
    std::vector<std::string_view> names;
    for (const auto& each : named)
    {
        names.push_back(each.name);
    }
    return names;
}

} // namespace ns3::gridftp

#endif // GRIDFTP_TEXT_H
