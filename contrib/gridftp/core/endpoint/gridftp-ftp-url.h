/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_FTP_URL_H
#define GRIDFTP_FTP_URL_H

#include "gridftp-control-text.h"
#include "gridftp-expected.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief The location of a file on an FTP server (RFC 1738, Section 3.2). */
struct FtpUrl
{
    static constexpr uint16_t FTP_PORT = 21; //!< where the URL has no port

    std::string host;        //!< name or IPv4 address
    uint16_t port{FTP_PORT}; //!< of control connections
    std::string path;        //!< absolute, decoded
};

/** @ingroup gridftp @param text any @return whether it is a URL, rather than the path of a local
 * file
 */
bool IsUrl(std::string_view text);

/** @ingroup gridftp @param text "ftp://HOST[:PORT]/PATH" @return the location, or what is wrong,
 * one line */
Expected<FtpUrl> ParseFtpUrl(std::string_view text);

/** @ingroup gridftp Finds the IPv4 address of a host; may ask a name server. @param host name or
 * address @param port of the result @return address and port; or what is wrong, one line */
Expected<HostPort> ResolveHost(const std::string& host, uint16_t port);

} // namespace ns3::gridftp

#endif // GRIDFTP_FTP_URL_H
