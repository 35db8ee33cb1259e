/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-posix-socket.h"

#include "gridftp-buffer-settings.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstring>
#include <linux/sockios.h>
#include <linux/tcp.h> // newer than netinet/tcp.h of the C library
#include <netinet/in.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/socket.h>

namespace ns3::gridftp
{

namespace
{

constexpr int USER_TIMEOUT_MS = 300'000;

/** @param call name of the system call that failed, errno is set @param what it was to set @return
 * the error */
Error
MakeCallError(const char* call, std::string_view what)
{
    return {std::string(call) + " " + std::string(what) + ": " + strerror(errno)};
}

/** @param host address and port @return the same for system calls */
sockaddr_in
MakeAddress(const HostPort& host)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(host.port);
    address.sin_addr.s_addr = htonl(host.address);
    return address;
}

/** @return whether the option was set to the value */
bool
SetOption(int file, int level, int option, int value)
{
    return setsockopt(file, level, option, &value, sizeof value) == 0;
}

/** @return value of the option; 0 where there is none */
int
GetOption(int file, int level, int option)
{
    int value = 0;
    socklen_t size = sizeof value;
    return getsockopt(file, level, option, &value, &size) == 0 ? value : 0;
}

/** @return answer of an ioctl() that counts bytes; 0 where there is none */
uint64_t
AskForCount(int file, unsigned long request)
{
    int bytes = 0;
    return ioctl(file, request, &bytes) == 0 ? static_cast<uint64_t>(std::max(bytes, 0)) : 0;
}

/** @return whether the kernel sizes the buffers, as it does unless it is asked for a size */
bool
DoesKernelSize(const BufferSettings& buffers)
{
    return buffers.policy && buffers.policy->moves && buffers.GetChannel() == SizingChannel::NONE;
}

} // namespace

std::string_view
GetKernelName(std::string_view tcp)
{
    // The kernel's "reno" recovers from losses as NewReno (RFC 6582)
    return tcp == "newreno" ? "reno" : tcp;
}

Expected<PosixSocket>
PosixSocket::Make(const StreamTerms& terms)
{
    PosixSocket made(
        FileDescriptor(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP)));
    if (!made.IsOpen())
    {
        return MakeCallError("socket", "TCP");
    }
    const auto name = GetKernelName(terms.tcp);
    if (!name.empty() && setsockopt(made.Get(),
                                    IPPROTO_TCP,
                                    TCP_CONGESTION,
                                    name.data(),
                                    static_cast<socklen_t>(name.size())) != 0)
    {
        return MakeCallError("congestion control", name);
    }
    if (!terms.holdsSmall && !SetOption(made.Get(), IPPROTO_TCP, TCP_NODELAY, 1))
    {
        return MakeCallError("setsockopt", "TCP_NODELAY");
    }
    // A peer that acknowledges nothing, or does not read, must not hold a connection for ever
    SetOption(made.Get(), IPPROTO_TCP, TCP_USER_TIMEOUT, USER_TIMEOUT_MS);
    const BufferSettings buffers = MakeBufferSettings(terms.buffers, 0);
    const bool isKernels = DoesKernelSize(buffers);
    // Before the handshake, which scales the window field for the largest size
    if (const uint64_t bytes = isKernels ? 0 : buffers.GetMostWindow(); bytes > 0)
    {
        made.SetReceiveBuffer(bytes);
    }
    if (const uint64_t bytes = isKernels ? buffers.sendBuffer : buffers.GetFirstSendBuffer();
        bytes > 0)
    {
        made.SetSendBuffer(bytes);
    }
    return made;
}

