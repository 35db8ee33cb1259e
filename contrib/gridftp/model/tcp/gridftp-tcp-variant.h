/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TCP_VARIANT_H
#define GRIDFTP_TCP_VARIANT_H

#include "gridftp-buffer-settings.h"
#include "gridftp-buffer-tally.h"

#include "ns3/node.h"
#include "ns3/socket.h"
#include "ns3/type-id.h"

#include <optional>
#include <string>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * @brief Find the TypeId behind the name of a TCP.
 *
 * A short name is that of a CongestionControlKind, which says what ns-3 calls it. Any other name is
 * looked up among the registered TypeIds ("ns3::TcpVegas", "ns3::TcpSocketBase", ...).
 *
 * @param name the name
 * @return the TypeId, or nothing where there is none of that name, or where it is no TCP
 *         (IsTcpVariant())
 */
std::optional<TypeId> FindTcpVariant(const std::string& name);

/**
 * @ingroup gridftp
 * @brief Whether CreateTcpSocket() can make a socket of a type.
 * @param variant the type
 * @return true for a creatable subclass of ns3::TcpSocketBase (or it itself) or of
 *         ns3::TcpCongestionOps
 */
bool IsTcpVariant(TypeId variant);

/**
 * @ingroup gridftp
 * @brief Whether CreateTcpSocket() makes a socket whose buffers may move.
 * @param variant the type, with IsTcpVariant()
 * @return true unless it is a socket of ns-3's own
 */
bool MayMoveBuffers(TypeId variant);

/**
 * @ingroup gridftp
 * @brief Create a TCP socket of a variant on a node.
 *
 * A socket class is created and set up as TcpL4Protocol::CreateSocket() does, with ns3::TcpNewReno
 * as its congestion algorithm. A congestion algorithm runs in a TcpSocketGuarded, which sends what
 * ns-3's own socket sends; "ns3::TcpSocketBase" gives the unguarded one with TcpNewReno. The kinds
 * of recovery and of RTT estimator are the node's TcpL4Protocol attributes.
 *
 * @param node the node, with an internet stack (fatal without)
 * @param variant the type (fatal unless IsTcpVariant())
 * @return the socket, unbound
 */
Ptr<Socket> CreateTcpSocket(Ptr<Node> node, TypeId variant);

/**
 * @ingroup gridftp
 * @brief Set the buffers of a socket, before it connects or listens.
 *
 * With buffers that move: fatal unless it is a TcpSocketRightSizing, as those are that
 * CreateTcpSocket() makes of a congestion algorithm or of TcpSocketReno.
 *
 * @param socket a TCP socket
 * @param settings of the connection; its send buffer lets a whole window be in flight beside what
 *        waits (GetSendBufferFor()), since ns-3 refuses a write larger than the room left and, with
 * a buffer of just 64 KiB and segments of 1460 bytes, would send what is left beside 44 segments in
 * flight as a short one
 */
void SetTcpBuffers(Ptr<Socket> socket, const BufferSettings& settings);

/**
 * @ingroup gridftp
 * @brief Set the buffers of a socket as a scenario has them, with the socket's own segment size.
 * @param socket a TCP socket
 * @param spec of its buffers
 * @return what was set
 */
BufferSettings SetTcpBuffers(Ptr<Socket> socket, const BufferSpec& spec);

/**
 * @ingroup gridftp
 * @brief Have a socket hold back short segments: Nagle's algorithm, see
 * TcpSocketGuarded::HoldSmall(); with a socket of ns-3's own as that has it (RFC 896).
 * @param socket a TCP socket, before it connects or listens
 */
void HoldSmallSegments(Ptr<Socket> socket);

/**
 * @ingroup gridftp
 * @brief Get the segment size of a socket.
 * @param socket a TCP socket
 * @return MSS, bytes
 */
uint32_t GetTcpSegmentBytes(Ptr<Socket> socket);

/**
 * @ingroup gridftp
 * @brief Get the size of a socket's send buffer now.
 * @param socket a TCP socket
 * @return bytes
 */
uint32_t GetTcpSendBuffer(Ptr<Socket> socket);

/**
 * @ingroup gridftp
 * @brief Set the send buffer of a connection, where its buffers move.
 * @param socket a TCP socket
 * @param bytes size; what is less than there is changes nothing
 */
void GrowTcpSendBuffer(Ptr<Socket> socket, uint64_t bytes);

/**
 * @ingroup gridftp
 * @brief Get the size of the receive buffer of a connection.
 * @param socket a TCP socket
 * @param first bytes, of one that does not move, or is not established
 * @return bytes
 */
uint64_t GetTcpReceiveBuffer(Ptr<Socket> socket, uint64_t first);

/**
 * @ingroup gridftp
 * @brief Set the receive buffer of a connection, where its window moves.
 * @param socket a TCP socket
 * @param bytes size, at least 1
 */
void SetTcpReceiveBuffer(Ptr<Socket> socket, uint64_t bytes);

/**
 * @ingroup gridftp
 * @brief Count the receive buffer of a connection, where its window moves.
 * @param socket a TCP socket
 * @param tally where it is counted
 */
void CountTcpBuffer(Ptr<Socket> socket, BufferTally& tally);

/**
 * @ingroup gridftp
 * @brief Set a socket's TCP window, before it connects or listens.
 * @param socket a TCP socket
 * @param window the window, bytes: RcvBufSize; SndBufSize becomes GetSendBufferFor() it
 */
void SetTcpWindow(Ptr<Socket> socket, uint32_t window);

} // namespace ns3::gridftp

#endif // GRIDFTP_TCP_VARIANT_H
