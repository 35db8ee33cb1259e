/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-sysctl-text.h"

#include "gridftp-shell-words.h"
#include "gridftp-text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

namespace ns3::gridftp
{

namespace
{

constexpr std::string_view PROC = "/proc/sys/"; //!< where the kernel has settings as files

/** A line of the file. */
struct Line
{
    std::string text; //!< without white space around it, with what continues it
    size_t number{0}; //!< of its first part, from 1
};

/** How a file is written. */
enum class Form
{
    PLAIN,   //!< sysctl.conf
    PROFILE, //!< sections
    SCRIPT   //!< of a shell
};

bool
IsComment(std::string_view line)
{
    return line.starts_with('#') || line.starts_with(';');
}

bool
IsSection(std::string_view line)
{
    return line.starts_with('[') && line.ends_with(']') && line.size() > 2;
}

/** @param word of a command line @return the name of a program without its folder */
std::string_view
BaseName(std::string_view word)
{
    return word.substr(word.rfind('/') + 1); // npos + 1 is 0
}

/** @param words of one command @return where sysctl is, behind sudo, a keyword or a prompt */
std::optional<size_t>
FindSysctl(std::span<const ShellWord> words)
{
    constexpr size_t MOST_BEFORE = 4;
    for (size_t i = 0; i < std::min(words.size(), MOST_BEFORE); ++i)
    {
        if (BaseName(words[i].text) == "sysctl")
        {
            return i;
        }
        if (words[i].text.find('=') != std::string::npos)
        {
            break;
        }
    }
    return std::nullopt;
}

/** @param words of a line @return those of each command in it */
std::vector<std::span<const ShellWord>>
SplitCommands(std::span<const ShellWord> words)
{
    const auto isEnd = [](const ShellWord& word) {
        return word.isOperator &&
               (word.text == ";" || word.text == "&&" || word.text == "||" || word.text == "&");
    };
    std::vector<std::span<const ShellWord>> commands;
    for (auto from = words.begin(); from != words.end();)
    {
        const auto to = std::find_if(from, words.end(), isEnd);
        commands.emplace_back(from, to);
        from = to == words.end() ? to : to + 1;
    }
    return commands;
}

bool
IsCommand(std::string_view line)
{
    constexpr std::array COMMANDS{std::string_view("echo"),
                                  std::string_view("printf"),
                                  std::string_view("sudo"),
                                  std::string_view("cat")};
    const auto words = SplitShellLine(line, {});
    const auto hasSysctl = [](const auto& command) { return FindSysctl(command).has_value(); };
    return std::ranges::any_of(SplitCommands(words), hasSysctl) ||
           (!words.empty() && std::ranges::find(COMMANDS, words[0].text) != COMMANDS.end() &&
            words.size() > 1 && !words[1].text.starts_with('='));
}

/** @return how the file is written */
Form
FindForm(std::span<const Line> lines)
{
    if (!lines.empty() && lines.front().text.starts_with("#!"))
    {
        return Form::SCRIPT;
    }
    for (const auto& line : lines)
    {
        if (IsSection(line.text))
        {
            return Form::PROFILE;
        }
        if (!IsComment(line.text) && IsCommand(line.text))
        {
            return Form::SCRIPT;
        }
    }
    return Form::PLAIN;
}

/** @return all lines that are not empty; the end of one may say that the next one belongs to it */
std::vector<Line>
SplitLines(std::string_view content)
{
    std::vector<Line> lines;
    bool continues = false;
    for (size_t number = 1; !content.empty(); ++number)
    {
        const size_t end = std::min(content.find('\n'), content.size());
        auto text = Trim(content.substr(0, end));
        content.remove_prefix(std::min(end + 1, content.size()));
        const bool isContinued = text.ends_with('\\') && !text.starts_with('#');
        text.remove_suffix(isContinued ? 1 : 0);
        if (continues)
        {
            lines.back().text += " " + std::string(text);
        }
        else if (!text.empty())
        {
            lines.push_back({std::string(text), number});
        }
        continues = isContinued && (continues || !text.empty());
    }
    return lines;
}

/**
 * Cuts a comment outside quotes, white space, and quotes around the whole.
 * @param text behind the equals sign
 * @param comment the characters that begin one
 * @return the value
 */
std::string
CleanValue(std::string_view text, std::string_view comment = "#;")
{
    char quote = 0;
    size_t end = 0;
    for (; end < text.size(); ++end)
    {
        const char c = text[end];
        if (quote == 0 && comment.find(c) != comment.npos)
        {
            break;
        }
        if (c == '"' || c == '\'')
        {
            quote = quote == 0 ? c : (quote == c ? '\0' : quote);
        }
    }
    text = Trim(text.substr(0, end));
    const bool isQuoted = text.size() > 1 && text.front() == text.back() &&
                          (text.front() == '"' || text.front() == '\'');
    return std::string(isQuoted ? Trim(text.substr(1, text.size() - 2)) : text);
}

/** Reads files of settings. */
class SysctlReader
{
  public:
    Expected<SysctlText> Read(std::string_view content)
    {
        const auto lines = SplitLines(content);
        const Form form = FindForm(lines);
        for (const auto& line : lines)
        {
            if (IsComment(line.text))
            {
                continue;
            }
            m_made.isBlank = false;
            const auto done = form == Form::PLAIN     ? TakePlain(line)
                              : form == Form::PROFILE ? TakeProfile(line)
                                                      : TakeScript(line);
            if (!done)
            {
                return Error{"line " + std::to_string(line.number) + ": " +
                             done.GetError().message};
            }
        }
        CloseSection();
        return std::move(m_made);
    }

