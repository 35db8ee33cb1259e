/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_POSIX_HOST_STATE_H
#define GRIDFTP_POSIX_HOST_STATE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::gridftp
{

class PosixLoop;

/** @ingroup gridftp @brief What the connections of a PosixHost share. */
struct PosixHostState
{
    /** Most bytes that a connection reads at once. */
    static constexpr size_t READ_BYTES = 1 << 18;

    PosixLoop* loop{nullptr}; //!< event loop of the host
    int source{-1};           //!< file with the payload to send; -1: none
    size_t accepted{0};       //!< open connections that it has accepted
    std::vector<uint8_t> read{
        std::vector<uint8_t>(READ_BYTES)}; //!< what a connection has just read
};

} // namespace ns3::gridftp

#endif // GRIDFTP_POSIX_HOST_STATE_H
