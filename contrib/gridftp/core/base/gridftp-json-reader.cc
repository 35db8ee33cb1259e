/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-json-reader.h"

#include "gridftp-text.h"
#include "gridftp-utf8.h"

#include <charconv>
#include <limits>
#include <set>
#include <utility>

namespace ns3::gridftp
{

namespace
{

/** Deepest nesting of values; a scenario has three levels. */
constexpr int MOST_DEPTH = 32;

/** Units of UTF-16 that are halves of a pair. */
constexpr uint32_t HIGH_SURROGATE = 0xd800;
constexpr uint32_t LOW_SURROGATE = 0xdc00;
constexpr uint32_t AFTER_SURROGATES = 0xe000;

bool
IsDigit(char c)
{
    return c >= '0' && c <= '9';
}

/** Reads one text; each Read function begins at the first character of what it reads. */
class Reader
{
  public:
    /** @param text all of it */
    explicit Reader(std::string_view text)
        : m_text(text)
    {
    }

    /** @return the value that is the whole text */
    Expected<JsonValue> ReadAll();

  private:
    /** @param depth of the value @return the value that begins here */
    Expected<JsonValue> ReadValue(int depth);

    /** @param depth of the array @return the array */
    Expected<JsonValue> ReadArray(int depth);

    /** @param depth of the object @return the object */
    Expected<JsonValue> ReadObject(int depth);

    /** @param value gets the key and its value @param depth of the object @return done */
    Done ReadMember(JsonValue& value, int depth);

    /** @return the characters of the string */
    Expected<std::string> ReadString();

    /** Reads an escape. @param text gets its character @return done */
    Done ReadEscape(std::string& text);

    /** @return the four hexadecimal digits here, nothing if there are none */
    std::optional<uint32_t> ReadHex();

    /** @return the number */
    Expected<JsonValue> ReadNumber();

    /** @return whether there was at least one digit */
    bool SkipDigits();

    /** Goes to the next character that is no white space. */
    void SkipSpace();

    /** @param word expected here @return whether it was, and was skipped */
    bool Skip(std::string_view word);

    /** @return the character here, NUL at the end */
    char Peek() const
    {
        return m_at < m_text.size() ? m_text[m_at] : '\0';
    }

    /** @param allowed what may stand here @return that something else does */
    Error Misplaced(std::string_view allowed) const;

    /** @param what is wrong here @return the error */
    Error Fault(std::string_view what) const
    {
        return Error{"at byte " + std::to_string(m_at + 1) + " " + std::string(what)};
    }

