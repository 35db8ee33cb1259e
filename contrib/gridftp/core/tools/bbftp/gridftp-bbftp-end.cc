/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-bbftp.h"

#include <string>

/**
 * @file
 * @ingroup gridftp
 * bbFTP: what is the same at either end.
 */

namespace ns3::gridftp
{

namespace
{

/** Longest body of a message that makes sense. */
constexpr uint32_t MOST_BODY_BYTES = 4096;

/** The words for the loss of a connection. */
std::string
Tell(StreamLoss loss)
{
    switch (loss)
    {
    case StreamLoss::REFUSED:
        return " was refused";
    case StreamLoss::CLOSED:
        return " was closed by the peer";
    default:
        return " was reset or gave up its retries";
    }
}

} // namespace

void
BbftpEnd::Start(Nanoseconds /* now */)
{
}

void
BbftpEnd::HandleAccepted(Nanoseconds /* now */)
{
}

void
BbftpEnd::HandleRaw(Nanoseconds /* now */, std::span<const uint8_t> /* bytes */)
{
}

void
BbftpEnd::Say(Nanoseconds now, BbftpText::Code code, const std::vector<uint8_t>& body)
{
    m_port->Say(now, BbftpText::Make({.code = code, .bytes = static_cast<uint32_t>(body.size())}));
    if (!body.empty())
    {
        m_port->Say(now, body);
    }
}

void
BbftpEnd::HandleBytes(Nanoseconds now, std::span<const uint8_t> bytes)
{
    m_read.Add(bytes);
    while (!m_isOver && TakeNext(now))
    {
    }
}

bool
BbftpEnd::TakeNext(Nanoseconds now)
{
    if (m_rawBytes > 0)
    {
        const auto raw = m_read.Take(m_rawBytes);
        if (raw)
        {
            m_rawBytes = 0;
            HandleRaw(now, *raw);
        }
        return raw.has_value();
    }
    if (!m_pending)
    {
        const auto wire = m_read.Take(BbftpText::HEADER_BYTES);
        if (!wire)
        {
            return false;
        }
        m_pending = BbftpText::ReadHeader(*wire);
        if (m_pending->bytes > MOST_BODY_BYTES)
        {
            Fail(now,
                 "message " + std::to_string(m_pending->code) + " claims " +
                     std::to_string(m_pending->bytes) + " bytes");
            return false;
        }
    }
    // TRANS_START tells of the ports that an older version of the protocol has behind it
    const bool hasBody = m_pending->code != BbftpText::TRANS_START;
    const auto body = m_read.Take(hasBody ? m_pending->bytes : 0);
    if (body)
    {
        const uint32_t code = m_pending->code;
        m_pending.reset();
        HandleMessage(now, code, *body);
    }
    return body.has_value();
}

bool
BbftpEnd::Check(Nanoseconds now,
                uint32_t code,
                std::span<const uint8_t> body,
                uint32_t wanted,
                size_t bytes)
{
    const auto name = [](uint32_t message, size_t size) {
        return "message " + std::to_string(message) + " of " + std::to_string(size) + " bytes";
    };
    if (code != wanted || body.size() != bytes)
    {
        Fail(now, name(code, body.size()) + " was received instead of " + name(wanted, bytes));
        return false;
    }
    return true;
}

void
BbftpEnd::HandleLost(Nanoseconds now, StreamLoss loss)
{
    if (loss != StreamLoss::CLOSED || !IsThrough())
    {
        Fail(now, "the control connection" + Tell(loss));
    }
}

void
BbftpEnd::HandleDataLost(Nanoseconds now, uint32_t stream, StreamLoss loss)
{
    if (loss != StreamLoss::CLOSED || !IsThrough())
    {
        Fail(now, "data connection " + std::to_string(stream) + Tell(loss));
    }
}

void
BbftpEnd::HandleData(Nanoseconds now, uint32_t stream, uint64_t bytes)
{
    if (m_isOver)
    {
        return;
    }
    m_arrived[stream] += bytes;
    if (m_arrived[stream] > GetWanted(stream))
    {
        return Fail(now,
                    "data connection " + std::to_string(stream) + " has brought more than " +
                        std::to_string(GetWanted(stream)) + " bytes");
    }
    HandleArrival(now, stream);
}

void
BbftpEnd::Agree(const BbftpParts& parts, bool receives)
{
    m_parts = parts;
    m_arrived.assign(parts.GetStreams(), 0);
    m_receives = receives;
}

uint64_t
BbftpEnd::GetWanted(uint32_t stream) const
{
    return m_receives ? m_parts->GetWireBytes(stream) : BbftpText::HEADER_BYTES;
}

bool
BbftpEnd::AreAllDone() const
{
    for (uint32_t stream = 0; stream < m_arrived.size(); ++stream)
    {
        if (!IsDone(stream))
        {
            return false;
        }
    }
    return true;
}

uint64_t
BbftpEnd::GetBytes() const
{
    uint64_t bytes = 0;
    for (uint32_t stream = 0; m_receives && stream < m_arrived.size(); ++stream)
    {
        bytes += m_parts->ToFileBytes(stream, m_arrived[stream]);
    }
    return bytes;
}

void
BbftpEnd::Fail(Nanoseconds now, const std::string& reason)
{
    if (!m_isOver)
    {
        m_isOver = true;
        m_port->Finish(now, std::string(m_name) + reason);
    }
}

void
BbftpEnd::End(Nanoseconds now)
{
    if (!m_isOver)
    {
        m_isOver = true;
        m_port->Finish(now, "");
    }
}

} // namespace ns3::gridftp
