/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-text-decoding.h"

#include "gridftp-utf8.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace ns3::gridftp
{

namespace
{

/** A file format that is not text. */
struct Format
{
    std::string_view magic;  //!< its first bytes
    std::string_view name;   //!< what it is
    std::string_view advice; //!< how to get the text; empty: by no single command
};

using namespace std::string_view_literals;

/** Formats that people have traces and settings in. */
constexpr std::array FORMATS{
    Format{"\x1f\x8b"sv, "compressed by gzip", "gunzip"},
    Format{"\xfd"
           "7zXZ"sv,
           "compressed by xz",
           "unxz"},
    Format{"BZh"sv, "compressed by bzip2", "bunzip2"},
    Format{"\x28\xb5\x2f\xfd"sv, "compressed by zstd", "unzstd"},
    Format{"\x04\x22\x4d\x18"sv, "compressed by lz4", "unlz4"},
    Format{"PK\x03\x04"sv, "a ZIP archive or a spreadsheet", "unzip, or the export as CSV"},
    Format{"7z\xbc\xaf"sv, "a 7z archive", "7z x"},
    Format{"\xd0\xcf\x11\xe0"sv, "an Office document", "the export as CSV"},
    Format{"\x93NUMPY"sv, "a NumPy array", "numpy.savetxt"},
    Format{"PAR1"sv, "a Parquet file", "pandas.DataFrame.to_csv"},
    Format{"\x89HDF"sv, "an HDF5 file", "h5dump"},
    Format{"SQLite format 3"sv, "an SQLite database", "sqlite3 -csv"},
    Format{"%PDF"sv, "a PDF document", "pdftotext"},
    Format{"\x7f"
           "ELF"sv,
           "a program",
           ""},
};

/** How two bytes make a UTF-16 unit. */
enum class ByteOrder
{
    LITTLE, //!< the low byte comes first
    BIG     //!< the high byte comes first
};

/** Finds UTF-16 without a byte order mark: ASCII characters leave every second byte 0. */
bool
LooksLikeUtf16(std::string_view bytes, ByteOrder order)
{
    constexpr size_t BEGINNING = 64;
    const auto part = bytes.substr(0, std::min(bytes.size() / 2 * 2, BEGINNING));
    const size_t high = order == ByteOrder::LITTLE ? 1 : 0;
    for (size_t at = 0; at < part.size(); at += 2)
    {
        if (part[at + high] != '\0' || part[at + 1 - high] == '\0')
        {
            return false;
        }
    }
    return part.size() >= 4;
}

/** Converts UTF-16 (RFC 2781); half a surrogate pair becomes U+FFFD. */
std::string
ConvertUtf16(std::string_view bytes, ByteOrder order)
{
    constexpr uint32_t REPLACEMENT = 0xfffd;
    const auto unitAt = [bytes, order](size_t at) {
        const auto first = static_cast<unsigned char>(bytes[at]);
        const auto second = static_cast<unsigned char>(bytes[at + 1]);
        return order == ByteOrder::LITTLE ? static_cast<uint32_t>(second << 8 | first)
                                          : static_cast<uint32_t>(first << 8 | second);
    };
    std::string text;
    text.reserve(bytes.size() / 2);
    for (size_t at = 0; at + 1 < bytes.size(); at += 2)
    {
        const uint32_t unit = unitAt(at);
        if (unit < 0xd800 || unit > 0xdfff)
        {
            AppendUtf8(text, unit);
            continue;
        }
        const bool hasPair = unit < 0xdc00 && at + 3 < bytes.size() && unitAt(at + 2) >= 0xdc00 &&
                             unitAt(at + 2) <= 0xdfff;
        AppendUtf8(text,
                   hasPair ? 0x10000 + ((unit - 0xd800) << 10) + (unitAt(at + 2) - 0xdc00)
                           : REPLACEMENT);
        at += hasPair ? 2 : 0;
    }
    return text;
}

/** Converts UTF-16 to UTF-8 where the bytes are that, and removes a byte order mark. */
std::string
ToUtf8(std::string bytes)
{
    const std::string_view all = bytes;
    if (all.starts_with("\xef\xbb\xbf"))
    {
        return bytes.substr(3);
    }
    if (all.starts_with("\xff\xfe"))
    {
        return ConvertUtf16(all.substr(2), ByteOrder::LITTLE);
    }
    if (all.starts_with("\xfe\xff"))
    {
        return ConvertUtf16(all.substr(2), ByteOrder::BIG);
    }
    for (const auto order : {ByteOrder::LITTLE, ByteOrder::BIG})
    {
        if (LooksLikeUtf16(all, order))
        {
            return ConvertUtf16(all, order);
        }
    }
    return bytes;
}

/** Makes LF of every CR LF and CR. */
void
UnifyLineEnds(std::string& text)
{
    size_t to = 0;
    for (size_t from = 0; from < text.size(); ++from)
    {
        const bool isPair = text[from] == '\r' && from + 1 < text.size() && text[from + 1] == '\n';
        if (!isPair)
        {
            text[to++] = text[from] == '\r' ? '\n' : text[from];
        }
    }
    text.resize(to);
}

} // namespace

Expected<std::string>
DecodeText(std::string bytes)
{
    for (const auto& format : FORMATS)
    {
        if (std::string_view(bytes).starts_with(format.magic))
        {
            return Error{"is " + std::string(format.name) + ", not text" +
                         (format.advice.empty() ? "" : " (" + std::string(format.advice) + ")")};
        }
    }
    std::string text = ToUtf8(std::move(bytes));
    if (const size_t zero = text.find('\0'); zero != text.npos)
    {
        return Error{"is binary, not text: byte " + std::to_string(zero + 1) + " is 0"};
    }
    if (text.find('\r') != text.npos)
    {
        UnifyLineEnds(text);
    }
    return text;
}

} // namespace ns3::gridftp
