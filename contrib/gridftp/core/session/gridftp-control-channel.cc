/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-control-channel.h"

#include "gridftp-control-script.h"

#include <utility>

namespace ns3::gridftp
{

void
ControlChannel::Connect(Nanoseconds now, DataHost& host, const HostPort& to, const std::string& tcp)
{
    ByteStream& stream = host.ConnectTo(now, to, StreamTerms::OfLines(tcp, CONTROL_WINDOW), *this);
    m_stream = m_isOver ? nullptr : &stream; // the host may find at once that it cannot connect
}

void
ControlChannel::Send(Nanoseconds now, const std::string& text)
{
    if (!m_stream)
    {
        return;
    }
    const std::string wrapped = m_side ? WrapLines(*m_side, text) : text;
    m_stream->Say(now, {reinterpret_cast<const uint8_t*>(wrapped.data()), wrapped.size()});
}

void
ControlChannel::Protect(ArmourSide side)
{
    m_side = side;
    m_reader.SetLongest(GetWrappedLength(side, std::string(LineReader::MAXIMUM_LENGTH, ' ')));
}

TextResult<std::string>
ControlChannel::Unwrap(const TextResult<std::string>& line) const
{
    if (!line || !m_side)
    {
        return line;
    }
    return UnwrapLine(*m_side == ArmourSide::CLIENT ? ArmourSide::SERVER : ArmourSide::CLIENT,
                      *line);
}

void
ControlChannel::HandleConnected(Nanoseconds now)
{
    const auto self = shared_from_this();
    if (const auto handler = m_handlers.connected) // the owner may close the channel inside
    {
        handler(now);
    }
}

void
ControlChannel::HandleBytes(Nanoseconds now, std::span<const uint8_t> bytes)
{
    const auto self = shared_from_this();
    m_reader.Feed(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    while (!m_isOver)
    {
        const auto line = m_reader.Next();
        if (!line)
        {
            return;
        }
        const auto handler = m_handlers.line; // the owner may close the channel inside
        handler(now, Unwrap(*line));
    }
}

void
ControlChannel::HandleLost(Nanoseconds now, StreamLoss loss)
{
    const auto self = shared_from_this();
    const auto handler = m_handlers.closed;
    Release();
    if (handler)
    {
        handler(now, loss);
    }
}

void
ControlChannel::Close(Nanoseconds now)
{
    if (ByteStream* const stream = Release())
    {
        stream->Close(now);
    }
}

void
ControlChannel::Reset(Nanoseconds now)
{
    if (ByteStream* const stream = Release())
    {
        stream->Reset(now);
    }
}

ByteStream*
ControlChannel::Release()
{
    m_isOver = true;
    m_handlers = {};
    return std::exchange(m_stream, nullptr);
}

std::string
MakeLossReason(StreamLoss loss)
{
    switch (loss)
    {
    case StreamLoss::REFUSED:
        return "the control connection was refused";
    case StreamLoss::CLOSED:
        return "control connection closed by the peer";
    default:
        return "control connection failed";
    }
}

} // namespace ns3::gridftp