  private:
    /** Adds a setting. @param key as it is written @param value it @param line where */
    void Add(std::string_view key, std::string value, size_t line)
    {
        key = key.starts_with('-') ? Trim(key.substr(1)) : key;
        SysctlSetting setting{.key = std::string(key), .value = std::move(value), .line = line};
        std::ranges::replace(setting.key, '/', '.');
        if (setting.key.starts_with(".proc.sys."))
        {
            setting.key.erase(0, std::string_view(".proc.sys.").size());
        }
        m_made.settings.push_back(std::move(setting));
    }

    /** A line of sysctl.conf. */
    Done TakePlain(const Line& line)
    {
        const std::string_view text = line.text;
        if (text.starts_with("sysctl:") || text.starts_with("* Applying ") ||
            text.starts_with("{%") || text.starts_with("{#") || text.starts_with("<%"))
        {
            return std::monostate{}; // messages of sysctl -a and sysctl --system; of a template
        }
        const size_t equals = text.find('=');
        const size_t colon = text.starts_with(PROC) ? text.find(':') : text.npos;
        if (equals == text.npos && colon != text.npos) // as "grep . /proc/sys/net/core/*" prints
        {
            Add(text.substr(0, colon), CleanValue(text.substr(colon + 1)), line.number);
            return std::monostate{};
        }
        if (equals == text.npos && text.starts_with('-') && text.size() > 1)
        {
            Add(text, "", line.number);
            m_made.settings.back().isException = true;
            return std::monostate{};
        }
        if (equals == text.npos)
        {
            return Error{"'" + Printable(text) +
                         "' is not a line of sysctl.conf; allowed: KEY = VALUE"};
        }
        const auto key = Trim(text.substr(0, equals));
        if (key.empty() || key == "-")
        {
            return Error{"'" + Printable(text) + "' lacks a key; allowed: KEY = VALUE"};
        }
        Add(key, CleanValue(text.substr(equals + 1)), line.number);
        return std::monostate{};
    }

    /** A line of a profile of TuneD (tuned-profiles(7); plug-in sysctl). */
    Done TakeProfile(const Line& line)
    {
        const std::string_view text = line.text;
        if (IsSection(text))
        {
            CloseSection();
            m_section = text.substr(1, text.size() - 2);
            m_begin = m_made.settings.size();
            m_isSysctl = m_section == "sysctl" || m_section.empty();
            return std::monostate{};
        }
        const size_t equals = text.find('=');
        const auto key = Trim(text.substr(0, equals));
        if (equals == text.npos || key.empty())
        {
            return m_section == "sysctl"
                       ? Done(Error{"'" + Printable(text) +
                                    "' is not a setting of section [sysctl]; allowed: KEY = VALUE"})
                       : Done(std::monostate{}); // of a list over several lines
        }
        std::string value = CleanValue(text.substr(equals + 1), "#");
        if (m_section == "variables")
        {
            m_variables[std::string(key)] = ExpandVariables(value, m_variables);
        }
        else if (m_section == "main" && key == "include")
        {
            TakeInclude(ExpandVariables(value, m_variables), line.number);
        }
        else if (key.find_first_of("./") == key.npos)
        {
            m_isSysctl = m_isSysctl || (key == "type" && value == "sysctl");
            m_isOff = m_isOff || (key == "enabled" && IsNo(value));
        }
        else
        {
            AddOfProfile(key, ExpandVariables(value, m_variables), line.number);
        }
        return std::monostate{};
    }

    /** Adds a setting whose value may begin with a modifier. */
    void AddOfProfile(std::string_view key, std::string value, size_t line)
    {
        const char modifier =
            value.size() > 1 && (value[0] == '>' || value[0] == '<') ? value[0] : '\0';
        Add(key, std::string(Trim(std::string_view(value).substr(modifier ? 1 : 0))), line);
        m_made.settings.back().modifier = modifier;
    }

    /** @param value of "enabled" @return whether it switches the section off */
    static bool IsNo(std::string_view value)
    {
        return value == "0" || value == "false" || value == "False" || value == "no" ||
               value == "off";
    }

    /** Names of profiles, with a comma or a semicolon between them. */
    void TakeInclude(std::string_view names, size_t line)
    {
        m_made.includeLine = line;
        while (!names.empty())
        {
            const size_t end = std::min(names.find_first_of(",; "), names.size());
            if (end > 0)
            {
                m_made.includes.emplace_back(names.substr(0, end));
            }
            names.remove_prefix(std::min(end + 1, names.size()));
        }
    }

