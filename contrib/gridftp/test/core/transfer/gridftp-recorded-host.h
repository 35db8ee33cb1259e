/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_RECORDED_HOST_H
#define GRIDFTP_RECORDED_HOST_H

#include "ns3/gridftp-data-host.h"
#include "ns3/gridftp-mode-e-header.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * A host in memory for tests of one data transfer process. The test plays the peer: it writes down
 * what the process sends, byte by byte, and decides what arrives.
 */

namespace ns3::gridftp
{

/// @param place in the file @return the byte there, which tells neighbours and blocks apart
inline uint8_t
MakeFileByte(uint64_t place)
{
    return static_cast<uint8_t>(place * 7 + place / 256);
}

class RecordedStream;

/// Endpoints that the process has closed or reset, in that order.
using EndedStreams = std::vector<const RecordedStream*>;

/// One endpoint of a data connection, of the process under test.
class RecordedStream final : public DataStream
{
  public:
    // What the process asks for
    void Say(Nanoseconds /* now */, std::span<const uint8_t> bytes) override
    {
        sent.insert(sent.end(), bytes.begin(), bytes.end());
    }

    void DropMessages() override
    {
    }

    void Send(Nanoseconds now, StreamSource& source) override
    {
        SendPieces(now, source);
    }

    void SendPieces(Nanoseconds now, PieceSource& source) override
    {
        while (!source.IsExhausted())
        {
            const StreamPiece piece = source.WritePiece(now, room);
            if (piece.GetSize() == 0)
            {
                break;
            }
            sent.insert(sent.end(), piece.content.begin(), piece.content.end());
            for (uint64_t i = 0; i < piece.payload; ++i)
            {
                sent.push_back(MakeFileByte(piece.place + i));
            }
            source.HandleWritten(now);
        }
    }

    void Resume(Nanoseconds now) override
    {
        Arrive(now, {});
    }

    void Close(Nanoseconds /* now */) override
    {
        if (!isClosed)
        {
            ended->push_back(this);
        }
        isClosed = true;
        user = nullptr;
        lineUser = nullptr;
    }

    void Reset(Nanoseconds now) override
    {
        isReset = true;
        Close(now);
    }

    ConnectionTotals GetTotals() const override
    {
        return {.segments = 1};
    }

    uint32_t GetLocalAddress() const override
    {
        return 0x0a010203; // 10.1.2.3
    }

    uint64_t GetUnread() const override
    {
        return m_unread.size();
    }

    uint64_t GetSegmentBytes() const override
    {
        return 1448;
    }

    uint64_t GetSendBuffer() const override
    {
        return sendBuffer;
    }

    void GrowSendBuffer(Nanoseconds /* now */, uint64_t bytes) override
    {
        sendBuffer = std::max(sendBuffer, bytes);
    }

    uint64_t GetReceiveBuffer() const override
    {
        return receiveBuffer;
    }

    void SetReceiveBuffer(uint64_t bytes) override
    {
        receiveBuffer = bytes;
    }

    void CountBuffer(BufferTally& /* tally */) const override
    {
    }

    /// Bytes arrive; the process reads what it wants. @param now the time @param bytes of them
    void Arrive(Nanoseconds now, const std::vector<uint8_t>& bytes)
    {
        m_unread.insert(m_unread.end(), bytes.begin(), bytes.end());
        while (user && !m_unread.empty() && user->GetPieceSink().IsReading() &&
               user->GetPieceSink().GetNextReadNs(now) <= now)
        {
            PieceSink& sink = user->GetPieceSink();
            const auto size = std::min<uint64_t>(sink.GetRoom(), m_unread.size());
            const std::vector<uint8_t> read(m_unread.begin(),
                                            m_unread.begin() + static_cast<int64_t>(size));
            m_unread.erase(m_unread.begin(), m_unread.begin() + static_cast<int64_t>(size));
            sink.TakePiece(now, ArrivedContent(read));
        }
    }

    /// Text arrives on a control connection. @param now the time @param text of it
    void Hear(Nanoseconds now, const std::string& text)
    {
        if (lineUser)
        {
            lineUser->HandleBytes(now,
                                  {reinterpret_cast<const uint8_t*>(text.data()), text.size()});
        }
    }

    /// Text arrives on a control connection. @param now the time @param text of it @return what the
    /// process has sent since the last call
    std::string Exchange(Nanoseconds now, const std::string& text)
    {
        Hear(now, text);
        return TakeText();
    }

    /// @return what the process has sent since the last call
    std::string TakeText()
    {
        const std::string text(sent.begin() + static_cast<int64_t>(m_taken), sent.end());
        m_taken = sent.size();
        return text;
    }

