/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-bbftp.h"

#include <string>

namespace ns3::gridftp
{

namespace
{

/** A body whose content means nothing here: a key, a name and a password, a version as text. */
std::vector<uint8_t>
MakeOpaque(uint32_t bytes)
{
    return std::vector<uint8_t>(bytes, 0);
}

/** The body of a number. */
std::vector<uint8_t>
MakeNumber(uint32_t number)
{
    std::vector<uint8_t> body;
    PutNumber(body, number, sizeof(number));
    return body;
}

} // namespace

// The end that connects

BbftpClient::BbftpClient(const BbftpTransfer& transfer, BbftpPort& port)
    : BbftpEnd("bbftp, client: ", port),
      m_transfer(transfer)
{
}

void
BbftpClient::Start(Nanoseconds now)
{
    GetPort().ConnectControl(now);
}

void
BbftpClient::HandleMessage(Nanoseconds now, uint32_t code, std::span<const uint8_t> body)
{
    switch (m_state)
    {
    case State::KEY:
        if (Check(now, code, body, BbftpText::CRYPT, BbftpText::CRYPT_BYTES))
        {
            m_state = State::LOGIN;
            Say(now, BbftpText::LOG, MakeOpaque(BbftpText::LOG_BYTES));
        }
        return;
    case State::LOGIN:
        if (Check(now, code, body, BbftpText::OK, BbftpText::LOGGED_BYTES))
        {
            m_state = State::VERSIONS;
            Say(now, BbftpText::PROT);
        }
        return;
    case State::VERSIONS:
        if (Check(now, code, body, BbftpText::PROT_ANS, BbftpText::VERSIONS_BYTES))
        {
            m_state = State::OFFER;
            const BbftpOffer offer{.bytes = m_transfer.isUpload ? m_transfer.bytes : 0,
                                   .windowKb = m_transfer.windowKb,
                                   .streams = m_transfer.streams};
            Say(now, BbftpText::PROT_ANS, MakeNumber(BbftpText::VERSION));
            Say(now, m_transfer.isUpload ? BbftpText::STORE : BbftpText::RETR, offer.Make());
            Say(now, BbftpText::FILENAME, {BbftpText::NAME.begin(), BbftpText::NAME.end()});
        }
        return;
    case State::OFFER:
        if (Check(now, code, body, BbftpText::TRANS_OK, BbftpText::OFFER_BYTES))
        {
            TakeOffer(now, BbftpOffer::Read(body));
        }
        return;
    case State::MOVING:
        if (Check(now, code, body, BbftpText::OK, BbftpText::OK_BYTES))
        {
            m_isOk = true;
            CheckEnd(now);
        }
        return;
    }
}

void
BbftpClient::TakeOffer(Nanoseconds now, const BbftpOffer& offer)
{
    const bool isOfFile = !m_transfer.isUpload || offer.bytes == m_transfer.bytes;
    if (!isOfFile || offer.bytes == 0 || offer.streams == 0 || offer.streams > m_transfer.streams)
    {
        return Fail(now,
                    "the server offers " + std::to_string(offer.streams) + " streams for " +
                        std::to_string(offer.bytes) + " bytes");
    }
    Agree({offer.bytes, offer.streams, m_transfer.compression}, !m_transfer.isUpload);
    ExpectRaw(GetStreams() * BbftpText::PORT_BYTES);
}

void
BbftpClient::HandleRaw(Nanoseconds now, std::span<const uint8_t> bytes)
{
    for (; !bytes.empty(); bytes = bytes.subspan(BbftpText::PORT_BYTES))
    {
        m_ports.push_back(static_cast<uint16_t>(GetNumber(bytes, BbftpText::PORT_BYTES)));
    }
    m_state = State::MOVING;
    m_span = {.beginNs = now, .endNs = now};
    GetPort().HandleBegun(now);
    GetPort().Connect(now, 0, m_ports.front());
}

void
BbftpClient::HandleDataConnected(Nanoseconds now, uint32_t stream)
{
    if (IsOver())
    {
        return;
    }
    if (m_transfer.isUpload)
    {
        GetPort().Send(now, stream, GetParts().GetWireBytes(stream));
    }
    if (++m_connected < GetStreams())
    {
        return GetPort().Connect(now, m_connected, m_ports[m_connected]);
    }
    GetPort().Say(now,
                  BbftpText::Make({.code = BbftpText::TRANS_START,
                                   .bytes = GetStreams() * BbftpText::PORT_BYTES}));
}

void
BbftpClient::HandleArrival(Nanoseconds now, uint32_t stream)
{
    m_span.endNs = now;
    if (IsDone(stream) && !m_transfer.isUpload)
    {
        GetPort().Answer(now, stream, BbftpText::Make({.code = BbftpText::ACK}));
    }
    if (AreAllDone())
    {
        GetPort().HandleMoved(now);
    }
    CheckEnd(now);
}

void
BbftpClient::CheckEnd(Nanoseconds now)
{
    if (m_isOk && AreAllDone())
    {
        Say(now, BbftpText::CLOSE_CONN);
        End(now);
    }
}

// The end that accepts

BbftpServer::BbftpServer(const BbftpTransfer& transfer, BbftpPort& port)
    : BbftpEnd("bbftp, server: ", port),
      m_transfer(transfer)
{
}

void
BbftpServer::HandleAccepted(Nanoseconds now)
{
    Say(now, BbftpText::CRYPT, MakeOpaque(BbftpText::CRYPT_BYTES));
}

void
BbftpServer::HandleMessage(Nanoseconds now, uint32_t code, std::span<const uint8_t> body)
{
    switch (m_state)
    {
    case State::LOGIN:
        if (Check(now, code, body, BbftpText::LOG, BbftpText::LOG_BYTES))
        {
            m_state = State::VERSIONS;
            Say(now, BbftpText::OK, MakeOpaque(BbftpText::LOGGED_BYTES));
        }
        return;
    case State::VERSIONS:
        if (Check(now, code, body, BbftpText::PROT, 0))
        {
            m_state = State::VERSION;
            std::vector<uint8_t> versions = MakeNumber(1);
            PutNumber(versions, BbftpText::VERSION, sizeof(uint32_t));
            Say(now, BbftpText::PROT_ANS, versions);
        }
        return;
    case State::VERSION:
        if (Check(now, code, body, BbftpText::PROT_ANS, BbftpText::VERSION_BYTES))
        {
            m_state = State::LOGGED;
        }
        return;
    case State::LOGGED:
        if (Check(now,
                  code,
                  body,
                  m_transfer.isUpload ? BbftpText::STORE : BbftpText::RETR,
                  BbftpText::OFFER_BYTES))
        {
            const BbftpOffer wanted = BbftpOffer::Read(body);
            m_transfer.streams = wanted.streams;
            m_transfer.bytes = m_transfer.isUpload ? wanted.bytes : m_transfer.bytes;
            m_state = State::NAME;
        }
        return;
    case State::NAME:
        if (Check(now, code, body, BbftpText::FILENAME, BbftpText::NAME.size()))
        {
            Offer(now);
        }
        return;
    case State::OFFERED:
        if (Check(now, code, body, BbftpText::TRANS_START, 0))
        {
            Begin(now);
        }
        return;
    case State::MOVING:
        return Fail(now, "message " + std::to_string(code) + " has come while data move");
    case State::ENDED:
        if (Check(now, code, body, BbftpText::CLOSE_CONN, 0))
        {
            End(now);
        }
        return;
    }
}

void
BbftpServer::Offer(Nanoseconds now)
{
    if (m_transfer.bytes == 0 || m_transfer.streams == 0 ||
        m_transfer.streams > BBFTP_STREAMS.maximum)
    {
        return Fail(now,
                    "the client wants " + std::to_string(m_transfer.streams) + " streams for " +
                        std::to_string(m_transfer.bytes) + " bytes");
    }
    Agree({m_transfer.bytes, m_transfer.streams, m_transfer.compression}, m_transfer.isUpload);
    m_isThere.assign(GetStreams(), false);
    m_isMoved.assign(GetStreams(), false);
    m_state = State::OFFERED;
    std::vector<uint8_t> ports;
    for (const uint16_t port : GetPort().Listen(now, GetStreams()))
    {
        PutNumber(ports, port, BbftpText::PORT_BYTES);
    }
    const BbftpOffer offer{.bytes = m_transfer.bytes,
                           .windowKb = m_transfer.windowKb,
                           .streams = GetStreams()};
    Say(now, BbftpText::TRANS_OK, offer.Make());
    GetPort().Say(now, ports);
}

void
BbftpServer::Begin(Nanoseconds now)
{
    m_state = State::MOVING;
    for (uint32_t stream = 0; stream < GetStreams(); ++stream)
    {
        Move(now, stream);
    }
    CheckEnd(now);
}

void
BbftpServer::HandleDataConnected(Nanoseconds now, uint32_t stream)
{
    if (!IsOver())
    {
        m_isThere[stream] = true;
        Move(now, stream);
    }
}

void
BbftpServer::HandleArrival(Nanoseconds now, uint32_t stream)
{
    Move(now, stream);
    CheckEnd(now);
}

void
BbftpServer::Move(Nanoseconds now, uint32_t stream)
{
    const bool isReady = m_transfer.isUpload ? IsDone(stream) : m_isThere[stream];
    if (m_state != State::MOVING || m_isMoved[stream] || !isReady)
    {
        return;
    }
    m_isMoved[stream] = true;
    m_transfer.isUpload ? GetPort().Answer(now, stream, BbftpText::Make({.code = BbftpText::ACK}))
                        : GetPort().Send(now, stream, GetParts().GetWireBytes(stream));
}

void
BbftpServer::CheckEnd(Nanoseconds now)
{
    if (m_state == State::MOVING && AreAllDone())
    {
        m_state = State::ENDED;
        Say(now, BbftpText::OK, {'O', 'K'});
    }
}

} // namespace ns3::gridftp
