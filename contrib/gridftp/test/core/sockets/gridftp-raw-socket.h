/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_RAW_SOCKET_H
#define GRIDFTP_RAW_SOCKET_H

#include "ns3/gridftp-file-descriptor.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <netinet/in.h>
#include <optional>
#include <span>
#include <sys/socket.h>
#include <sys/time.h>

/**
 * @file
 * @ingroup gridftp
 * A socket without the driver, for a peer of which a test writes every byte.
 */

namespace ns3::gridftp
{

/// A TCP socket on 127.0.0.1.
class RawSocket
{
  public:
    RawSocket()
        : m_file(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
    }

    /// Takes an ephemeral port, on which nobody listens. @return the port
    uint16_t Bind()
    {
        sockaddr_in address = MakeAddress(0);
        socklen_t size = sizeof address;
        bind(m_file.Get(), reinterpret_cast<const sockaddr*>(&address), size);
        getsockname(m_file.Get(), reinterpret_cast<sockaddr*>(&address), &size);
        return ntohs(address.sin_port);
    }

    /// Connects to a listener of this process; the kernel completes the handshake at once. @param
    /// port of it @return whether there is one
    bool Connect(uint16_t port)
    {
        const sockaddr_in address = MakeAddress(port);
        return connect(m_file.Get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) ==
               0;
    }

    /// Sends what the send buffer has room for. @param bytes of it @return how many were sent
    size_t Send(std::span<const uint8_t> bytes)
    {
        const auto count =
            send(m_file.Get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        return count < 0 ? 0 : static_cast<size_t>(count);
    }

    /// Reads until the peer's FIN, at most 30 s. @return how many bytes; none: a RST came instead
    std::optional<size_t> ReadToEnd()
    {
        const timeval latest{.tv_sec = 30, .tv_usec = 0};
        setsockopt(m_file.Get(), SOL_SOCKET, SO_RCVTIMEO, &latest, sizeof latest);
        std::array<uint8_t, 4096> bytes{};
        size_t all = 0;
        while (true)
        {
            const auto count = recv(m_file.Get(), bytes.data(), bytes.size(), 0);
            if (count <= 0)
            {
                return count == 0 ? std::optional(all) : std::nullopt;
            }
            all += static_cast<size_t>(count);
        }
    }

    /// Sends a FIN.
    void Finish()
    {
        shutdown(m_file.Get(), SHUT_WR);
    }

    /// Closes with a RST.
    void Reset()
    {
        const linger atOnce{.l_onoff = 1, .l_linger = 0};
        setsockopt(m_file.Get(), SOL_SOCKET, SO_LINGER, &atOnce, sizeof atOnce);
        m_file.Close();
    }

  private:
    /// @param port any @return it on 127.0.0.1
    static sockaddr_in MakeAddress(uint16_t port)
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return address;
    }

    FileDescriptor m_file; ///< the socket
};

} // namespace ns3::gridftp

#endif // GRIDFTP_RAW_SOCKET_H
