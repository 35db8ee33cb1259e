/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SHELL_WORDS_H
#define GRIDFTP_SHELL_WORDS_H

#include <map>
#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * The part of the shell's language that scripts of settings use (POSIX.1-2017, Shell Command
 * Language, 2.2 and 2.3). Nothing is executed.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Values of variables by name. */
using Variables = std::map<std::string, std::string, std::less<>>;

/** @ingroup gridftp @brief A word of a command line, without its quotes. */
struct ShellWord
{
    std::string text;       //!< the word
    bool isOperator{false}; //!< one of ; & | && || > >> < << and the like, unquoted
};

/**
 * @ingroup gridftp
 * Splits a line into words. Quotes group and are removed, # begins a comment, variables that are
 * known take their value.
 * @param line of a script
 * @param variables known here
 * @return the words; what cannot be known, such as $(...), stays as it is
 */
std::vector<ShellWord> SplitShellLine(std::string_view line, const Variables& variables);

/**
 * @ingroup gridftp
 * Replaces $NAME and ${NAME} where the variable is known, unless the text would become longer than
 * 4096 characters.
 * @param text to expand
 * @param variables known here
 * @return the text
 */
std::string ExpandVariables(std::string_view text, const Variables& variables);

} // namespace ns3::gridftp

#endif // GRIDFTP_SHELL_WORDS_H
