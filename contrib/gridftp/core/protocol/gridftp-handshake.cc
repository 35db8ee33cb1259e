/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-handshake.h"

namespace ns3::gridftp
{

namespace
{

// As observed, bytes. A control channel's hello is longer: it names protocols to choose from
constexpr uint32_t CONTROL_HELLO = 395;
constexpr uint32_t DATA_HELLO = 322;
constexpr uint32_t HOST_CERTIFICATE = 2199;  // hello of a server that shows its host's
constexpr uint32_t PROXY_CERTIFICATE = 2768; // of the initiator that shows a user's and a proxy
constexpr uint32_t PROXY_HELLO = 2994;       // of the acceptor that does
constexpr uint32_t DELEGATED = 838;          // more, where that is a delegated one
constexpr uint32_t FLAG = 23;                // one byte, in a record
constexpr uint32_t CERTIFICATE_REQUEST = 689;
constexpr uint32_t DELEGATION = 855;

} // namespace

const Handshake&
GetControlHandshake()
{
    using enum HandshakeWork;
    static const Handshake messages{
        {CONTROL_HELLO, NONE},
        {HOST_CERTIFICATE, KEYS},
        {PROXY_CERTIFICATE, KEYS},
        {FLAG, KEYS},
        {FLAG, NONE},
        {CERTIFICATE_REQUEST, KEY_PAIR},
        {DELEGATION, KEYS},
        {0, KEYS},
    };
    return messages;
}

Handshake
MakeDataHandshake(bool sendsServer, bool receivesServer)
{
    using enum HandshakeWork;
    return {
        {DATA_HELLO, NONE},
        {PROXY_HELLO + (receivesServer ? DELEGATED : 0), KEYS},
        {PROXY_CERTIFICATE + (sendsServer ? DELEGATED : 0), KEYS},
        {FLAG, KEYS},
        {FLAG, NONE},
    };
}

CpuWork
GetCpuWork(const SecuritySpec& security, HandshakeWork work)
{
    switch (work)
    {
    case HandshakeWork::KEYS:
        return {CpuUse::AUTHENTICATION, security.authCpu};
    case HandshakeWork::KEY_PAIR:
        return {CpuUse::AUTHENTICATION, security.delegationCpu};
    default:
        return {};
    }
}

} // namespace ns3::gridftp
