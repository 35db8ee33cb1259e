/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-utf8.h"

namespace ns3::gridftp
{

void
AppendUtf8(std::string& text, uint32_t character)
{
    const auto tail = [&text](uint32_t bits) { text += static_cast<char>(0x80 | (bits & 0x3f)); };
    if (character < 0x80)
    {
        text += static_cast<char>(character);
    }
    else if (character < 0x800)
    {
        text += static_cast<char>(0xc0 | (character >> 6));
        tail(character);
    }
    else if (character < 0x10000)
    {
        text += static_cast<char>(0xe0 | (character >> 12));
        tail(character >> 6);
        tail(character);
    }
    else
    {
        text += static_cast<char>(0xf0 | (character >> 18));
        tail(character >> 12);
        tail(character >> 6);
        tail(character);
    }
}

size_t
Utf8Length(std::string_view text)
{
    const auto at = [text](size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = at(0);
    if (first < 0x80)
    {
        return 1;
    }
    const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < length)
    {
        return 0;
    }
    for (size_t i = 1; i < length; ++i)
    {
        if ((at(i) & 0xc0) != 0x80)
        {
            return 0;
        }
    }
    // Overlong forms, halves of surrogate pairs, and what is beyond U+10FFFF.
    const bool good = !(first == 0xe0 && at(1) < 0xa0) && !(first == 0xed && at(1) > 0x9f) &&
                      !(first == 0xf0 && at(1) < 0x90) && !(first == 0xf4 && at(1) > 0x8f);
    return good ? length : 0;
}

} // namespace ns3::gridftp
