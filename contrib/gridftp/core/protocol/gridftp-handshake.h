/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_HANDSHAKE_H
#define GRIDFTP_HANDSHAKE_H

#include "gridftp-host-cpu.h"
#include "gridftp-security.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * What the two ends of a connection say to each other before they trust each other: how many bytes,
 * who says them, and what that costs. There is no cryptography in it.
 *
 * The messages are those of GSI: a handshake of TLS in which both ends show certificates (RFC 5246,
 * Section 7.3), then one byte by which the initiator says whether it delegates a credential, and if
 * so a certificate request and the certificate signed for it (Welch, "Grid Security Infrastructure
 * Message Specification", 2004, Sections 3 and 4). Their sizes were observed with
 * globus-url-copy 10.12 and globus-gridftp-server 13.24 of the Grid Community Toolkit 6.2 with
 * OpenSSL 3.0, keys of 2048 bits, one user certificate and a proxy certificate made by
 * grid-proxy-init.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What an end computes before it says a message. */
enum class HandshakeWork
{
    NONE,    //!< nothing to speak of
    KEYS,    //!< it verifies what the other end has shown, signs, or both
    KEY_PAIR //!< it makes the keys of a credential that is delegated to it
};

/** @ingroup gridftp @brief A message of a handshake. */
struct HandshakeMessage
{
    uint32_t bytes{0};    //!< its length; 0: nothing is left to say but that all is well
    HandshakeWork work{}; //!< what its end does before it
};

/** @ingroup gridftp @brief Messages in order: of both ends in turn, the initiator's first. */
using Handshake = std::vector<HandshakeMessage>;

/**
 * @ingroup gridftp
 * That of a control channel, where the client is the initiator and delegates a credential. The last
 * message, of the server, is its reply.
 * @return the messages, which ADAT carries (RFC 2228, Section 3)
 */
const Handshake& GetControlHandshake();

/**
 * @ingroup gridftp
 * That of a data channel, before the first block (DCAU, GFD.20): the end that connects is the
 * initiator, and delegates nothing. A server shows the credential that was delegated to it, whose
 * chain is one certificate longer than the client's.
 * @param sendsServer the end that sends is a server's
 * @param receivesServer the end that receives is
 * @return the messages
 */
Handshake MakeDataHandshake(bool sendsServer, bool receivesServer);

/** @ingroup gridftp @brief How the ends of data connections make sure of each other. */
struct DataSecuritySettings
{
    SecuritySpec security; //!< what it costs
    Handshake handshake;   //!< what both ends say before the first block; empty: nothing
};

/** @ingroup gridftp @param security of a session @param work of an end @return what its host's CPU
 * has to do */
CpuWork GetCpuWork(const SecuritySpec& security, HandshakeWork work);

/** @ingroup gridftp @brief How far an end has come with the handshake of a data channel. */
class HandshakeProgress
{
  public:
    /** There is none: it is done. */
    HandshakeProgress() = default;

    /** @param messages all of them @param isAcceptor of which end */
    HandshakeProgress(Handshake messages, bool isAcceptor)
        : m_messages(std::move(messages)),
          m_isAcceptor(isAcceptor)
    {
    }

    /** @return whether all is said and has come */
    bool IsDone() const
    {
        return m_next == m_messages.size();
    }

    /** @return what this end says now, if it is its turn; it is said with that */
    std::optional<HandshakeMessage> Take()
    {
        if (IsDone() || !IsOwn())
        {
            return std::nullopt;
        }
        return m_messages[m_next++];
    }

    /** @return bytes that are missing of the message that the other end says now; 0: none is */
    uint32_t GetMissing() const
    {
        return IsDone() || IsOwn() ? 0 : m_messages[m_next].bytes - m_come;
    }

    /** Bytes of the other end's message have come. @param bytes at most GetMissing() */
    void Read(uint32_t bytes)
    {
        m_come += bytes;
        if (m_come == m_messages[m_next].bytes)
        {
            m_come = 0;
            ++m_next;
        }
    }

  private:
    /** @return whether the next message is this end's */
    bool IsOwn() const
    {
        return (m_next % 2 == 1) == m_isAcceptor;
    }

    Handshake m_messages;     //!< all of them
    bool m_isAcceptor{false}; //!< of which end
    size_t m_next{0};         //!< the next one to be said
    uint32_t m_come{0};       //!< of it, if it is the other end's, bytes
};

} // namespace ns3::gridftp

#endif // GRIDFTP_HANDSHAKE_H
