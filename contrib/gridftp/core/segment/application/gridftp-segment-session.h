/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_SESSION_H
#define GRIDFTP_SEGMENT_SESSION_H

#include "gridftp-block-dealer.h"
#include "gridftp-control-reply.h"
#include "gridftp-control-script.h"
#include "gridftp-response-times.h"
#include "gridftp-result.h"
#include "gridftp-segment-control.h"
#include "gridftp-segment-time.h"
#include "gridftp-start-jitter.h"
#include "gridftp-tuning-policy.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What a session of the segment engine is doing. */
enum class SessionState
{
    WAITING,      //!< it has not started
    LOGGING_IN,   //!< control connection and login
    TRANSFERRING, //!< chunk by chunk
    QUITTING,     //!< saying goodbye
    DONE,         //!< the file is there
    FAILED        //!< see the reason
};

/**
 * @ingroup gridftp
 * Client and server of one session: the dialogue on the control connection, command by command,
 * the chunks, and the tuning between them, as Client and ServerProtocolInterpreter do it in engine
 * ns3. Lines have their true lengths; what they say is only hinted at: a reply is its code, a
 * command the one under way.
 *
 * Of a single pair of hosts the receiving one runs ahead (see SegmentNetwork), and with it what the
 * session does there: the client of a download, the server of an upload.
 */
class SegmentSession final : private SegmentControl::Port
{
  public:
    /** What a session acts on. */
    class Port
    {
      public:
        virtual ~Port() = default;

        /**
         * Sends a packet of the control connection.
         * @param session whose
         * @param from which end
         * @param now ns
         * @param bytes of the IP packet
         * @param packet what
         */
        virtual void SendControl(const SegmentSession& session,
                                 SegmentControl::Side from,
                                 int64_t now,
                                 int64_t bytes,
                                 const SegmentPacket& packet) = 0;

        /**
         * Calls GetControl().HandleTimer() later.
         * @param session whose
         * @param side which end's
         * @param at ns
         * @param timer which
         */
        virtual void ScheduleControl(const SegmentSession& session,
                                     SegmentControl::Side side,
                                     int64_t at,
                                     SegmentControl::Timer timer) = 0;

        /**
         * Begins a chunk on a data connection; opens it first where it is not.
         * @param session whose
         * @param connection index
         * @param now ns
         * @param openAt when to open a fresh one, ns
         */
        virtual void BeginData(SegmentSession& session,
                               uint32_t connection,
                               int64_t now,
                               int64_t openAt) = 0;

        /** Ends the chunk on all data connections. @param session whose */
        virtual void EndData(SegmentSession& session) = 0;

        /** Closes data connections. @param session whose @param from the first @param now ns */
        virtual void CloseData(SegmentSession& session, uint32_t from, int64_t now) = 0;

        /**
         * The receiving host closes its ends of all data connections.
         * @param session whose
         * @param now ns
         */
        virtual void CloseReceivers(SegmentSession& session, int64_t now) = 0;

        /** Calls HandleMarker() later. @param session whose @param at ns */
        virtual void ScheduleMarker(SegmentSession& session, int64_t at) = 0;

        /** It begins with its first chunk. @param session which @param now ns */
        virtual void HandleTransferring(SegmentSession& session, int64_t now) = 0;

        /** A chunk is complete. @param session whose @param now ns */
        virtual void HandleChunk(SegmentSession& session, int64_t now) = 0;

        /** It is done or has failed. @param session which @param now ns */
        virtual void HandleEnded(SegmentSession& session, int64_t now) = 0;
    };

    /**
     * @param scenario resolved; outlives it
     * @param index of the session in it
     * @param controlTcp TCP of the control connection; outlives it
     * @param port what it acts on; outlives it
     */
    SegmentSession(const Scenario& scenario,
                   uint32_t index,
                   const SegmentTcp& controlTcp,
                   Port& port);

    SegmentSession(const SegmentSession&) = delete;
    SegmentSession& operator=(const SegmentSession&) = delete;

    /** Connects. @param now ns */
    void Start(int64_t now);

    /** @return the control connection */
    SegmentControl& GetControl()
    {
        return m_control;
    }

    /** The receiver has the end of data of one connection. @param now ns */
    void HandleEndOfData(int64_t now);

    /** The sender has all of one connection acknowledged. @param now ns */
    void HandleDrained(int64_t now);