    std::string_view m_text; //!< all of it
    size_t m_at{0};          //!< what is read next
};

Error
Reader::Misplaced(std::string_view allowed) const
{
    const std::string found =
        m_at < m_text.size() ? "'" + Printable(m_text.substr(m_at, 1)) + "' is" : "the end is";
    return Fault(found + " out of place; allowed: " + std::string(allowed));
}

void
Reader::SkipSpace()
{
    while (m_at < m_text.size() &&
           (Peek() == ' ' || Peek() == '\t' || Peek() == '\n' || Peek() == '\r'))
    {
        ++m_at;
    }
}

bool
Reader::Skip(std::string_view word)
{
    if (!m_text.substr(m_at).starts_with(word))
    {
        return false;
    }
    m_at += word.size();
    return true;
}

bool
Reader::SkipDigits()
{
    const size_t begin = m_at;
    while (IsDigit(Peek()))
    {
        ++m_at;
    }
    return m_at > begin;
}

Expected<JsonValue>
Reader::ReadAll()
{
    SkipSpace();
    auto value = ReadValue(1);
    if (!value)
    {
        return value;
    }
    SkipSpace();
    if (m_at < m_text.size())
    {
        return Misplaced("nothing after the value");
    }
    return value;
}

Expected<JsonValue>
Reader::ReadValue(int depth)
{
    if (depth > MOST_DEPTH)
    {
        return Fault("values are nested too deeply; allowed: " + std::to_string(MOST_DEPTH) +
                     " levels");
    }
    JsonValue value;
    if (Peek() == '{')
    {
        return ReadObject(depth);
    }
    if (Peek() == '[')
    {
        return ReadArray(depth);
    }
    if (Peek() == '"')
    {
        auto text = ReadString();
        if (!text)
        {
            return text.GetError();
        }
        value.kind = JsonKind::TEXT;
        value.text = std::move(*text);
        return value;
    }
    if (Peek() == '-' || IsDigit(Peek()))
    {
        return ReadNumber();
    }
    if (Skip("null"))
    {
        return value;
    }
    value.kind = JsonKind::BOOLEAN;
    value.flag = Skip("true");
    if (value.flag || Skip("false"))
    {
        return value;
    }
    return Misplaced("a value");
}

Expected<JsonValue>
Reader::ReadArray(int depth)
{
    JsonValue value;
    value.kind = JsonKind::ARRAY;
    ++m_at;
    SkipSpace();
    if (Skip("]"))
    {
        return value;
    }
    while (true)
    {
        SkipSpace();
        auto item = ReadValue(depth + 1);
        if (!item)
        {
            return item;
        }
        value.items.push_back(std::move(*item));
        SkipSpace();
        if (Skip("]"))
        {
            return value;
        }
        if (!Skip(","))
        {
            return Misplaced("',' or ']'");
        }
    }
}

Expected<JsonValue>
Reader::ReadObject(int depth)
{
    JsonValue value;
    value.kind = JsonKind::OBJECT;
    std::set<std::string> seen;
    ++m_at;
    SkipSpace();
    if (Skip("}"))
    {
        return value;
    }
    while (true)
    {
        SkipSpace();
        const size_t begin = m_at;
        if (auto done = ReadMember(value, depth); !done)
        {
            return done.GetError();
        }
        if (!seen.insert(value.keys.back()).second)
        {
            m_at = begin;
            return Fault("\"" + Printable(value.keys.back()) +
                         "\" comes twice; allowed: once in an object");
        }
        SkipSpace();
        if (Skip("}"))
        {
            return value;
        }
        if (!Skip(","))
        {
            return Misplaced("',' or '}'");
        }
    }
}

Done
Reader::ReadMember(JsonValue& value, int depth)
{
    if (Peek() != '"')
    {
        return Misplaced("a key in quotation marks");
    }
    auto key = ReadString();
    if (!key)
    {
        return key.GetError();
    }
    SkipSpace();
    if (!Skip(":"))
    {
        return Misplaced("':'");
    }
    SkipSpace();
    auto item = ReadValue(depth + 1);
    if (!item)
    {
        return item.GetError();
    }
    value.keys.push_back(std::move(*key));
    value.items.push_back(std::move(*item));
    return std::monostate{};
}

Expected<std::string>
Reader::ReadString()
{
    std::string text;
    ++m_at;
    while (m_at < m_text.size())
    {
        const char c = m_text[m_at];
        if (c == '"')
        {
            ++m_at;
            return text;
        }
        if (c == '\\')
        {
            if (auto done = ReadEscape(text); !done)
            {
                return done.GetError();
            }
            continue;
        }
        const size_t length = Utf8Length(m_text.substr(m_at));
        if (static_cast<unsigned char>(c) < 0x20 || length == 0)
        {
            return Fault(length == 0 ? "the text is not UTF-8; allowed: whole UTF-8 characters"
                                     : "there is a control character; allowed: its escape");
        }
        text += m_text.substr(m_at, length);
        m_at += length;
    }
    return Misplaced("a quotation mark that ends the text");
}

Done
Reader::ReadEscape(std::string& text)
{
    constexpr std::string_view LETTERS = "\"\\/bfnrt";
    constexpr std::string_view MEANINGS = "\"\\/\b\f\n\r\t";
    ++m_at;
    if (const auto i = LETTERS.find(Peek()); i != LETTERS.npos && m_at < m_text.size())
    {
        text += MEANINGS[i];
        ++m_at;
        return std::monostate{};
    }
    const auto unit = Skip("u") ? ReadHex() : std::nullopt;
    if (!unit)
    {
        return Misplaced("an escape such as \\n or \\u00e9");
    }
    uint32_t character = *unit;
    if (character >= HIGH_SURROGATE && character < LOW_SURROGATE)
    {
        // where none is, 0 is outside of the range too
        const uint32_t low = Skip("\\u") ? ReadHex().value_or(0) : 0;
        if (low < LOW_SURROGATE || low >= AFTER_SURROGATES)
        {
            return Fault("half a surrogate pair ends; allowed: both halves");
        }
        character = 0x10000 + ((character - HIGH_SURROGATE) << 10) + (low - LOW_SURROGATE);
    }
    else if (character >= LOW_SURROGATE && character < AFTER_SURROGATES)
    {
        return Fault("half a surrogate pair ends; allowed: both halves");
    }
    AppendUtf8(text, character);
    return std::monostate{};
}

std::optional<uint32_t>
Reader::ReadHex()
{
    constexpr size_t DIGITS = 4;
    const auto digits = m_text.substr(m_at, DIGITS);
    const char* end = digits.data() + digits.size();
    uint32_t value = 0;
    const auto read = std::from_chars(digits.data(), end, value, 16);
    if (digits.size() < DIGITS || read.ptr != end)
    {
        return std::nullopt;
    }
    m_at += DIGITS;
    return value;
}

Expected<JsonValue>
Reader::ReadNumber()
{
    JsonValue value;
    value.kind = JsonKind::NUMBER;
    const size_t begin = m_at;
    Skip("-");
    // A number does not begin with a zero that could be left out.
    if (!Skip("0") && !SkipDigits())
    {
        return Misplaced("a digit");
    }
    if (Skip(".") && !SkipDigits())
    {
        return Misplaced("a digit");
    }
    if (Skip("e") || Skip("E"))
    {
        if (!Skip("+"))
        {
            Skip("-");
        }
        if (!SkipDigits())
        {
            return Misplaced("a digit");
        }
    }
    value.text = m_text.substr(begin, m_at - begin);
    return value;
}

} // namespace

std::optional<double>
JsonValue::GetReal() const
{
    double value = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    if (kind != JsonKind::NUMBER || read.ec != std::errc() || read.ptr != end)
    {
        return std::nullopt;
    }
    return value;
}

std::optional<int64_t>
JsonValue::GetWhole() const
{
    int64_t whole = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, whole);
    if (kind == JsonKind::NUMBER && read.ec == std::errc() && read.ptr == end)
    {
        return whole;
    }
    // With a point or an exponent: exact as long as a double is.
    constexpr double EXACT = 9007199254740992; // 2^53
    const auto real = GetReal();
    if (!real || *real <= -EXACT || *real >= EXACT ||
        static_cast<double>(static_cast<int64_t>(*real)) != *real)
    {
        return std::nullopt;
    }
    return static_cast<int64_t>(*real);
}

Expected<JsonValue>
ParseJson(std::string_view text)
{
    return Reader(text).ReadAll();
}

} // namespace ns3::gridftp
