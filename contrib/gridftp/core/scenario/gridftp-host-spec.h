/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_HOST_SPEC_H
#define GRIDFTP_HOST_SPEC_H

#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * What the host of one end of a session is like, and what its CPU takes for what (Luu, Kettimuthu
 * and Winslett, "FTPProfiler", Table 6: the modules that it tells apart). Times are in ns, rates in
 * bit/s, 0 costs nothing. With stripes each host of that end is like this.
 */
struct HostSpec
{
    int64_t cores{1};         //!< of its CPU
    int64_t queues{1};        //!< of its network interface: cores that handle packets, at most
    int64_t nic{};            //!< rate of its network interface; 0: that of the access link
    int64_t backlog{};        //!< packets from the network that may wait for a core; 0: any number
    int64_t interruptDelay{}; //!< for how long a packet may wait for others before it interrupts
    int64_t interruptAfter{}; //!< with so many it interrupts at once; 0: it waits all the time
    int64_t interruptCpu{};   //!< driver: of each interrupt
    int64_t packetCpu{};      //!< driver: of each packet, in or out
    int64_t segmentCpu{};     //!< TCP: of each packet with data, in or out
    int64_t ackCpu{};         //!< TCP: of each packet without, in or out
    int64_t streamCpu{};      //!< TCP: of a packet of another connection than the one before it
    int64_t connectionCpu{};  //!< TCP: of setting up a connection, at its first packet
    int64_t copyRate{};       //!< TCP: how fast it copies data, in or out
    int64_t callCpu{};        //!< application: of each system call that moves data
    int64_t callSize{};       //!< bytes that one moves; 0: a block
    int64_t fileCpu{};        //!< file system: of each block
    int64_t fileRate{};       //!< file system: how fast it moves bytes
    int64_t rpcCpu{};         //!< remote procedure calls: of each one
    int64_t rmemMax{};        //!< net.core.rmem_max, bytes; 0: not told
    int64_t tcpRmemDefault{}; //!< second value of net.ipv4.tcp_rmem, bytes; 0: not told
    int64_t tcpRmemMax{};     //!< third value of net.ipv4.tcp_rmem, bytes; 0: not told
    int64_t wmemMax{};        //!< net.core.wmem_max, bytes; 0: not told
    int64_t tcpWmemMax{};     //!< third value of net.ipv4.tcp_wmem, bytes; 0: not told
    int64_t advWinScale{1};   //!< net.ipv4.tcp_adv_win_scale, see GetWindowOf()

    /** @return whether packets wait, or take time, between its network interface and its TCP */
    bool HoldsPackets() const
    {
        return backlog > 0 || interruptDelay > 0 || interruptCpu > 0 || packetCpu > 0 ||
               segmentCpu > 0 || ackCpu > 0 || streamCpu > 0 || connectionCpu > 0 || copyRate > 0;
    }

    /** @param isStored whether blocks are read from, or written to, a file system @return whether
     * blocks take time of its CPU */
    bool HoldsBlocks(bool isStored) const
    {
        return callCpu > 0 || (isStored && (fileCpu > 0 || fileRate > 0 || rpcCpu > 0));
    }

    /** @return whether it is not the host that costs nothing, its operating system aside */
    bool IsModelled() const
    {
        return cores > 1 || HoldsPackets() || HoldsBlocks(true);
    }

    bool operator==(const HostSpec&) const = default;
};

} // namespace ns3::gridftp

#endif // GRIDFTP_HOST_SPEC_H
