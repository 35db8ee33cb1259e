/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BUFFER_SETTINGS_H
#define GRIDFTP_BUFFER_SETTINGS_H

#include "gridftp-buffer-policy.h"
#include "gridftp-scenario.h"

#include <cstdint>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Largest number in the window field of a TCP header. */
inline constexpr uint64_t LARGEST_WINDOW_FIELD = 65535;

/** @ingroup gridftp @brief What the buffers of a connection are like, at both ends. */
struct BufferSettings
{
    const BufferPolicyKind* policy{nullptr}; //!< how they are sized; null: not at all
    uint64_t window{0};                      //!< receive buffer, at first, bytes
    uint64_t most{0};                        //!< as far as a policy may let a buffer grow, bytes
    uint64_t sendBuffer{0};                  //!< send buffer, bytes; 0: see GetFirstSendBuffer()
    uint64_t segmentBytes{0};                //!< MSS
    uint64_t readRate{0};                    //!< how fast the application reads, bit/s; 0: at once
    uint64_t writeRate{0};                   //!< how fast the application writes, bit/s; 0: at once
    int64_t intervalNs{0};                   //!< between two looks of an application at its rate
    SizingRtt rtt{};                         //!< which round-trip time an application takes
    uint64_t sendPool{0};       //!< of the host's send buffers, see SendPool, bytes; 0: none
    bool hasTimedSource{false}; //!< the application waits for what it is to write, see BlockFeed
    bool hasTimedSink{false};   //!< it reads no further while it works on what it has read, see
                                //!< BlockWrites

    /** @return whether the advertised window is anything but constant */
    bool AreMoving() const
    {
        return (policy && policy->moves) || readRate > 0 || hasTimedSink;
    }

    /** @return whether either buffer is anything but constant */
    bool AreSized() const
    {
        return AreMoving() || sendPool > 0;
    }

    /** @return whether the send buffer grows with the window that the receiver advertises */
    bool DoesSendBufferFollow() const
    {
        return policy && policy->moves && policy->channel == SizingChannel::NONE &&
               sendBuffer == 0 && sendPool == 0;
    }

    /** @return where the applications tell each other the sizes of buffers */
    SizingChannel GetChannel() const
    {
        return policy ? policy->channel : SizingChannel::NONE;
    }

    /** @return largest window that is ever advertised, bytes */
    uint64_t GetMostWindow() const
    {
        return policy && policy->moves && most > window ? most : window;
    }

    /** @return shift of the window field that the handshake settles */
    uint32_t GetShift() const;

    /**
     * Unless it is given: twice the window, but where applications size the buffers the same as the
     * receiver's, as their setsockopt() has it (Gardner et al., Section 4.1.4). More would wait
     * there, and with it the acknowledgement of an SBUF on the data connection.
     * @return send buffer at first, bytes
     */
    uint64_t GetFirstSendBuffer() const;
};

/**
 * @ingroup gridftp
 * @param spec buffers of a scenario
 * @param segmentBytes MSS
 * @return the same for a connection
 */
BufferSettings MakeBufferSettings(const BufferSpec& spec, uint64_t segmentBytes);

/**
 * @ingroup gridftp
 * The send buffer that lets a whole window be in flight, whatever the application writes: one
 * window in flight, one waiting. The receiver's buffer is what holds a connection to W; a send
 * buffer of the same size would hold it below, since an ACK frees room at the same moment at which
 * it opens the window.
 *
 * @param window that the receiver advertises, bytes
 * @return size of the send buffer, bytes
 */
uint64_t GetSendBufferFor(uint64_t window);

/**
 * @ingroup gridftp
 * An application writes when a quarter of the send buffer is free: half a window, which keeps the
 * connection fed and costs a call per many segments.
 *
 * @param sendBuffer bytes
 * @return free bytes below which it waits
 */
uint64_t GetWriteBatch(uint64_t sendBuffer);

/**
 * @ingroup gridftp
 * @param bytes that an application reads or writes
 * @param rateBps how fast, bit/s, not 0
 * @return how long that takes it, ns, rounded to the nearest
 */
int64_t GetWorkNs(uint64_t bytes, uint64_t rateBps);

/**
 * @ingroup gridftp
 * @param bytes largest window that is to be advertised
 * @return the least shift with which it fits into 16 bits, at most 14 (RFC 7323, Section 2.3)
 */
uint32_t GetWindowShift(uint64_t bytes);

} // namespace ns3::gridftp

#endif // GRIDFTP_BUFFER_SETTINGS_H
