/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BUFFER_POLICY_H
#define GRIDFTP_BUFFER_POLICY_H

#include "gridftp-nanoseconds.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What a policy may know of the receiving end that it sizes. */
struct ReceiveSignals
{
    int64_t nowNs{0};         //!< the time, ns
    int64_t rttNs{0};         //!< upper bound of the round-trip time, ns; 0: none yet
    uint64_t arrived{0};      //!< first byte that is missing
    uint64_t read{0};         //!< bytes that the application has taken
    uint64_t bufferBytes{0};  //!< receive buffer
    uint64_t segmentBytes{0}; //!< MSS
};

/**
 * @ingroup gridftp
 * How large the receive buffer of one connection is, while data come. It decides and does nothing
 * else: ReceiveBuffer measures and acts, on both engines.
 */
class BufferPolicy
{
  public:
    virtual ~BufferPolicy() = default;

    /**
     * Data have arrived in order, or the application has taken some.
     * @param signals of now
     * @return the receive buffer that it wants, bytes; what is less than there is changes nothing
     */
    virtual uint64_t Decide(const ReceiveSignals& signals) = 0;
};

/** @ingroup gridftp @brief Where the applications of both ends tell each other how large buffers
 * are, see ApplicationSizing. */
enum class SizingChannel
{
    NONE,    //!< nowhere: the TCP of the receiving end sizes its buffer, or nobody does
    CONTROL, //!< on the control connections, while data flow
    DATA     //!< on each data connection, in MODE E headers
};

/**
 * @ingroup gridftp
 * A way to size the buffers of connections, as its source file declares it. All else follows from
 * this: the word of --buffers with its help and checks, on both engines.
 */
struct BufferPolicyKind
{
    std::string_view name; //!< as in --buffers=NAME
    std::string_view help; //!< what it is, with its source, in a few words
    bool moves;            //!< buffers change, up to --max-buffer, for which windows are scaled

    /** Where applications size the buffers, and TCP does not. */
    SizingChannel channel{SizingChannel::NONE};

    /** @return one for a new connection, or null where TCP leaves the receive buffer as it is */
    std::unique_ptr<BufferPolicy> (*make)(){[]() -> std::unique_ptr<BufferPolicy> { return {}; }};
};

/**
 * @ingroup gridftp
 * @return all of them, the default first
 */
std::span<const BufferPolicyKind> GetBufferPolicies();

/**
 * @ingroup gridftp
 * @param name as in --buffers=NAME
 * @return the kind, or null
 */
const BufferPolicyKind* FindBufferPolicy(std::string_view name);

/** @ingroup gridftp @param name as in --buffers=NAME @return whether it needs the applications, and
 * plain TCP cannot have it */
bool NeedsApplications(std::string_view name);

} // namespace ns3::gridftp

#endif // GRIDFTP_BUFFER_POLICY_H
