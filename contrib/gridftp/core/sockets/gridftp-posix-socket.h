/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_POSIX_SOCKET_H
#define GRIDFTP_POSIX_SOCKET_H

#include "gridftp-application-host.h"
#include "gridftp-connection-totals.h"
#include "gridftp-control-text.h"
#include "gridftp-expected.h"
#include "gridftp-file-descriptor.h"

#include <cstdint>
#include <string_view>
#include <utility>

namespace ns3::gridftp
{

/** @ingroup gridftp @param tcp congestion control, as StreamTerms::tcp @return its name in the
 * kernel of Linux; empty: the default of the kernel */
std::string_view GetKernelName(std::string_view tcp);

/**
 * @ingroup gridftp
 * A TCP socket of Linux (IPv4), with the system calls that PosixStream and PosixListener need. No
 * call blocks. It never raises SIGPIPE, and a program that this process starts does not inherit it.
 *
 * Sizes of buffers are those that the application asks for. The kernel doubles a size that is set,
 * for its own data; this class halves what the kernel reports. The kernel reduces sizes above
 * net.core.rmem_max or wmem_max without an error: read them again.
 */
class PosixSocket
{
  public:
    PosixSocket() = default;

    /** @param file socket of an accepted connection, non-blocking; options are inherited from the
     * listening socket */
    explicit PosixSocket(FileDescriptor file)
        : m_file(std::move(file))
    {
    }

    /** Makes a socket. Sets congestion control, Nagle's algorithm and buffers. @param terms of a
     * connection, or of those that it will accept @return the socket, or what the kernel refused */
    static Expected<PosixSocket> Make(const StreamTerms& terms);

    /** @return descriptor for an event loop; -1: closed */
    int Get() const
    {
        return m_file.Get();
    }

    /** @return whether it is open */
    bool IsOpen() const
    {
        return m_file.IsOpen();
    }

    /** Binds and listens. @param own address and port; port 0: an ephemeral one @return the port,
     * or what the kernel refused */
    Expected<uint16_t> Listen(const HostPort& own);

    /** Begins to connect. @param own address of this endpoint; its port is ephemeral @param to the
     * peer @return 0: it connects; else errno */
    int Connect(uint32_t own, const HostPort& to);

    /** Sets the receive buffer of an established connection, where it begins smaller than the
     * largest size, for which the handshake has scaled the window. @param terms of it */
    void Settle(const StreamTerms& terms) const;

    /** @return errno of what happened to the connection, which the kernel then forgets; 0: nothing
     */
    int TakeError() const;

    /** @return IPv4 address of this endpoint, host byte order; 0: not bound */
    uint32_t GetLocalAddress() const;

    /** @return IPv4 address of the peer, host byte order; 0: not connected */
    uint32_t GetPeerAddress() const;

    /** @return bytes that have arrived and are not read */
    uint64_t GetUnread() const;

    /** @return bytes in the send buffer that the peer has not acknowledged */
    uint64_t GetUnacknowledged() const;

    /** @return payload of a full segment, bytes; before the handshake the default of the kernel */
    uint64_t GetSegmentBytes() const;

    /** @return size of the send buffer, bytes */
    uint64_t GetSendBuffer() const;

    /** @param bytes size of the send buffer from now on */
    void SetSendBuffer(uint64_t bytes) const;

    /** @return size of the receive buffer, bytes */
    uint64_t GetReceiveBuffer() const;

    /** @param bytes size of the receive buffer from now on */
    void SetReceiveBuffer(uint64_t bytes) const;

    /** @return counts of what this endpoint has sent. Kernels before Linux 6.7 do not count
     * timeouts, which are 0 then */
    ConnectionTotals GetTotals() const;

    /** Closes the connection with a FIN after all that is in the send buffer. Bytes that have
     * arrived are discarded first, because the kernel sends a RST otherwise. */
    void Close();

    /** Closes the connection with a RST. */
    void Reset();

  private:
    /** @param option of level SOL_SOCKET @return half of its value */
    uint64_t GetBuffer(int option) const;

    /** @param option of level SOL_SOCKET @param bytes value that is set, at least 1 */
    void SetBuffer(int option, uint64_t bytes) const;

    FileDescriptor m_file; //!< the socket
};

} // namespace ns3::gridftp

#endif // GRIDFTP_POSIX_SOCKET_H
