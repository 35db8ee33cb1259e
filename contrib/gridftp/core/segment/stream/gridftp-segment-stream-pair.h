/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_STREAM_PAIR_H
#define GRIDFTP_SEGMENT_STREAM_PAIR_H

#include "gridftp-byte-stream.h"
#include "gridftp-message-queue.h"
#include "gridftp-middlebox.h"
#include "gridftp-segment-state.h"
#include "gridftp-segment-stream-settings.h"
#include "gridftp-segment-tcp-connection.h"
#include "gridftp-segment-tcp.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace ns3::gridftp
{

class SegmentNodes;

/**
 * @ingroup gridftp
 * Both endpoints of a connection, as their applications use them. SegmentStreamHosts makes one for
 * each connection. Packets of the segment engine carry sequence numbers and no bytes, so each
 * message is stored here until it has arrived.
 */
class SegmentStreamPair final : private TcpConnection::User, private ByteSink
{
  public:
    using End = TcpConnection::End;

    /** @param settings of both endpoints; they outlive it @param path from the endpoint that
     * connects to the one that accepts @param port of the latter @param listener there; null: none,
     * so that the connection is refused @param terms of the endpoint that connects @param user of
     * it; outlives it @param rules when a middlebox forgets the connection */
    SegmentStreamPair(const SegmentStreamSettings& settings,
                      const FlowPath& path,
                      uint16_t port,
                      const SegmentListener* listener,
                      const StreamTerms& terms,
                      StreamUser& user,
                      std::vector<IdleRule> rules = {});

    /** @param nodes of both endpoints; outlive it @param active IPv4 address of the node that
     * connects @param passive of the one that accepts */
    void SetNodes(const SegmentNodes& nodes, uint32_t active, uint32_t passive)
    {
        m_nodes = &nodes;
        m_addresses[TcpConnection::ACTIVE] = active;
        m_addresses[TcpConnection::PASSIVE] = passive;
    }

    /** Connects. @param now current simulation time @return the endpoint that connects */
    ByteStream& Connect(Nanoseconds now);

    /** @return the connection */
    TcpConnection& GetConnection() const
    {
        return *m_connection;
    }

    /** Bars recurrence while a message is under way. @param state gets that */
    void AddState(SegmentState& state) const
    {
        if (m_ends[0].IsSending() || m_ends[1].IsSending())
        {
            state.Bar();
        }
    }

  private:
    /** An endpoint. */
    class Endpoint final : public ByteStream, private EventTarget, private ByteSource
    {
      public:
        /** @param pair both endpoints @param end which of them */
        Endpoint(SegmentStreamPair& pair, End end)
            : m_pair(&pair),
              m_end(end)
        {
        }

        void Say(Nanoseconds now, std::span<const uint8_t> bytes) override;
        void DropMessages() override;
        void Send(Nanoseconds now, StreamSource& source) override;
        void Close(Nanoseconds now) override;
        void Reset(Nanoseconds now) override;
        ConnectionTotals GetTotals() const override;

        uint32_t GetLocalAddress() const override
        {
            return m_pair->m_addresses[m_end];
        }

        /** Its application gets what has arrived. @param now current simulation time */
        void Deliver(Nanoseconds now);

        /** The connection is lost. @param now current simulation time @param loss how */
        void Lose(Nanoseconds now, StreamLoss loss);

        /** @return whether a message of its application has not arrived yet */
        bool IsSending() const
        {
            return !m_messages.IsEmpty() || !m_content.empty();
        }

        StreamUser* user{nullptr}; //!< of it; null: not accepted yet, or closed

      private:
        // EventTarget: the next message is written
        void HandleEvent(Nanoseconds now, uint32_t id) override;

        // ByteSource
        uint64_t Write(uint64_t room) override;
        void HandleWritten() override;
        int64_t GetNextNs() const override;
        bool IsExhausted() const override;

        /** @param count of bytes that have arrived at the peer @return their content */
        std::vector<uint8_t> TakeContent(uint64_t count);

        SegmentStreamPair* m_pair;       //!< both endpoints
        End m_end;                       //!< which of them
        StreamSource* m_source{nullptr}; //!< what it sends, or null
        MessageQueue m_messages;         //!< that are to be written
        std::deque<uint8_t> m_content;   //!< written, and not arrived yet
        uint64_t m_taken{0};             //!< bytes that its application has got
    };

    // TcpConnection::User
    bool IsListening(TcpConnection& connection) override;
    void HandleConnected(TcpConnection& connection, Nanoseconds now) override;
    void HandleAccepted(TcpConnection& connection, Nanoseconds now) override;
    void HandleDelivered(TcpConnection& connection, End to, Nanoseconds now) override;
    void HandleFailed(TcpConnection& connection,
                      Nanoseconds now,
                      TcpConnection::Failure failure) override;
    void HandleReset(TcpConnection& connection, End to, Nanoseconds now) override;
    bool HandlePeerClosed(TcpConnection& connection, End to, Nanoseconds now) override;

    // ByteSink: of the endpoint that does not send
    Nanoseconds GetNextNs(Nanoseconds now) override;
    uint64_t GetRoom() const override;
    void Take(Nanoseconds now, uint64_t bytes) override;

    /** An application resets the connection. @param end of it @param now current simulation time */
    void Reset(End end, Nanoseconds now);

    /** An application has an endpoint. @param end which @param user the application */
    void Use(End end, StreamUser& user);

    const SegmentNodes* m_nodes{nullptr};        //!< of both endpoints; null: others than nodes
    uint32_t m_addresses[TcpConnection::ENDS]{}; //!< IPv4, of both hosts; 0: not known
    MiddleboxEntry m_entry;                      //!< of the connection
    uint16_t m_port;                             //!< on which the host listens that accepts
    ListenUser* m_listener;                      //!< of that host
    bool m_hasContent;                           //!< see StreamTerms
    bool m_isLines;                              //!< see StreamTerms
    End m_source;                                //!< which endpoint sends file data
    SegmentTcp m_tcp;                            //!< of both endpoints
    StreamSink* m_sink{nullptr}; //!< what reads at the other endpoint, where it waits; else null
    Endpoint m_ends[TcpConnection::ENDS];  //!< both
    bool m_isReset[TcpConnection::ENDS]{}; //!< by its application
    TcpConnection* m_connection;           //!< in the table of flows
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_STREAM_PAIR_H