    /** Time for a 112 marker. @param now ns @param bytes that have arrived */
    void HandleMarker(int64_t now, uint64_t bytes);

    /**
     * A data connection cannot go on.
     * @param now ns
     * @param code 425 or 426
     * @param reason for a person
     */
    void HandleDataFailed(int64_t now, int code, const std::string& reason);

    /** It cannot go on. @param now ns @param reason for a person */
    void Fail(int64_t now, const std::string& reason);

    /** @return its index in the scenario */
    uint32_t GetIndex() const
    {
        return m_index;
    }

    /** @return its part of the scenario */
    const SessionSpec& GetSpec() const
    {
        return *m_spec;
    }

    /** @return what it is doing */
    SessionState GetState() const
    {
        return m_state;
    }

    /** @return why it has failed */
    const std::string& GetReason() const
    {
        return m_reason;
    }

    /** @return connections of the chunk under way, or of the next one */
    uint32_t GetParallelism() const
    {
        return m_parallelism;
    }

    /** @return index of the chunk under way, or of the next one */
    uint32_t GetChunk() const
    {
        return static_cast<uint32_t>(m_records.size());
    }

    /** @return when ESTO or ERET of the latest chunk was sent, ns */
    int64_t GetChunkStart() const
    {
        return m_startNs;
    }

    /** @return R as measured before the latest chunk, s; 0 before the first one */
    double GetRtt() const
    {
        return m_rttS;
    }

    /** @return whether data flows, from ESTO or ERET to its final reply */
    bool IsTransferring() const
    {
        return m_transferring;
    }

    /** @return records of the chunks that are complete */
    const std::vector<ChunkRecord>& GetRecords() const
    {
        return m_records;
    }

    /** @return deals the blocks of the chunk under way */
    BlockDealer& GetDealer()
    {
        return *m_dealer;
    }

  private:
    /** @return whether the client sends the data */
    bool IsUpload() const
    {
        return m_spec->direction == Direction::UPLOAD;
    }

    // SegmentControl::Port
    void SendControl(SegmentControl::Side from,
                     int64_t now,
                     int64_t bytes,
                     PacketKind kind,
                     uint64_t value,
                     uint32_t payload) override;
    void ScheduleControl(SegmentControl::Side side,
                         int64_t at,
                         SegmentControl::Timer timer) override;
    void HandleAccepted(int64_t now) override;
    void HandleLine(SegmentControl::Side to, int64_t now, uint32_t message) override;
    void HandleControlFailed(int64_t now, const char* reason) override;

    /** A reply has come. @param now ns @param code of it */
    void HandleReply(int64_t now, uint32_t code);

    /** The next command of the script, or what comes when there is none. @param now ns */
    void Advance(int64_t now);

    /** The script has run out. @param now ns */
    void HandleReady(int64_t now);

    /** Puts the commands of the next chunk into the script, or QUIT. @param now ns */
    void ScriptNext(int64_t now);

    /** A chunk's final reply has come. @param now ns */
    void RecordChunk(int64_t now);

    /** The server does what the command under way asks for. @param now ns */
    void Execute(int64_t now);

    /** @return what the server answers to the command under way */
    Reply MakeAnswer() const;

    /** Data begins to flow. @param now ns */
    void StartSending(int64_t now);

    /** The server says something. @param now ns @param reply what */
    void Say(int64_t now, const Reply& reply);

    /** The server says something. @param now ns @param code of the last reply @param text all */
    void Say(int64_t now, uint32_t code, const std::string& text);

    /** @return bytes of the chunk under way, or of the next one */
    uint64_t GetNextBytes() const;

    const SessionSpec* m_spec;                   //!< its part of the scenario
    uint32_t m_index;                            //!< in the scenario
    Port* m_port;                                //!< what it acts on
    uint32_t m_segmentBytes;                     //!< MSS
    StartJitter m_jitter;                        //!< how late connections start
    std::unique_ptr<TuningPolicy> m_policy;      //!< decides the parallelism
    ResponseTimes m_responses;                   //!< gives R
    SegmentControl m_control;                    //!< the control connection
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
    std::optional<BlockDealer> m_dealer;         //!< of the chunk under way
    std::vector<ChunkRecord> m_records;          //!< complete chunks
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_SESSION_H
