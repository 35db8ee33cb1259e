/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-shell-words.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ns3::gridftp
{

namespace
{

bool
IsNameCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/** @param text behind a $ @return length of the variable there with its braces; 0: there is none */
size_t
FindVariable(std::string_view text, std::string_view& name)
{
    const bool hasBraces = text.starts_with('{');
    const std::string_view rest = text.substr(hasBraces ? 1 : 0);
    const auto end = std::ranges::find_if_not(rest, IsNameCharacter);
    name = rest.substr(0, static_cast<size_t>(end - rest.begin()));
    if (name.empty() || (hasBraces && !rest.substr(name.size()).starts_with('}')))
    {
        return 0;
    }
    return name.size() + (hasBraces ? 2 : 0);
}

/** Reads the words of a line, one character after the other. */
class Splitter
{
  public:
    Splitter(std::string_view line, const Variables& variables)
        : m_rest(line),
          m_variables(variables)
    {
    }

    std::vector<ShellWord> Split()
    {
        constexpr std::string_view OPERATORS = ";&|<>";
        while (!m_rest.empty())
        {
            const char c = m_rest.front();
            if (c == '#' && !m_isOpen)
            {
                break;
            }
            if (c == ' ' || c == '\t')
            {
                Close();
                m_rest.remove_prefix(1);
            }
            else if (OPERATORS.find(c) != OPERATORS.npos)
            {
                Close();
                const size_t size = m_rest.size() > 1 && m_rest[1] == c ? 2 : 1;
                m_words.push_back({std::string(m_rest.substr(0, size)), true});
                m_rest.remove_prefix(size);
            }
            else
            {
                TakePart(c);
            }
        }
        Close();
        return std::move(m_words);
    }

  private:
    /** The word is complete. */
    void Close()
    {
        if (m_isOpen)
        {
            m_words.push_back({std::move(m_word), false});
        }
        m_word.clear();
        m_isOpen = false;
    }

    /** Takes a character or a quoted part. @param c the first one */
    void TakePart(char c)
    {
        m_isOpen = true;
        m_rest.remove_prefix(1);
        if (c == '\'' || c == '"')
        {
            const size_t end = FindEnd(c);
            const auto part = m_rest.substr(0, end);
            m_word += c == '"' ? ExpandVariables(part, m_variables) : std::string(part);
            m_rest.remove_prefix(std::min(end + 1, m_rest.size()));
            return;
        }
        if (c == '\\')
        {
            m_word += m_rest.substr(0, 1);
            m_rest.remove_prefix(std::min<size_t>(1, m_rest.size()));
            return;
        }
        std::string_view name;
        const size_t size = c == '$' ? FindVariable(m_rest, name) : 0;
        const auto found = size > 0 ? m_variables.find(name) : m_variables.end();
        if (found != m_variables.end())
        {
            m_word += found->second;
            m_rest.remove_prefix(size);
            return;
        }
        m_word += c;
    }

    /** @param quote that is open @return where it closes */
    size_t FindEnd(char quote) const
    {
        size_t at = 0;
        while (at < m_rest.size() && m_rest[at] != quote)
        {
            at += quote == '"' && m_rest[at] == '\\' ? 2 : 1;
        }
        return std::min(at, m_rest.size());
    }

    std::string_view m_rest;        //!< what is to be read
    const Variables& m_variables;   //!< known ones
    std::vector<ShellWord> m_words; //!< complete ones
    std::string m_word;             //!< the one that is read
    bool m_isOpen{false};           //!< there is one, which may be empty
};

/** Characters that variables may make a text grow to: no setting is as long, and a variable that
 * repeats itself would double with each line. */
constexpr size_t MOST_EXPANDED = 4096;

} // namespace

std::vector<ShellWord>
SplitShellLine(std::string_view line, const Variables& variables)
{
    return Splitter(line, variables).Split();
}

std::string
ExpandVariables(std::string_view text, const Variables& variables)
{
    std::string expanded;
    while (!text.empty())
    {
        const size_t dollar = std::min(text.find('$'), text.size());
        expanded += text.substr(0, dollar);
        text.remove_prefix(dollar);
        if (text.empty())
        {
            break;
        }
        text.remove_prefix(1);
        std::string_view name;
        const size_t size = FindVariable(text, name);
        const auto found = size > 0 ? variables.find(name) : variables.end();
        const bool isFound =
            found != variables.end() && expanded.size() + found->second.size() <= MOST_EXPANDED;
        expanded += isFound ? found->second : "$";
        text.remove_prefix(isFound ? size : 0);
    }
    return expanded;
}

} // namespace ns3::gridftp
