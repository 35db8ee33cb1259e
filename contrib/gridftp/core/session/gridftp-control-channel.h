/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CONTROL_CHANNEL_H
#define GRIDFTP_CONTROL_CHANNEL_H

#include "gridftp-control-reply.h"
#include "gridftp-data-host.h"
#include "gridftp-security-text.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * One endpoint of a connection that carries lines of text: a control connection between client and
 * server, or the connection between a protocol interpreter and a data transfer process on another
 * host.
 *
 * Contract: the owner makes one for each connection, then calls Connect() or Accept() once. Its
 * handlers are called until Close(), Reset() or the closed handler. The owner may drop the channel
 * inside a handler.
 */
class ControlChannel final : public StreamUser, public std::enable_shared_from_this<ControlChannel>
{
  public:
    /** What the owner does when something happens. */
    struct Handlers
    {
        /** A line has arrived. @param now current simulation time @param line without its end; or
         * an error: it is too long, or not protected after Protect() */
        std::function<void(Nanoseconds now, const TextResult<std::string>& line)> line{};

        /** The connection ended, and is closed at this endpoint. @param now current simulation time
         * @param loss how */
        std::function<void(Nanoseconds now, StreamLoss loss)> closed{};

        /** The connection is established at the endpoint that connects; may be empty. @param now
         * current simulation time */
        std::function<void(Nanoseconds now)> connected{};
    };

    /** @param handlers of the owner @return a channel without a connection */
    static std::shared_ptr<ControlChannel> Make(Handlers handlers)
    {
        return std::shared_ptr<ControlChannel>(new ControlChannel(std::move(handlers)));
    }

    /** Connects. @param now current simulation time @param host of this endpoint; outlives the
     * connection @param to where the peer listens @param tcp congestion control */
    void Connect(Nanoseconds now, DataHost& host, const HostPort& to, const std::string& tcp);

    /** Uses a connection that was accepted, with StreamTerms::OfLines(). @param stream this
     * endpoint */
    void Accept(ByteStream& stream)
    {
        m_stream = &stream;
    }

    /** Sends text. @param now current simulation time @param text whole lines, each with CRLF */
    void Send(Nanoseconds now, const std::string& text);

    /** Protects all lines from now on, in both directions (RFC 2228). @param side which endpoint
     * this is */
    void Protect(ArmourSide side);

    /** Closes the connection after all text is sent; what arrives is discarded. @param now current
     * simulation time */
    void Close(Nanoseconds now);

    /** Resets the connection. @param now current simulation time */
    void Reset(Nanoseconds now);

    /** @return whether there is a connection, not closed at this endpoint */
    bool IsOpen() const
    {
        return m_stream != nullptr;
    }

    /** @return IPv4 address of this endpoint; see ByteStream::GetLocalAddress() */
    uint32_t GetLocalAddress() const
    {
        return m_stream ? m_stream->GetLocalAddress() : 0;
    }

    // StreamUser
    void HandleConnected(Nanoseconds now) override;
    void HandleBytes(Nanoseconds now, std::span<const uint8_t> bytes) override;
    void HandleLost(Nanoseconds now, StreamLoss loss) override;

  private:
    /** @param handlers of the owner */
    explicit ControlChannel(Handlers handlers)
        : m_handlers(std::move(handlers))
    {
    }

    /** @param line that has arrived @return its text, without protection; or an error */
    TextResult<std::string> Unwrap(const TextResult<std::string>& line) const;

    /** @return the stream, which this channel does not use any more; null: it is closed */
    ByteStream* Release();

    Handlers m_handlers;              //!< of the owner; empty after the end
    ByteStream* m_stream{nullptr};    //!< the connection; null: none, or closed
    bool m_isOver{false};             //!< closed, reset or lost
    LineReader m_reader;              //!< cuts what arrives into lines
    std::optional<ArmourSide> m_side; //!< see Protect()
};

/** @param loss of a control connection @return what happened, for people */
std::string MakeLossReason(StreamLoss loss);

} // namespace ns3::gridftp

#endif // GRIDFTP_CONTROL_CHANNEL_H
