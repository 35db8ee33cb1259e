/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-assigned-ports.h"
#include "gridftp-bbftp-file.h"
#include "gridftp-bbftp.h"
#include "gridftp-control-script.h"
#include "gridftp-segment-application.h"
#include "gridftp-segment-bbftp-part.h"
#include "gridftp-segment-connection.h"
#include "gridftp-tool-files.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

/**
 * @file
 * @ingroup gridftp
 * bbFTP: a client and a server that move a file over N connections. What they say and when is
 * core/tools/bbftp/gridftp-bbftp.h; here are their connections.
 */

namespace ns3::gridftp
{

namespace
{

using End = TcpConnection::End;
constexpr End CLIENT = TcpConnection::ACTIVE;
constexpr End SERVER = TcpConnection::PASSIVE;

/** @copydoc MakeBbftpApplication */
class BbftpApplication final : public SegmentApplication,
                               private EventTarget,
                               private TcpConnection::User,
                               private BbftpPartUser
{
  public:
    /** @param context what it is given */
    explicit BbftpApplication(const ApplicationContext& context)
        : m_context(context),
          m_spec(&context.scenario->sessions[context.index]),
          m_buffers(GetBbftpBuffers(*context.scenario, *m_spec)),
          m_controlTcp(MakeSegmentTcp(*context.scenario,
                                      m_spec->hostTcp,
                                      "newreno",
                                      {.window = CONTROL_WINDOW})),
          m_dataTcp(MakeSegmentTcp(*context.scenario, m_spec->hostTcp, m_spec->tcp, m_buffers)),
          m_resets(ListOutages(*context.scenario,
                               FaultKind::CONTROL_RESET,
                               {context.index, m_spec->direction == Direction::UPLOAD})),
          m_transfer(MakeBbftpTransfer(*context.scenario, *m_spec)),
          m_files(*context.scenario, context.index, context.hosts),
          m_client(m_transfer, m_hosts[CLIENT]),
          m_server(m_transfer, m_hosts[SERVER]),
          m_control(&TcpConnection::Make(*context.flows,
                                         {.tcp = &m_controlTcp,
                                          .path = context.path,
                                          .ways = TcpConnection::Ways::TWO,
                                          .port = BBFTP_PORT,
                                          .user = this,
                                          .refusals = &m_never,
                                          .holdsSmall = true}))
    {
    }

    void Start(Nanoseconds now) override
    {
        m_state = SessionState::LOGGING_IN;
        const auto& faults = m_context.scenario->faults;
        for (uint32_t i = 0; i < faults.size(); ++i)
        {
            const FaultSpec& fault = faults[i];
            const bool isOfConnection =
                fault.kind == FaultKind::CONTROL_RESET || fault.kind == FaultKind::DATA_RESET;
            if (isOfConnection && fault.session == m_context.index && fault.at > now)
            {
                const End end = fault.server == FaultServer::CLIENT ? CLIENT : SERVER;
                m_context.path.clocks[end]->Schedule(fault.at, *this, FAULT + TIMERS * i);
            }
        }
        m_client.Start(now);
    }

    void Fail(Nanoseconds now, const std::string& reason) override
    {
        if (!IsOver())
        {
            Finish(now, reason);
        }
    }

    bool IsAwaited() const override
    {
        return true;
    }

    SessionView GetView() const override
    {
        static const std::vector<uint32_t> noPairs;
        static const std::vector<ChunkRecord> noRecords;
        return {.state = m_state,
                .reason = m_reason,
                .transferring = m_state == SessionState::TRANSFERRING,
                .chunkStartNs = m_client.GetSpan().beginNs.value_or(0),
                .parallelism = m_client.GetStreams(),
                .pairs = &noPairs,
                .records = &noRecords,
                .totals = GetTotals(),
                .movedBytes = GetReceiver().GetBytes(),
                .endNs = m_state == SessionState::TRANSFERRING
                             ? -1
                             : m_failedNs.value_or(m_client.GetSpan().endNs)};
    }

    FlowView GetFlow(Nanoseconds /* now */) const override
    {
        return {.receivedBytes = GetReceiver().GetBytes(),
                .active = m_state == SessionState::TRANSFERRING};
    }

    void AddTo(Nanoseconds /* now */, TransferResult& result) const override
    {
        const auto window = static_cast<uint64_t>(m_buffers.window);
        SessionResult& part = result.sessions.emplace_back();
        part.tool = m_spec->tool;
        part.bytes = GetReceiver().GetBytes();
        part.startNs = m_client.GetSpan().beginNs;
        part.durationNs = m_client.GetSpan().GetDurationNs(m_failedNs);
        part.tcp = {GetTotals(), window};
        if (m_context.monitor)
        {
            part.tcp->detail = m_context.monitor->MakeDetail();
        }
        part.buffers = MakeBufferResult({}, window);
        part.storage = MakeStorageResult(m_files.GetStorage(false), m_files.GetStorage(true));
        part.parallelism = m_client.GetStreams();
        part.reason = m_state == SessionState::FAILED ? m_reason
                      : m_state == SessionState::DONE ? ""
                                                      : "not ended";
    }

  private:
    /** What happens later; the low bits of an event's id. */
    enum Timer : uint32_t
    {
        WRITE, //!< an end writes to the control connection; behind the low bits: which end
        FAULT, //!< something goes wrong; behind the low bits: which of the scenario's faults
        TIMERS //!< how many there are
    };

    /** What one of the hosts does for its end. */
    class Host final : public BbftpPort
    {
      public:
        /** @param owner of it @param end which */
        Host(BbftpApplication& owner, End end)
            : m_owner(&owner),
              m_end(end)
        {
        }

        void ConnectControl(Nanoseconds now) override
        {
            m_owner->m_control->Connect(now);
        }

        void Say(Nanoseconds now, std::vector<uint8_t> bytes) override
        {
            // ns-3's socket sends a nanosecond after it was written to, with all that was
            const Nanoseconds at = std::max(now, m_freeNs);
            m_freeNs = at + 1;
            m_unsaid.push_back(std::move(bytes));
            if (at == now)
            {
                return WriteNext(now);
            }
            const auto end = static_cast<uint32_t>(m_end);
            m_owner->m_context.path.clocks[end]->Schedule(at, *m_owner, WRITE + TIMERS * end);
        }

        std::vector<uint16_t> Listen(Nanoseconds /* now */, uint32_t streams) override
        {
            const ApplicationContext& context = m_owner->m_context;
            std::vector<uint16_t> ports;
            for (uint32_t i = 0; i < streams; ++i)
            {
                ports.push_back(context.flows->TakePort(context.path, m_end));
            }
            return ports;
        }

        void Connect(Nanoseconds now, uint32_t stream, uint16_t port) override
        {
            m_owner->Open(stream, port).Connect(now);
        }

        void Send(Nanoseconds now, uint32_t stream, uint64_t /* bytes */) override
        {
            Stream& one = m_owner->m_streams[stream];
            const BbftpParts& parts = m_owner->GetEnd(m_end).GetParts();
            one.source.emplace(BbftpReads(parts, stream, m_owner->m_files.Open(false)),
                               *one.connection);
            one.connection->Begin(*one.source, now);
        }

        void Answer(Nanoseconds now, uint32_t stream, std::vector<uint8_t> bytes) override
        {
            m_owner->m_streams[stream].connection->Write(m_end, now, bytes.size());
        }

        void HandleBegun(Nanoseconds now) override
        {
            m_owner->m_state = SessionState::TRANSFERRING;
            m_owner->m_context.observer->HandleTransferring(now);
        }

        void HandleMoved(Nanoseconds now) override
        {
            m_owner->m_state = SessionState::QUITTING;
            m_owner->m_context.observer->HandlePart(now);
        }

        void Finish(Nanoseconds now, const std::string& reason) override
        {
            if (m_end == CLIENT || !reason.empty())
            {
                m_owner->Finish(now, reason);
            }
        }

        /** It writes what is next to the control connection. @param now of the simulation */
        void WriteNext(Nanoseconds now)
        {
            const auto& bytes = m_unsaid.front();
            m_said.insert(m_said.end(), bytes.begin(), bytes.end());
            m_owner->m_control->Write(m_end, now, bytes.size());
            m_unsaid.pop_front();
        }

        /** @param count of bytes that have come to the other end @return they */
        std::vector<uint8_t> Take(uint64_t count)
        {
            const auto end = m_said.begin() + static_cast<std::ptrdiff_t>(count);
            std::vector<uint8_t> bytes(m_said.begin(), end);
            m_said.erase(m_said.begin(), end);
            m_taken += count;
            return bytes;
        }

        /** @return bytes that the other end has taken */
        uint64_t GetTaken() const
        {
            return m_taken;
        }

      private:
        BbftpApplication* m_owner;                 //!< of it
        End m_end;                                 //!< which
        Nanoseconds m_freeNs{0};                   //!< when it may write again
        std::deque<std::vector<uint8_t>> m_unsaid; //!< writes to come
        std::deque<uint8_t> m_said;                //!< bytes under way
        uint64_t m_taken{0};                       //!< see GetTaken()
    };

    /** A data connection. */
    struct Stream
    {
        TcpConnection* connection{nullptr};      //!< it
        std::optional<BbftpPartSource> source{}; //!< what it carries
        std::unique_ptr<BbftpPartSink> sink{};   //!< who receives it, where writing takes time
        uint64_t seen[TcpConnection::ENDS]{};    //!< bytes that each endpoint has received
    };

    // EventTarget
    void HandleEvent(Nanoseconds now, uint32_t id) override
    {
        if (id % TIMERS == FAULT)
        {
            return HandleFault(now, m_context.scenario->faults[id / TIMERS]);
        }
        m_hosts[id / TIMERS].WriteNext(now);
    }

    /** Something goes wrong. @param now of the simulation @param fault what */
    void HandleFault(Nanoseconds now, const FaultSpec& fault)
    {
        if (IsOver())
        {
            return;
        }
        if (fault.kind == FaultKind::CONTROL_RESET)
        {
            return m_control->IsThere(SERVER) ? m_server.HandleLost(now, BbftpLoss::FAILED)
                                              : void();
        }
        const End end = fault.server == FaultServer::CLIENT ? CLIENT : SERVER;
        const auto stream = static_cast<size_t>(fault.connection);
        if (stream < m_streams.size() && m_streams[stream].connection->IsThere(end))
        {
            GetEnd(end).HandleDataLost(now, static_cast<uint32_t>(stream), BbftpLoss::FAILED);
        }
    }

    // TcpConnection::User
    void HandleConnected(TcpConnection& connection, Nanoseconds now) override
    {
        if (&connection != m_control)
        {
            m_client.HandleDataConnected(now, IndexOf(connection));
        }
    }

    void HandleAccepted(TcpConnection& connection, Nanoseconds now) override
    {
        if (&connection != m_control)
        {
            return m_server.HandleDataConnected(now, IndexOf(connection));
        }
        IsOut(m_resets, now) ? m_server.HandleLost(now, BbftpLoss::FAILED)
                             : m_server.HandleAccepted(now);
    }

    void HandleDelivered(TcpConnection& connection, End to, Nanoseconds now) override
    {
        const uint64_t next = connection.GetReceived(to);
        if (&connection == m_control)
        {
            Host& from = m_hosts[to == CLIENT ? SERVER : CLIENT];
            GetEnd(to).HandleBytes(now, from.Take(next - from.GetTaken()));
            return;
        }
        const uint32_t stream = IndexOf(connection);
        const uint64_t before = std::exchange(m_streams[stream].seen[to], next);
        if (next > before)
        {
            GetEnd(to).HandleData(now, stream, next - before);
        }
    }

    void HandleFailed(TcpConnection& connection,
                      Nanoseconds now,
                      TcpConnection::Failure failure) override
    {
        Lose(connection,
             CLIENT,
             now,
             failure == TcpConnection::Failure::REFUSED ? BbftpLoss::REFUSED : BbftpLoss::FAILED);
    }

    void HandleReset(TcpConnection& connection, End to, Nanoseconds now) override
    {
        Lose(connection, to, now, BbftpLoss::FAILED);
    }

    // BbftpPartUser
    void HandleStored(Nanoseconds now, uint32_t stream, uint64_t bytes) override
    {
        if (!IsOver())
        {
            GetEnd(m_transfer.isUpload ? SERVER : CLIENT).HandleData(now, stream, bytes);
        }
    }

    /** An end has lost a connection. @param connection which @param end which @param now of the
     * simulation @param loss how */
    void Lose(const TcpConnection& connection, End end, Nanoseconds now, BbftpLoss loss)
    {
        &connection == m_control ? GetEnd(end).HandleLost(now, loss)
                                 : GetEnd(end).HandleDataLost(now, IndexOf(connection), loss);
    }

    /** @param end which @return what it does */
    BbftpEnd& GetEnd(End end)
    {
        return end == CLIENT ? static_cast<BbftpEnd&>(m_client) : static_cast<BbftpEnd&>(m_server);
    }

    /** @return the end to which the file goes */
    const BbftpEnd& GetReceiver() const
    {
        return m_transfer.isUpload ? static_cast<const BbftpEnd&>(m_server)
                                   : static_cast<const BbftpEnd&>(m_client);
    }

    /** @param connection with data @return its stream */
    static uint32_t IndexOf(const TcpConnection& connection)
    {
        return connection.GetUse().label->connection;
    }

    /** @param stream the next one @param port where the server listens for it @return its
     * connection, made */
    TcpConnection& Open(uint32_t stream, uint16_t port)
    {
        Stream& made = m_streams.emplace_back();
        const BlockStages sink = m_files.Open(true);
        if (sink.IsTimed())
        {
            // The client opens connections when both ends have agreed on the parts
            const End to = m_transfer.isUpload ? SERVER : CLIENT;
            BbftpPartUser& user = *this;
            made.sink =
                std::make_unique<BbftpPartSink>(BbftpWrites(m_client.GetParts(), stream, sink),
                                                stream,
                                                *m_context.path.clocks[to],
                                                user);
        }
        made.connection = &TcpConnection::Make(
            *m_context.flows,
            {.tcp = &m_dataTcp,
             .path = m_context.path,
             .ways = TcpConnection::Ways::TWO,
             .source = m_transfer.isUpload ? CLIENT : SERVER,
             .answersFin = true,
             .acksAgain = true,
             .port = port,
             .user = this,
             .label = ConnectionLabel{.session = m_context.index, .connection = stream},
             .sink = made.sink.get(),
             .refusals = &m_never});
        return *made.connection;
    }

    /** @return counts of its data connections, at the end that sends */
    ConnectionTotals GetTotals() const
    {
        ConnectionTotals sum;
        for (const auto& stream : m_streams)
        {
            const TcpConnection& connection = *stream.connection;
            sum.Add(connection.GetTotals(connection.GetUse().source));
        }
        return sum;
    }

    /** @return whether nothing comes of it any more */
    bool IsOver() const
    {
        return m_state == SessionState::DONE || m_state == SessionState::FAILED;
    }

    /** It ends. @param now of the simulation @param reason why it has failed; empty: it is done */
    void Finish(Nanoseconds now, const std::string& reason)
    {
        if (IsOver())
        {
            return;
        }
        m_state = reason.empty() ? SessionState::DONE : SessionState::FAILED;
        m_reason = reason;
        m_failedNs = reason.empty() ? std::nullopt : std::optional(now);
        for (const auto& stream : m_streams)
        {
            reason.empty() ? stream.connection->Close(now) : Drop(*stream.connection, now);
        }
        if (!reason.empty())
        {
            Drop(*m_control, now);
        }
        m_context.observer->HandleEnded(now);
    }

    /** Both ends let go of a connection. @param connection which @param now of the simulation */
    static void Drop(TcpConnection& connection, Nanoseconds now)
    {
        connection.Reset(SERVER, now);
        connection.Reset(CLIENT, now);
        connection.Stop();
    }

    ApplicationContext m_context; //!< what it is given
    const SessionSpec* m_spec;    //!< its part of the scenario
    BufferSpec m_buffers;         //!< of its data connections
    SegmentTcp m_controlTcp;      //!< of its control connection
    SegmentTcp m_dataTcp;         //!< of its data connections
    Outages m_resets;             //!< when the server resets control connections
    Outages m_never;              //!< it always accepts
    BbftpTransfer m_transfer;     //!< what is to be moved
    ToolFiles m_files;            //!< what reads and writes of the file take
    Host m_hosts[TcpConnection::ENDS]{{*this, CLIENT}, {*this, SERVER}}; //!< of both ends
    BbftpClient m_client;                                                //!< the end that connects
    BbftpServer m_server;                                                //!< the end that accepts
    TcpConnection* m_control;                                            //!< the control connection
    std::deque<Stream> m_streams;                                        //!< data connections
    SessionState m_state{SessionState::WAITING};                         //!< what it is doing
    std::string m_reason;                                                //!< why it has failed
    std::optional<int64_t> m_failedNs;                                   //!< when it has
};

} // namespace

std::unique_ptr<SegmentApplication>
MakeBbftpApplication(const ApplicationContext& context)
{
    return std::make_unique<BbftpApplication>(context);
}

} // namespace ns3::gridftp