Expected<uint16_t>
PosixSocket::Listen(const HostPort& own)
{
    if (own.port != 0)
    {
        SetOption(Get(), SOL_SOCKET, SO_REUSEADDR, 1); // despite old connections in TIME-WAIT
    }
    sockaddr_in address = MakeAddress(own);
    socklen_t size = sizeof address;
    const auto where = [&own] { return "port " + std::to_string(own.port); };
    if (bind(Get(), reinterpret_cast<const sockaddr*>(&address), size) != 0)
    {
        return MakeCallError("bind", where());
    }
    if (listen(Get(), SOMAXCONN) != 0 ||
        getsockname(Get(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
    {
        return MakeCallError("listen", where());
    }
    return ntohs(address.sin_port);
}

int
PosixSocket::Connect(uint32_t own, const HostPort& to)
{
    // The kernel chooses the port when it knows the peer, so that more connections find one
    SetOption(Get(), IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1);
    const sockaddr_in from = MakeAddress({.address = own});
    const sockaddr_in peer = MakeAddress(to);
    if (bind(Get(), reinterpret_cast<const sockaddr*>(&from), sizeof from) == 0 &&
        connect(Get(), reinterpret_cast<const sockaddr*>(&peer), sizeof peer) == 0)
    {
        return 0;
    }
    return errno == EINPROGRESS || errno == EINTR ? 0 : errno;
}

void
PosixSocket::Settle(const StreamTerms& terms) const
{
    const BufferSettings buffers = MakeBufferSettings(terms.buffers, 0);
    if (!DoesKernelSize(buffers) && buffers.window > 0 && buffers.GetMostWindow() > buffers.window)
    {
        SetReceiveBuffer(buffers.window);
    }
}

int
PosixSocket::TakeError() const
{
    return GetOption(Get(), SOL_SOCKET, SO_ERROR);
}

uint32_t
PosixSocket::GetLocalAddress() const
{
    sockaddr_in own{};
    socklen_t size = sizeof(own);
    return getsockname(m_file.Get(), reinterpret_cast<sockaddr*>(&own), &size) == 0
               ? ntohl(own.sin_addr.s_addr)
               : 0;
}

uint32_t
PosixSocket::GetPeerAddress() const
{
    sockaddr_in peer{};
    socklen_t size = sizeof(peer);
    return getpeername(m_file.Get(), reinterpret_cast<sockaddr*>(&peer), &size) == 0
               ? ntohl(peer.sin_addr.s_addr)
               : 0;
}

uint64_t
PosixSocket::GetUnread() const
{
    return AskForCount(Get(), SIOCINQ);
}

uint64_t
PosixSocket::GetUnacknowledged() const
{
    return AskForCount(Get(), SIOCOUTQ);
}

uint64_t
PosixSocket::GetSegmentBytes() const
{
    return static_cast<uint64_t>(std::max(GetOption(Get(), IPPROTO_TCP, TCP_MAXSEG), 1));
}

uint64_t
PosixSocket::GetBuffer(int option) const
{
    return static_cast<uint64_t>(GetOption(Get(), SOL_SOCKET, option)) / 2;
}

void
PosixSocket::SetBuffer(int option, uint64_t bytes) const
{
    const auto value = std::min<uint64_t>(bytes, INT_MAX / 2);
    SetOption(Get(), SOL_SOCKET, option, static_cast<int>(value));
}

uint64_t
PosixSocket::GetSendBuffer() const
{
    return GetBuffer(SO_SNDBUF);
}

void
PosixSocket::SetSendBuffer(uint64_t bytes) const
{
    SetBuffer(SO_SNDBUF, bytes);
}

uint64_t
PosixSocket::GetReceiveBuffer() const
{
    return GetBuffer(SO_RCVBUF);
}

void
PosixSocket::SetReceiveBuffer(uint64_t bytes) const
{
    SetBuffer(SO_RCVBUF, bytes);
}

ConnectionTotals
PosixSocket::GetTotals() const
{
    // Behind tcpi_snd_wnd come tcpi_rcv_wnd, tcpi_rehash and, since Linux 6.7, the 16 bits of
    // tcpi_total_rto, which headers of older systems do not name
    constexpr size_t TIMEOUTS = offsetof(tcp_info, tcpi_snd_wnd) + 12;

    struct
    {
        tcp_info known;
        char more[64];
    } info{};

    socklen_t size = sizeof info;
    if (getsockopt(Get(), IPPROTO_TCP, TCP_INFO, &info, &size) != 0)
    {
        return {};
    }
    uint16_t timeouts = 0;
    if (size >= TIMEOUTS + sizeof timeouts)
    {
        std::memcpy(&timeouts, reinterpret_cast<const char*>(&info) + TIMEOUTS, sizeof timeouts);
    }
    const uint64_t sent = info.known.tcpi_data_segs_out;
    const uint64_t repeated = info.known.tcpi_total_retrans;
    const uint64_t open = repeated + info.known.tcpi_unacked;
    return {.segments = sent - std::min(sent, open),
            .retransmissions = repeated,
            .timeouts = timeouts};
}

void
PosixSocket::Close()
{
    constexpr size_t PORTION = 1 << 20;
    constexpr int MOST_PORTIONS = 64; // a peer that goes on sending gets a RST in the end
    ssize_t count = 1;
    for (int i = 0; i < MOST_PORTIONS && count > 0 && IsOpen(); ++i)
    {
        // With MSG_TRUNC, TCP discards the bytes instead of copying them
        count = recv(Get(), nullptr, PORTION, MSG_TRUNC | MSG_DONTWAIT);
    }
    m_file.Close();
}

void
PosixSocket::Reset()
{
    const linger atOnce{.l_onoff = 1, .l_linger = 0};
    setsockopt(Get(), SOL_SOCKET, SO_LINGER, &atOnce, sizeof atOnce);
    m_file.Close();
}

} // namespace ns3::gridftp