    /** A section is over: what is of another plug-in, or switched off, does not count. */
    void CloseSection()
    {
        if (!m_section.empty() && (!m_isSysctl || m_isOff))
        {
            m_made.settings.resize(m_begin);
        }
        m_isSysctl = m_isOff = false;
    }

    /** A line of a script. */
    Done TakeScript(const Line& line)
    {
        if (TakeAssignment(line.text, line.number))
        {
            return std::monostate{};
        }
        const auto words = SplitShellLine(line.text, m_variables);
        for (const auto& command : SplitCommands(words))
        {
            TakeCommand(command, line.number);
        }
        return std::monostate{};
    }

    /**
     * Takes "KEY=VALUE" of a key or of a variable.
     * @param text one line
     * @param line its number
     * @return whether it is one
     */
    bool TakeAssignment(std::string_view text, size_t line)
    {
        for (const std::string_view word : {"export ", "local ", "readonly ", "declare "})
        {
            text = text.starts_with(word) ? Trim(text.substr(word.size())) : text;
        }
        const size_t equals = text.find('=');
        const auto key = Trim(text.substr(0, equals));
        if (equals == text.npos || key.empty() || key.find_first_of(" \t\"'$(){}") != key.npos)
        {
            return false;
        }
        const std::string value = ExpandVariables(CleanValue(text.substr(equals + 1)), m_variables);
        if (key.find_first_of("./") == key.npos)
        {
            m_variables[std::string(key)] = value;
            return text.find_first_of(";&|") == text.npos; // commands may follow
        }
        Add(key, value, line);
        return true;
    }

    /** Takes one command, which may be a pipe. */
    void TakeCommand(std::span<const ShellWord> words, size_t line)
    {
        if (const auto at = FindSysctl(words))
        {
            TakeSysctl(words.subspan(*at + 1), line);
            return;
        }
        const auto isEcho = [](const ShellWord& word) {
            return word.text == "echo" || word.text == "printf";
        };
        const auto echo = std::ranges::find_if(words, isEcho);
        std::string text;
        std::string target;
        bool isTarget = false;
        for (auto word = echo; word != words.end(); ++word)
        {
            const bool isOption = word->text.starts_with('-') && word->text.size() < 4;
            if (word->isOperator)
            {
                isTarget = true;
            }
            else if (isTarget && IsFileOfSettings(word->text))
            {
                target = word->text; // of "> FILE", or an argument of "| sudo tee -a FILE"
            }
            else if (!isTarget && word != echo && !isOption)
            {
                text += (text.empty() ? "" : " ") + word->text;
            }
        }
        if (target.starts_with(PROC))
        {
            Add(target, CleanValue(text), line);
        }
        else if (!target.empty())
        {
            TakeEchoed(text, line);
        }
    }

    /** @param name of a file @return whether a script that writes to it sets keys */
    static bool IsFileOfSettings(std::string_view name)
    {
        return name.starts_with(PROC) || name.find("sysctl") != name.npos ||
               name.ends_with(".conf");
    }

    /** Takes lines that a script appends to a file. */
    void TakeEchoed(std::string text, size_t line)
    {
        for (size_t at = 0; (at = text.find("\\n", at)) != text.npos;)
        {
            text.replace(at, 2, "\n");
        }
        for (const auto& each : SplitLines(text))
        {
            if (!each.text.starts_with('#'))
            {
                TakeAssignment(each.text, line);
            }
        }
    }

    /** Takes the arguments of sysctl: "KEY=VALUE", or "KEY = VALUE" that somebody has written. */
    void TakeSysctl(std::span<const ShellWord> words, size_t line)
    {
        for (size_t i = 0; i < words.size() && !words[i].isOperator; ++i)
        {
            std::string text = words[i].text;
            const bool isSpaced = i + 1 < words.size() && words[i + 1].text.starts_with('=') &&
                                  !text.starts_with('-');
            const bool isOpen = isSpaced || (text.ends_with('=') && !text.starts_with('-'));
            while (isOpen && i + 1 < words.size() && !words[i + 1].isOperator &&
                   (words[i + 1].text.find('=') == std::string::npos ||
                    words[i + 1].text.starts_with('=')))
            {
                text += " " + words[++i].text;
            }
            const size_t equals = text.find('=');
            if (equals != text.npos && equals > 0 && !text.starts_with('-'))
            {
                Add(Trim(std::string_view(text).substr(0, equals)),
                    CleanValue(std::string_view(text).substr(equals + 1)),
                    line);
            }
        }
    }

    SysctlText m_made;      //!< what is read
    Variables m_variables;  //!< of a profile or a script
    std::string m_section;  //!< of a profile, the one that is read
    size_t m_begin{0};      //!< first setting of that
    bool m_isSysctl{false}; //!< it is one of settings
    bool m_isOff{false};    //!< it is switched off
};

} // namespace

Expected<SysctlText>
ReadSysctlText(std::string_view content)
{
    return SysctlReader().Read(content);
}

} // namespace ns3::gridftp
