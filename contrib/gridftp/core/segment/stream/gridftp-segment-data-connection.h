/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_DATA_CONNECTION_H
#define GRIDFTP_SEGMENT_DATA_CONNECTION_H

#include "gridftp-data-host.h"
#include "gridftp-data-stream.h"
#include "gridftp-outage.h"
#include "gridftp-segment-state.h"
#include "gridftp-segment-stream-content.h"
#include "gridftp-segment-tcp-connection.h"

#include <algorithm>
#include <cstdint>

namespace ns3::gridftp
{

class SegmentNodes;

/** @ingroup gridftp @brief What a SegmentDataConnection is; all that is pointed to outlives it. */
struct SegmentDataConnectionSettings
{
    const SegmentNodes* nodes{nullptr}; //!< of both endpoints
    uint32_t address{0};                //!< IPv4 of the node that accepts
    FlowTable* flows{nullptr};          //!< of the simulation
    const SegmentTcp* tcp{nullptr};     //!< of both endpoints
    FlowPath path{};                    //!< from the sender to the receiver
    uint16_t port{0};                   //!< where the receiver listens
    ConnectionLabel label{};            //!< of the connection in results
    DataStreamUser* sender{nullptr};    //!< uses the endpoint that connects
    SendPool* pool{nullptr};            //!< of the host that sends; null: it has none
    uint64_t preamble{0};               //!< bytes that the endpoint that connects writes before
                                        //!< its first source
    bool hasListener{false};            //!< see TcpConnection::Use
    bool meetsLate{false};              //!< likewise
    bool isSinkTimed{false};            //!< what reads at the other endpoint waits for storage
                                        //!< or CPU
};

/**
 * @ingroup gridftp
 * Both endpoints of a data connection in the segment engine, as data transfer processes use them.
 * The endpoint that connects sends file data.
 *
 * The receiver is not called for each segment. It reads all that has arrived when the end of a
 * chunk arrives, when the peer closes, and when DataStream::Resume() is called.
 */
class SegmentDataConnection final : private TcpConnection::User,
                                    private ByteSource,
                                    private ByteSink
{
  public:
    using End = TcpConnection::End;
    static constexpr End PASSIVE = TcpConnection::PASSIVE; //!< the endpoint that accepts

    using Settings = SegmentDataConnectionSettings;

    /** @param settings of the connection */
    explicit SegmentDataConnection(const Settings& settings);

    /** @param now current simulation time @return whether Renew() may be called */
    bool MayRenew(Nanoseconds now) const;

    /** Becomes a new connection. @param settings of it */
    void Renew(const Settings& settings);

    /** @param connection number @return the endpoint that accepts, where it is of this connection
     * and open */
    const DataStream* FindAccepted(uint32_t connection) const
    {
        const bool isIt = m_settings.label.connection == connection && m_ends[PASSIVE].user;
        return isIt ? &m_ends[PASSIVE] : nullptr;
    }

    /** @return whether an application uses one of its endpoints */
    bool IsUsed() const
    {
        return m_ends[0].user || m_ends[1].user;
    }

    /** @return TcpConnection::GetSerial() */
    uint64_t GetSerial() const
    {
        return m_connection->GetSerial();
    }

    /** @param now current time of the simulation, which hosts may be ahead of @return bytes of file
     * data that have arrived by then and that the application has taken, or takes when it looks */
    uint64_t CountPayload(Nanoseconds now) const
    {
        const uint64_t arrived = m_connection->GetDelivered(now);
        return arrived - std::min(arrived, m_ends[0].content.CountBefore(arrived));
    }

    /** @param state gets what its applications have written and read */
    void AddState(SegmentState& state) const;

    /** Connects. @param now current simulation time @return the endpoint that connects */
    DataStream& Connect(Nanoseconds now);

  private:
    /** An endpoint. */
    class Endpoint final : public DataStream
    {
      public:
        /** @param owner both endpoints @param end which of them */
        Endpoint(SegmentDataConnection& owner, End end)
            : m_owner(&owner),
              m_end(end)
        {
        }

        // ByteStream
        void Say(Nanoseconds now, std::span<const uint8_t> bytes) override;
        void DropMessages() override;
        void Send(Nanoseconds now, StreamSource& source) override;
        void Close(Nanoseconds now) override;
        void Reset(Nanoseconds now) override;
        ConnectionTotals GetTotals() const override;
        uint32_t GetLocalAddress() const override;

        // DataStream
        void SendPieces(Nanoseconds now, PieceSource& source) override;
        void Resume(Nanoseconds now) override;
        uint64_t GetUnread() const override;
        uint64_t GetSegmentBytes() const override;
        uint64_t GetSendBuffer() const override;
        void GrowSendBuffer(Nanoseconds now, uint64_t bytes) override;
        uint64_t GetReceiveBuffer() const override;
        void SetReceiveBuffer(uint64_t bytes) override;
        void CountBuffer(BufferTally& tally) const override;

        /** Begins anew, without an application. */
        void Renew()
        {
            user = nullptr;
            content = {};
            m_taken = written = 0;
            isReset = false;
        }

        /** @param state gets what its application has written and read */
        void AddState(SegmentState& state) const;

        /** Its application reads what has arrived. @param now current simulation time */
        void Read(Nanoseconds now);

        /** Its application takes bytes. @param now current simulation time @param bytes how many */
        void Take(Nanoseconds now, uint64_t bytes);

        /** @param now current simulation time @return bytes that TCP has for the application */
        uint64_t GetReadable(Nanoseconds now) const;

        /** The connection is lost. @param now current simulation time @param loss how */
        void Lose(Nanoseconds now, StreamLoss loss);

        /** The peer has closed. @param now current simulation time @return whether its application
         * has closed, too */
        bool HandlePeerClosed(Nanoseconds now);

        DataStreamUser* user{nullptr}; //!< of it; null: not accepted yet, or closed
        SegmentStreamContent content;  //!< of what it sends
        uint64_t written{0};           //!< bytes that it has sent, or is about to send
        bool isReset{false};           //!< by its application

      private:
        SegmentDataConnection* m_owner; //!< both endpoints
        End m_end;                      //!< which of them
        uint64_t m_taken{0};            //!< bytes that its application has read
        bool m_isAnswering{false};      //!< its application is told of the peer's FIN
    };

    // TcpConnection::User
    bool IsListening(TcpConnection& connection) override;
    void HandleConnected(TcpConnection& connection, Nanoseconds now) override;
    void HandleAccepted(TcpConnection& connection, Nanoseconds now) override;
    void HandleDelivered(TcpConnection& connection, End to, Nanoseconds now) override;
    void HandleRead(TcpConnection& connection, Nanoseconds now) override;
    void HandleDrained(TcpConnection& connection, Nanoseconds now) override;
    void HandleFailed(TcpConnection& connection,
                      Nanoseconds now,
                      TcpConnection::Failure failure) override;
    bool HandlePeerClosed(TcpConnection& connection, End to, Nanoseconds now) override;
    void HandleReset(TcpConnection& connection, End to, Nanoseconds now) override;

    // ByteSource
    uint64_t Write(uint64_t room) override;
    int64_t GetNextNs() const override;
    bool IsExhausted() const override;

    // ByteSink: of the endpoint that accepts, where reading takes time
    Nanoseconds GetNextNs(Nanoseconds now) override;
    uint64_t GetRoom() const override;
    void Take(Nanoseconds now, uint64_t bytes) override;

    /** @return what the connection is for TCP */
    TcpConnection::Use MakeUse();

    Settings m_settings;                  //!< what it is
    Endpoint m_ends[TcpConnection::ENDS]; //!< both
    PieceSource* m_source{nullptr};       //!< what is being sent, or null
    TcpConnection* m_connection;          //!< in the table of flows
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_DATA_CONNECTION_H
