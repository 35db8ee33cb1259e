/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-ftp-url.h"

#include "gridftp-text.h"

#include <cctype>
#include <netdb.h>
#include <netinet/in.h>
#include <optional>
#include <sys/socket.h>

namespace ns3::gridftp
{

namespace
{

constexpr std::string_view SCHEME = "ftp://";

/** @param text with "%XX" for some bytes @return the bytes; none: a '%' without two digits */
std::optional<std::string>
DecodePercent(std::string_view text)
{
    std::string bytes;
    for (size_t i = 0; i < text.size(); ++i)
    {
        if (text[i] != '%')
        {
            bytes += text[i];
            continue;
        }
        int value = 0;
        for (const char digit :
             {i + 1 < text.size() ? text[i + 1] : '%', i + 2 < text.size() ? text[i + 2] : '%'})
        {
            const auto c = static_cast<unsigned char>(digit);
            if (!std::isxdigit(c))
            {
                return std::nullopt;
            }
            value = value * 16 + (std::isdigit(c) ? c - '0' : std::tolower(c) - 'a' + 10);
        }
        bytes += static_cast<char>(value);
        i += 2;
    }
    return bytes;
}

/** @param text of the URL @param reason what is wrong @return the error */
Error
MakeUrlError(std::string_view text, std::string_view reason)
{
    return Error{"URL " + Printable(text) + ": " + std::string(reason) +
                 "; allowed: ftp://HOST[:PORT]/PATH"};
}

} // namespace

bool
IsUrl(std::string_view text)
{
    const size_t colon = text.find("://");
    return colon != std::string_view::npos && text.find('/') > colon;
}

Expected<FtpUrl>
ParseFtpUrl(std::string_view text)
{
    if (!text.starts_with(SCHEME))
    {
        return MakeUrlError(text,
                            text.starts_with("gsiftp://")
                                ? "this program knows no GSI, only anonymous FTP"
                                : "not ftp://");
    }
    std::string_view rest = text.substr(SCHEME.size());
    const size_t slash = rest.find('/');
    if (slash == std::string_view::npos)
    {
        return MakeUrlError(text, "no path");
    }
    std::string_view server = rest.substr(0, slash);
    if (server.find('@') != std::string_view::npos)
    {
        return MakeUrlError(text, "users and passwords are not supported");
    }
    FtpUrl url;
    if (const size_t colon = server.find(':'); colon != std::string_view::npos)
    {
        const auto port = ParseNumber(server.substr(colon + 1), UINT16_MAX);
        if (!port || *port == 0)
        {
            return MakeUrlError(text, "no port from 1 to 65535");
        }
        url.port = static_cast<uint16_t>(*port);
        server = server.substr(0, colon);
    }
    const auto path = DecodePercent(rest.substr(slash));
    if (server.empty() || !path)
    {
        return MakeUrlError(text,
                            server.empty() ? "no host" : "a % without two hexadecimal digits");
    }
    if (path->size() < 2 || !IsLineText(*path))
    {
        return MakeUrlError(text, "no path of a file");
    }
    url.host = server;
    url.path = *path;
    return url;
}

Expected<HostPort>
ResolveHost(const std::string& host, uint16_t port)
{
    addrinfo hints{};
    hints.ai_family = AF_INET;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (const int status = getaddrinfo(host.c_str(), nullptr, &hints, &found); status != 0)
    {
        return Error{"host " + Printable(host) + ": " + gai_strerror(status)};
    }
    const auto* address = reinterpret_cast<const sockaddr_in*>(found->ai_addr);
    const HostPort result{ntohl(address->sin_addr.s_addr), port};
    freeaddrinfo(found);
    return result;
}

} // namespace ns3::gridftp
