/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-json-writer.h"

#include "gridftp-quantity.h"
#include "gridftp-utf8.h"

#include <algorithm>

namespace ns3::gridftp
{

namespace
{

/** Whether a JSON string may contain a character unescaped, and it is printable ASCII. */
bool
IsPlain(char c)
{
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

} // namespace

void
JsonWriter::Separate()
{
    if (m_afterKey)
    {
        m_afterKey = false;
        return;
    }
    if (!m_needsComma.empty())
    {
        if (m_needsComma.back())
        {
            m_text += ", ";
        }
        m_needsComma.back() = true;
    }
}

JsonWriter&
JsonWriter::BeginObject()
{
    Separate();
    m_text += '{';
    m_needsComma.push_back(false);
    return *this;
}

JsonWriter&
JsonWriter::EndObject()
{
    m_text += '}';
    m_needsComma.pop_back();
    return *this;
}

JsonWriter&
JsonWriter::BeginArray()
{
    Separate();
    m_text += '[';
    m_needsComma.push_back(false);
    return *this;
}

JsonWriter&
JsonWriter::EndArray()
{
    m_text += ']';
    m_needsComma.pop_back();
    return *this;
}

JsonWriter&
JsonWriter::Key(std::string_view name)
{
    String(name);
    m_text += ": ";
    m_afterKey = true;
    return *this;
}

JsonWriter&
JsonWriter::String(std::string_view text)
{
    Separate();
    constexpr std::string_view HEX = "0123456789abcdef";
    m_text += '"';
    for (size_t at = 0; at < text.size();)
    {
        // Most texts need no escape: append the longest part without one at once
        const auto plain = std::ranges::find_if_not(text.substr(at), IsPlain);
        m_text.append(text.begin() + at, plain);
        at = plain - text.begin();
        if (at == text.size())
        {
            break;
        }
        const char c = text[at];
        const auto byte = static_cast<unsigned char>(c);
        const size_t length = Utf8Length(text.substr(at));
        if (c == '"' || c == '\\')
        {
            m_text += '\\';
            m_text += c;
        }
        else if (byte < 0x20 || length == 0)
        {
            // A command line may hold any bytes; one that is no character becomes its Latin-1 one.
            m_text += "\\u00";
            m_text += HEX[byte >> 4];
            m_text += HEX[byte & 0xf];
        }
        else
        {
            m_text += text.substr(at, length);
        }
        at += length == 0 ? 1 : length;
    }
    m_text += '"';
    return *this;
}

JsonWriter&
JsonWriter::Integer(int64_t value)
{
    return Raw(std::to_string(value));
}

JsonWriter&
JsonWriter::Number(double value)
{
    const bool finite = value - value == 0;
    return Raw(finite ? FormatReal(value) : "null");
}

JsonWriter&
JsonWriter::Bool(bool value)
{
    return Raw(value ? "true" : "false");
}

JsonWriter&
JsonWriter::Null()
{
    return Raw("null");
}

JsonWriter&
JsonWriter::Raw(std::string_view json)
{
    Separate();
    m_text += json;
    return *this;
}

const std::string&
JsonWriter::GetText() const
{
    return m_text;
}

} // namespace ns3::gridftp
