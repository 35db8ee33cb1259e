/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_SESSION_H
#define GRIDFTP_SEGMENT_SESSION_H

#include "gridftp-block-scheduler.h"
#include "gridftp-control-reply.h"
#include "gridftp-control-script.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-response-times.h"
#include "gridftp-segment-application.h"
#include "gridftp-segment-control-channel.h"
#include "gridftp-segment-data-connections.h"
#include "gridftp-segment-sources.h"
#include "gridftp-start-jitter.h"
#include "gridftp-tuning-policy.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Between two 112 markers, ns (Server's attribute MarkerInterval). */
inline constexpr int64_t MARKER_INTERVAL_NS = 5'000'000'000;

/**
 * @ingroup gridftp
 * Client and server of one session: the dialogue on the control connection, command by command,
 * the chunks, and the tuning between them, as Client and ServerProtocolInterpreter do it in engine
 * ns3. Lines have their true lengths; what they say is only hinted at: a reply is its code, a
 * command the one under way.
 *
 * The host that receives the data runs ahead (see HostClock), and with it what the session does
 * there: the client of a download, the server of an upload.
 */
class SegmentSession final : public SegmentApplication,
                             private EventTarget,
                             private SegmentControlChannel::User,
                             private TcpConnection::User
{
  public:
    /** @param context what it is given */
    explicit SegmentSession(const ApplicationContext& context);

    SegmentSession(const SegmentSession&) = delete;
    SegmentSession& operator=(const SegmentSession&) = delete;

    // SegmentApplication
    void Start(Nanoseconds now) override;
    void Fail(Nanoseconds now, const std::string& reason) override;

    bool IsAwaited() const override
    {
        return true;
    }

    SessionView GetView() const override;
    void AddTo(Nanoseconds now, TransferResult& result) const override;

  private:
    /** @return whether the client sends the data */
    bool IsUpload() const
    {
        return m_spec->direction == Direction::UPLOAD;
    }

    /** What happens later; the low bit of an event's id. */
    enum Timer : uint32_t
    {
        MARKER, //!< the server sends a 112 marker
        OPEN    //!< a data connection starts late; behind the low bit: which
    };

    // EventTarget
    void HandleEvent(Nanoseconds now, uint32_t id) override;

    // SegmentControlChannel::User
    void HandleControlAccepted(Nanoseconds now) override;
    void HandleLine(TcpConnection::End to, Nanoseconds now, uint32_t message) override;
    void HandleControlFailed(Nanoseconds now, const char* reason) override;

    // TcpConnection::User, of the data connections
    void HandleDelivered(TcpConnection& connection,
                         TcpConnection::End to,
                         Nanoseconds now) override;
    void HandleDrained(TcpConnection& connection, Nanoseconds now) override;
    void HandleFailed(TcpConnection& connection,
                      Nanoseconds now,
                      TcpConnection::Failure failure) override;

    /** A reply has come. @param now of the simulation @param code of it */
    void HandleReply(Nanoseconds now, uint32_t code);

    /** The next command of the script, or what comes when there is none. @param now of the
     * simulation */
    void Advance(Nanoseconds now);

    /** The script has run out. @param now of the simulation */
    void HandleReady(Nanoseconds now);

    /** Puts the commands of the next chunk into the script, or QUIT. @param now of the simulation
     */
    void ScriptNext(Nanoseconds now);

    /** A chunk's final reply has come. @param now of the simulation */
    void RecordChunk(Nanoseconds now);

    /** The server does what the command under way asks for. @param now of the simulation */
    void Execute(Nanoseconds now);

    /** @return what the server answers to the command under way */
    Reply MakeAnswer() const;

    /** Data begins to flow. @param now of the simulation */
    void StartSending(Nanoseconds now);

    /** Begins the chunk on a data connection. @param index of it @param now of the simulation
     * @param late by how much a fresh one starts, ns */
    void StartConnection(uint32_t index, Nanoseconds now, int64_t late);

    /** The client closes data connections. @param from the first @param now of the simulation */
    void CloseData(uint32_t from, Nanoseconds now);

    /** Time for a 112 marker. @param now of the simulation */
    void HandleMarker(Nanoseconds now);

    /** The next marker. @param at when */
    void ScheduleMarker(Nanoseconds at);

    /** The server says something. @param now of the simulation @param reply what */
    void Say(Nanoseconds now, const Reply& reply);

    /** The server says something. @param now of the simulation @param code of the last reply @param
     * text all */
    void Say(Nanoseconds now, uint32_t code, const std::string& text);

    /** @return bytes of the chunk under way, or of the next one */
    uint64_t GetNextBytes() const;

    ApplicationContext m_context;                //!< what it is given
    const SessionSpec* m_spec;                   //!< its part of the scenario
    uint32_t m_index;                            //!< in the scenario
    SegmentTcp m_controlTcp;                     //!< of the control connection
    SegmentTcp m_dataTcp;                        //!< of the data connections
    StartJitter m_jitter;                        //!< how late connections start
    std::unique_ptr<TuningPolicy> m_policy;      //!< decides the parallelism
    ResponseTimes m_responses;                   //!< gives R
    SegmentControlChannel m_control;             //!< the control connection
    DataConnections m_data;                      //!< the data connections
    std::deque<BlockSource> m_sources;           //!< of the chunk under way, by connection
    SessionState m_state{SessionState::WAITING}; //!< what it is doing
    std::string m_reason;                        //!< why it has failed
    std::deque<Command> m_script;                //!< commands to come
    Command m_command{};                         //!< the command under way
    std::string m_user;                          //!< as USER said
    int64_t m_saidNs{0};                         //!< when it was sent
    int64_t m_markerDueNs{NEVER};                //!< when the next 112 marker is
    bool m_transferring{false};                  //!< see IsTransferring()
    bool m_complete{false};                      //!< the server has told, or will, of the end
    bool m_hasAddress{false};                    //!< data connections have an address
    int64_t m_startNs{0};                        //!< ESTO or ERET sent
    double m_rttS{0};                            //!< R then
    uint32_t m_parallelism{1};                   //!< N
    uint64_t m_offset{0};                        //!< of the chunk in the file
    uint32_t m_keptConnections{0};               //!< open from the chunk before
    uint32_t m_ends{0};                          //!< ends of data, or drained connections
    std::optional<BlockScheduler> m_scheduler;   //!< of the chunk under way
    std::vector<ChunkRecord> m_records;          //!< complete chunks
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_SESSION_H
