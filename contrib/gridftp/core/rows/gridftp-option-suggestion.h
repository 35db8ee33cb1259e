/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_OPTION_SUGGESTION_H
#define GRIDFTP_OPTION_SUGGESTION_H

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Finds the options that an unknown name may stand for: the nearest name, else those that have a
 * word of the field for the same thing (`rtt` for `delay`), else those that contain all words of
 * the name (`jitter` in `delay-jitter`), else the one with which the name begins (`queue-size`).
 *
 * Contract: parsers call it for an unknown name, to complete an error message. No side effects.
 *
 * @param name an unknown name, without dashes in front
 * @param known the names that exist, in the order of the help; what is returned points there
 * @return at most four names, those most alike; empty where none is
 */
std::vector<std::string_view> SuggestOptions(std::string_view name,
                                             std::span<const std::string_view> known);

/**
 * @ingroup gridftp
 * @param name an unknown name, without dashes in front
 * @param known the names that exist, in the order of the help
 * @param before text in front of each name, such as "--"
 * @param after text behind each name
 * @return "did you mean --delay?", with commas between several names; empty where none is alike
 */
std::string AskWhetherMeant(std::string_view name,
                            std::span<const std::string_view> known,
                            std::string_view before,
                            std::string_view after);

} // namespace ns3::gridftp

#endif // GRIDFTP_OPTION_SUGGESTION_H