    HostPort to{};                  ///< where it goes
    StreamUser* lineUser{nullptr};  ///< the process at a control connection, while it is open
    StreamTerms terms{};            ///< of it
    DataStreamUser* user{nullptr};  ///< the process, while the connection is open
    uint64_t room{UINT32_MAX};      ///< free bytes of the send buffer at each write
    uint64_t sendBuffer{65'536};    ///< bytes
    uint64_t receiveBuffer{65'536}; ///< bytes
    std::vector<uint8_t> sent;      ///< all that the process has written
    bool isClosed{false};           ///< by the process
    bool isReset{false};            ///< likewise
    EndedStreams* ended{nullptr};   ///< to which it adds itself then

  private:
    std::vector<uint8_t> m_unread; ///< arrived, and not read
    uint64_t m_taken{0};           ///< bytes that TakeText() has returned
};

/// The host of the process under test.
class RecordedHost final : public DataHost
{
  public:
    DataStream* OpenData(Nanoseconds /* now */,
                         const HostPort& to,
                         const StreamTerms& terms,
                         DataStreamUser& user) override
    {
        if (isFull)
        {
            return nullptr;
        }
        RecordedStream& stream = Add(terms);
        stream.to = to;
        stream.user = &user;
        return &stream;
    }

    std::optional<uint16_t> ListenForData(Nanoseconds /* now */,
                                          const StreamTerms& terms,
                                          DataListenUser& user) override
    {
        m_terms = terms;
        m_listener = isFull ? nullptr : &user;
        return isFull ? std::nullopt : std::optional<uint16_t>(50'000);
    }

    ByteStream& Connect(Nanoseconds /* now */,
                        uint16_t /* port */,
                        const StreamTerms& terms,
                        StreamUser& /* user */) override
    {
        return Add(terms);
    }

    ByteStream& ConnectTo(Nanoseconds now,
                          const HostPort& to,
                          const StreamTerms& terms,
                          StreamUser& user) override
    {
        ByteStream& stream = Connect(now, to.port, terms, user);
        streams.back()->to = to;
        streams.back()->lineUser = &user;
        return stream;
    }

    void SetAlarm(Nanoseconds now, Nanoseconds at, EventTarget& target) override
    {
        Schedule(now, at, target, 0);
    }

    void CancelAlarm(EventTarget& target) override
    {
        std::erase_if(m_events, [&target](const Event& event) { return event.target == &target; });
    }

    uint16_t Listen(Nanoseconds /* now */,
                    uint16_t port,
                    const StreamTerms& /* terms */,
                    ListenUser& /* user */) override
    {
        return port;
    }

    void StopListening() override
    {
        m_listener = nullptr;
    }

    void Schedule(Nanoseconds /* now */, Nanoseconds at, EventTarget& target, uint32_t id) override
    {
        m_events.push_back({at, &target, id});
    }

    void ScheduleWork(Nanoseconds now, Nanoseconds at, EventTarget& target, uint32_t id) override
    {
        Schedule(now, at, target, id);
    }

    Nanoseconds AskCpu(Nanoseconds now, const CpuWork& work) override
    {
        return now + work.GetSum();
    }

    BlockStages FindSourceStages(const BufferSpec& /* buffers */, uint64_t /* offset */) override
    {
        return {};
    }

    BlockStages FindSinkStages(const BufferSpec& /* buffers */) override
    {
        return sink;
    }

    /// A connection comes, if the process listens. @param now the time @return its endpoint of it
    RecordedStream* Accept(Nanoseconds now)
    {
        if (!m_listener)
        {
            return nullptr;
        }
        RecordedStream& stream = Add(m_terms);
        stream.user = m_listener->HandleDataAccepted(now, stream);
        return &stream;
    }

    /// A control connection comes. @return its endpoint, whose lineUser the test sets
    RecordedStream& AcceptLines()
    {
        return Add(StreamTerms::OfLines("", 0));
    }

    /// Does what is scheduled up to a time. @param until when
    void Run(Nanoseconds until)
    {
        const auto isEarlier = [](const Event& a, const Event& b) { return a.at < b.at; };
        while (!m_events.empty())
        {
            const auto next = std::ranges::min_element(m_events, isEarlier);
            if (next->at > until)
            {
                return;
            }
            const Event event = *next;
            m_events.erase(next);
            event.target->HandleEvent(event.at, event.id);
        }
    }

    std::vector<std::unique_ptr<RecordedStream>> streams; ///< all, in order
    bool isFull{false};                                   ///< no port is free
    BlockStages sink{};                                   ///< what blocks that arrive pass
    EndedStreams ownEnded;                                ///< endpoints that are closed, in order
    EndedStreams* ended{&ownEnded};                       ///< the same, maybe of several hosts

  private:
    /// Something that is scheduled.
    struct Event
    {
        Nanoseconds at;      ///< when
        EventTarget* target; ///< called
        uint32_t id;         ///< for it
    };

    /// @param terms of a new endpoint @return it
    RecordedStream& Add(const StreamTerms& terms)
    {
        streams.push_back(std::make_unique<RecordedStream>());
        streams.back()->terms = terms;
        streams.back()->ended = ended;
        return *streams.back();
    }

    std::vector<Event> m_events;         ///< in the order in which they were scheduled
    DataListenUser* m_listener{nullptr}; ///< of the process, or null
    StreamTerms m_terms{};               ///< of what it accepts
};

/// Bytes of a dialogue, built piece by piece.
struct WireBytes : std::vector<uint8_t>
{
    /// @param header to append @return this
    WireBytes& Add(const ModeEHeader& header)
    {
        const auto bytes = header.ToBytes();
        insert(end(), bytes.begin(), bytes.end());
        return *this;
    }

    /// @param offset of a block in the chunk @param count its payload @param chunk its place in the
    /// file @return this, with the block
    WireBytes& Block(uint64_t offset, uint64_t count, uint64_t chunk = 0)
    {
        Add(ModeEHeader::Data(offset, count));
        for (uint64_t i = 0; i < count; ++i)
        {
            push_back(MakeFileByte(chunk + offset + i));
        }
        return *this;
    }
};

} // namespace ns3::gridftp

#endif // GRIDFTP_RECORDED_HOST_H
