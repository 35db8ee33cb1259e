/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SCENARIO_H
#define GRIDFTP_SCENARIO_H

#include "gridftp-fault-spec.h"
#include "gridftp-host-spec.h"
#include "gridftp-link-schedule.h"
#include "gridftp-marker-ranges.h"
#include "gridftp-middlebox.h"
#include "gridftp-named-values.h"
#include "gridftp-outage.h"
#include "gridftp-path-spec.h"
#include "gridftp-rate-limiter.h"
#include "gridftp-red.h"
#include "gridftp-security.h"
#include "gridftp-stripes.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * What is simulated, complete and in smallest units: bytes, bits per second, nanoseconds. The
 * structs hold no defaults; those stand in the option table, which fills them.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Which machinery moves the data. */
enum class Engine
{
    SEGMENT, //!< TCP by the segment, without packets: SegmentSimulator
    NS3      //!< real ns-3 sockets, IP, links and queues
};

/** @ingroup gridftp @brief The links of engine ns3. */
enum class LinkKind
{
    LEAN, //!< devices and routes of our own, one event per hop
    NS3   //!< ns-3's point-to-point devices and static routing
};

/** @ingroup gridftp @brief Which way the file goes. */
enum class Direction
{
    UPLOAD,     //!< client to server, ESTO
    DOWNLOAD,   //!< server to client, ERET
    THIRD_PARTY //!< server to server, ERET there and ESTO here, driven by the client
};

/** @ingroup gridftp @param direction of the data @return whether a server receives it */
constexpr bool
IsToServer(Direction direction)
{
    return direction != Direction::DOWNLOAD;
}

/** @ingroup gridftp @param direction of the data @return whether a server sends it */
constexpr bool
IsFromServer(Direction direction)
{
    return direction != Direction::UPLOAD;
}

/** @ingroup gridftp @brief What becomes of the data connections between two chunks. */
enum class DataChannels
{
    FRESH, //!< opened anew for each chunk
    CACHED //!< kept, opened or closed only as the parallelism changes
};

/** @ingroup gridftp @brief Which connection carries which block. */
enum class Layout
{
    DYNAMIC, //!< the next block goes to whichever connection has room
    STATIC   //!< each connection carries one contiguous, equal part of the chunk
};

/**
 * @ingroup gridftp
 * Rules of ns-3's TCP that differ between ns-3's releases and that the segment engine follows.
 *
 * Contract: the defaults are the rules of ns-3.44, so that results do not depend on the ns-3 at
 * hand. Only a comparison with engine ns3 sets others, those that FindNs3TcpRules() finds in the
 * ns-3 that it is linked with. A change of ns-3 that the segment engine does not model, such as one
 * of SACK, has no member here.
 */
struct TcpRules
{
    /// A read that reopens a closed or nearly closed receive window sends an ACK with the new
    /// window at once (RFC 1122, Section 4.2.3.3). ns-3 does so after release 3.48 (its issue 125);
    /// before, the sender learned of the window with the next ACK or by its own probe.
    bool announcesReads{false};

    /** @return whether all members are equal */
    bool operator==(const TcpRules&) const = default;
};

/** @ingroup gridftp @brief What the TCP of hosts is like. */
enum class TcpStack
{
    CLASSIC, //!< as ns-3 has it; options say what it knows
    LINUX    //!< as Linux 6.18 has it
};

/** @ingroup gridftp @brief Whether hosts space out the segments that they send. */
enum class Pacing
{
    AUTO, //!< where the congestion control asks for it, or a rate is set
    FQ    //!< all connections, as queueing discipline fq does
};

/** @ingroup gridftp @brief How CUBIC of the Linux stack leaves slow start. */
enum class SlowStartExit
{
    HYSTART, //!< as the kernel's tcp_cubic.c does
    PLUS,    //!< HyStart++, RFC 9406
    LOSS     //!< by a loss alone
};

/** @ingroup gridftp @brief TCP, the same for every connection. */
struct TcpSpec
{
    TcpStack stack{};     //!< of all hosts
    Pacing pacing{};      //!< Linux stack
    int64_t pacingRate{}; //!< Linux stack: SO_MAX_PACING_RATE of data connections, bit/s; 0: none
    SlowStartExit hystart{}; //!< Linux stack, cubic
    int64_t initialWindow{}; //!< segments
    int64_t minRto{};        //!< ns
    int64_t delayedAck{};    //!< segments per ACK
    bool sack{};             //!< RFC 2018
    bool timestamps{};       //!< RFC 7323
    bool limitedTransmit{};  //!< RFC 3042
    bool ecn{};              //!< RFC 3168
    TcpRules rules{};        //!< engine segment: which of ns-3's rules; no option sets them

    /** @return whether all members are equal */
    bool operator==(const TcpSpec&) const = default;
};

/** @ingroup gridftp @brief What the end that sends makes of an SBUF while data flow. */
enum class SizingPeer
{
    DRS,  //!< it sets its send buffer, and answers
    STOCK //!< it does not know it
};

/** @ingroup gridftp @brief Which of the round-trip times that it has measured an application takes.
 */
enum class SizingRtt
{
    LAST, //!< that of the last SBUF
    LEAST //!< the least one so far: what waited in buffers and queues is not of the path
};

/** @ingroup gridftp @brief The storage that costs nothing, the default. */
inline constexpr std::string_view MEMORY_STORAGE = "memory";

/** @ingroup gridftp @brief What one end of a session reads the file from, or writes it to. */
struct StorageSpec
{
    std::string kind{};   //!< a name of GetStorageKinds()
    NamedValues values{}; //!< its parameters, by their names
    int64_t depth{};      //!< blocks of each data connection that may be under way

    /** @return whether it takes time */
    bool IsTimed() const
    {
        return !kind.empty() && kind != MEMORY_STORAGE;
    }
};

/** @ingroup gridftp @brief How data channels are protected (RFC 2228, Section 3, PROT). */
enum class Protection
{
    CLEAR,          //!< not at all
    INTEGRITY,      //!< each byte goes into a checksum: Safe
    CONFIDENTIALITY //!< each byte is encrypted: Private
};

/** @ingroup gridftp @brief How a client compares the files of both hosts when all data have
 * arrived. */
enum class FileChecksumKind
{
    NONE,   //!< not at all
    ADLER32 //!< with CKSM, the checksum Adler-32 of both (RFC 1950)
};

/** @ingroup gridftp @brief The module that leaves everything as it is, the default. */
inline constexpr std::string_view IDENTITY_MODULE = "identity";

/** @ingroup gridftp @brief At which end of a session a module is that makes something else of the
 * file. */
enum class ModuleEnd
{
    NONE,    //!< there is none, or it changes nothing
    SENDER,  //!< at the server that sends, named by ERET
    RECEIVER //!< at the server that receives, named by ESTO
};

/**
 * @ingroup gridftp
 * What happens to data between storage and data connection (Allcock et al., Section 5.2, data
 * processing), and what it costs on the CPUs of the hosts.
 */
struct ProcessingSpec
{
    std::string module{};          //!< a name of GetProcessingKinds()
    NamedValues values{};          //!< its parameters, by their names
    ModuleEnd moduleAt{};          //!< where that is; NONE until resolved
    int64_t moduleRate{};          //!< how fast a CPU does what the module does, bit/s; 0: at once,
                                   //!< and until resolved
    int64_t fileBytes{};           //!< of the file that the module is given; 0 until resolved
    int64_t cpuRate{};             //!< how fast a host moves bytes, bit/s; 0: it takes no time
    Protection protection{};       //!< of data channels
    int64_t integrityRate{};       //!< how fast a host computes or checks checksums, bit/s
    int64_t confidentialityRate{}; //!< how fast a host encrypts or decrypts, bit/s
    FileChecksumKind checksum{};   //!< whether the client compares the files of both hosts
    int64_t checksumRate{};        //!< how fast a host computes that checksum, bit/s; 0: it takes
                                   //!< no time

    /** @return how fast a host protects bytes, or undoes it, bit/s; 0: it need not */
    int64_t GetProtectionRate() const
    {
        return protection == Protection::CLEAR       ? 0
               : protection == Protection::INTEGRITY ? integrityRate
                                                     : confidentialityRate;
    }

    /** @param receives of the end that receives, else of the one that sends @return whether a
     * module makes something else of the data there */
    bool HasModule(bool receives) const
    {
        return moduleAt == (receives ? ModuleEnd::RECEIVER : ModuleEnd::SENDER);
    }

    /** @param receives at the end that receives, else at the one that sends @return whether bytes
     * take time there */
    bool IsTimed(bool receives) const
    {
        return cpuRate > 0 || GetProtectionRate() > 0 || (moduleRate > 0 && HasModule(receives));
    }
};

/** @ingroup gridftp @brief Socket buffers of a connection, and who fills and empties them. */
struct BufferSpec
{
    std::string policy{}; //!< how they are sized, a name of GetBufferPolicies()
    int64_t window{};     //!< W, receive buffer, at first where a policy moves it, bytes
    int64_t most{};       //!< as far as a policy lets a buffer grow, bytes
    int64_t sendBuffer{}; //!< send buffer, bytes; 0: twice the receiver's window, or the window
    int64_t interval{};   //!< of applications that size buffers: between two samples, ns
    SizingPeer peer{};    //!< of these: what the end that sends knows
    SizingRtt rtt{};      //!< of these: which round-trip time they take
    int64_t readRate{};   //!< how fast the receiving application reads, bit/s; 0: at once
    int64_t writeRate{};  //!< how fast the sending application writes, bit/s; 0: at once
    int64_t sendPool{};   //!< memory for all send buffers of the sending host, bytes; 0: each is
                          //!< of its own
    StorageSpec source{}; //!< what the sending application reads the data from
    StorageSpec sink{};   //!< what the receiving application writes the data to
    ProcessingSpec processing{}; //!< what happens to the data between storage and connection
    HostSpec sender{};           //!< the host that sends the data
    HostSpec receiver{};         //!< the host that receives the data

    /** @param receives of the end that receives, else of the one that sends @return its host */
    const HostSpec& GetHost(bool receives) const
    {
        return receives ? receiver : sender;
    }

    /** @param receives at the end that receives, else at the one that sends @return whether blocks
     * take time there */
    bool IsTimed(bool receives) const
    {
        const bool isStored = (receives ? sink : source).IsTimed();
        return isStored || processing.IsTimed(receives) || GetHost(receives).HoldsBlocks(isStored);
    }
};

/** @ingroup gridftp @brief Which W a tuner reads, see GetTunerWindow(). */
enum class TunerWindow
{
    ASKED, //!< what the client asked for at login
    BUFFER //!< the buffers as they are at the end of a chunk, as far as the client knows them
};

/** @ingroup gridftp @brief Sizes of files: all the same. */
inline constexpr std::string_view FIXED_FILES = "fixed";

/** @ingroup gridftp @brief Sizes of files: drawn from a log-normal distribution. */
inline constexpr std::string_view LOG_NORMAL_FILES = "lognormal";

/** @ingroup gridftp @brief Directions of files: all that of the session. */
inline constexpr std::string_view SAME_DIRECTION = "same";

/** @ingroup gridftp @brief Directions of several files. */
using DirectionList = std::vector<Direction>;

/** @ingroup gridftp @brief Whose host the server of a session is on. */
enum class ServerHost
{
    OWN,   //!< one of its own
    SHARED //!< that of the first session, with its access link, its storage and its CPU
};

/** @ingroup gridftp @brief One client moving one file, or several, one after the other. */
struct SessionSpec
{
    std::string tool;             //!< what moves it, a name of GetToolKinds()
    NamedValues toolValues{};     //!< parameters of tools beside GridFTP, by their names
    std::string mode;             //!< how N is tuned, a name of GetTuningModes()
    NamedValues tuning;           //!< parameters of the modes, by the names of their options
    std::string chunkParallelism; //!< of a mode by hand: N of each chunk, "N:N:..."; else no matter
    std::string externalCommand;  //!< of a mode that asks a program: which; else no matter
    int64_t externalTimeout{};    //!< for how long it may take for an answer, wall time, ns
    BufferSpec buffers{};         //!< of each data connection
    TcpSpec hostTcp{};            //!< TCP of its hosts; of the first session Scenario::tcp
    int64_t fileSize{};           //!< bytes; of drawn sizes their mean
    int64_t files{};              //!< how many files
    std::string fileSizes{};      //!< FIXED_FILES, LOG_NORMAL_FILES, or the sizes or the file of
                                  //!< them as given; once resolved, the sizes
    double fileSpread{};          //!< of drawn sizes, standard deviation of their logarithm
    std::vector<int64_t> fileList{}; //!< sizes that are listed, bytes; else empty
    std::string directionsText{};    //!< SAME_DIRECTION, or the directions of files as given
    DirectionList fileDirections{};  //!< of the files of a set, from its first one on and again;
                                     //!< empty: all go in one direction
    int64_t filesOf{-1};             //!< index of the session whose files it takes, one at a
                                     //!< time; below 0 until resolved: its own
    int64_t repeatFor{};             //!< it begins files for so long, ns; 0: each one once
    int64_t chunkSize{};             //!< X, bytes
    int64_t rttSamples{};            //!< M
    TunerWindow tunerWindow{};       //!< W that its tuner reads
    std::string tcp;                 //!< a name of GetCongestionControls(), or of an ns-3 TypeId
    Direction direction{};           //!< upload, download or third party
    int64_t clientDelay{-1};         //!< of the client's access link where it is neither end of the
                                     //!< data, one way, ns; below 0 until resolved
    DataChannels dataChannels{};     //!< fresh or cached
    int64_t pipelining{};            //!< transfers that are asked for at a time, the one under way
                                     //!< included; 1: the next one when it is complete
    int64_t blockSize{};             //!< payload of a MODE E block, bytes
    Layout layout{};                 //!< dynamic or static
    std::string stripesText{};       //!< "MxN", as given; empty: 1x1
    StripeCounts stripes{};          //!< the same; 1x1 until resolved
    StripeLayout stripeLayout{};     //!< blocked or partitioned
    int64_t stripeBlock{};           //!< of a blocked layout, bytes
    StripeTuning stripeTuning{};     //!< one tuner for all pairs of stripes, or one for each
    int64_t startJitter{};           //!< each fresh data connection starts U(0, jitter) late, ns
    int64_t delay{};            //!< one way, in place of the path's, at least that, ns: what is
                                //!< more is on the client's access link; 0 until resolved
    int64_t start{};            //!< when the client connects, ns
    int64_t accessBandwidth{};  //!< of the client's access link, bit/s; 0 until resolved
    std::string senderHost{};   //!< file of the host that sends; once it is read "none"
    std::string receiverHost{}; //!< file of the host that receives, likewise
    ServerHost server{};        //!< whose host the server is on
    int64_t serverMemory{};     //!< what a server allocates for this client, bytes
    int64_t requestCpu{};       //!< CPU time that a server needs for each transfer command, ns
    int64_t retries{};          //!< how often the client begins anew where it cannot go on
    int64_t retryWait{};        //!< before the first new try, ns; it doubles with each that gains
                                //!< nothing
    int64_t retryWaitMost{};    //!< the longest such wait, ns
    int64_t stallTimeout{};     //!< how long anybody waits without progress, ns; 0: for ever
    int64_t keepalive{};        //!< after which the client sends NOOP, ns; 0: it sends none
    int64_t minRate{};          //!< below which the client gives up, bit/s; 0: at none
    int64_t minRatePeriod{};    //!< over which that rate is the mean, ns
    std::string restartText{};  //!< as given; once resolved, the ranges below, merged
    MarkerRanges restart{};     //!< of the file, that the receiver has at the beginning
    SecuritySpec security{};    //!< how its channels are authenticated
};

/** @ingroup gridftp @param session resolved @return whether it has uploads and downloads over one
 * control connection */
inline bool
HasBothDirections(const SessionSpec& session)
{
    return !session.fileDirections.empty();
}

/** @ingroup gridftp @param session a session @return whether each pair of its stripes has a tuner
 */
inline bool
IsTunedByPair(const SessionSpec& session)
{
    return session.stripeTuning == StripeTuning::EACH && session.stripes.IsStriped();
}

/**
 * @ingroup gridftp
 * A plain TCP connection next to the sessions, between two hosts of its own. It always has data to
 * send.
 */
struct BackgroundSpec
{
    std::string tcp;       //!< a name of GetCongestionControls(), or of an ns-3 TypeId
    Direction direction{}; //!< of its data: UPLOAD or DOWNLOAD
    int64_t delay{};       //!< as SessionSpec::delay
    BufferSpec buffers{};  //!< of the connection
    TcpSpec hostTcp{};     //!< TCP of its hosts
    int64_t start{};       //!< when it connects, ns
    int64_t stop{};        //!< when it ends, ns; 0: when the last session does
    double load{}; //!< above 0: no TCP, but datagrams that take this share of the bottleneck
};

/**
 * @ingroup gridftp
 * @param direction of the data of a session
 * @param server one of its ends, as a fault names it
 * @return whether that is the one that receives
 */
constexpr bool
IsAtReceiver(Direction direction, FaultServer server)
{
    switch (server)
    {
    case FaultServer::SERVER:
        return IsToServer(direction);
    case FaultServer::CLIENT:
        return !IsToServer(direction);
    default:
        return server == FaultServer::RECEIVER;
    }
}

/** @ingroup gridftp @brief Whether results contain RTT under load, queueing delay and each data
 * connection. */
enum class Detail : uint8_t
{
    AUTO, //!< where a program prints a table
    ON,   //!< always
    OFF   //!< never
};

/** @ingroup gridftp @brief How it is run and drawn. */
struct RunSpec
{
    Engine engine{};                     //!< which engine
    LinkKind links{};                    //!< of engine ns3
    int64_t seed{};                      //!< as ns-3's RngSeed
    int64_t run{};                       //!< as ns-3's RngRun
    Detail detail{};                     //!< what is measured; changes nothing else of a result
    std::vector<std::string> attributes; //!< ns-3 attributes, "ns3::Type::Attribute=Value"
};

/** @ingroup gridftp @brief Everything that decides a result. */
struct Scenario
{
    PathSpec path;                          //!< the network
    TcpSpec tcp;                            //!< TCP of the hosts, but for SessionSpec::hostTcp
    std::vector<SessionSpec> sessions;      //!< at least one
    std::vector<BackgroundSpec> background; //!< plain TCP beside them
    std::vector<FaultSpec> faults;          //!< what goes wrong
    RunSpec measure;                        //!< engine and seeds
};

/**
 * @ingroup gridftp
 * The segment size that makes IP packets of a given size.
 *
 * An IPv4 and a TCP header take 20 bytes each, the timestamps option ten and two of padding (RFC
 * 7323, Appendix A). ns-3 does not take the option off the segment size: 1460 bytes would make
 * packets of 1512, which IP fragments. SACK blocks need no room, they ride on pure ACKs.
 *
 * @param packetBytes IP packet of a full segment
 * @param timestamps whether the timestamps option is on
 * @return payload of a full segment (MSS), bytes; below 1 where there is no room for data
 */
int64_t SegmentBytesFor(int64_t packetBytes, bool timestamps);

/** @ingroup gridftp @param path whose reverse rate, delay and queue become those of its forward
 * direction where they are not given */
void ResolveReverse(PathSpec& path);

/**
 * @ingroup gridftp
 * The round-trip time of a path with empty queues, without transmission times.
 *
 * @param path resolved
 * @param delayNs one way, forward, of the session or background connection, as SessionSpec::delay;
 *        what it is more than the path's is on its client's access link, in both directions
 * @return sum of the delays of both directions, ns
 */
int64_t GetRoundTripNs(const PathSpec& path, int64_t delayNs);

/**
 * @ingroup gridftp
 * @param scenario resolved
 * @param direction of the data of one of its sessions or background connections
 * @return whether these data cross the bottleneck in its forward direction
 */
bool IsForward(const Scenario& scenario, Direction direction);

/** @ingroup gridftp @param scenario resolved @param direction of data @return rate of the
 * bottleneck in that direction, bit/s; with a schedule its largest */
int64_t GetBandwidth(const Scenario& scenario, Direction direction);

/**
 * @ingroup gridftp
 * Whether the reverse direction of the bottleneck carries more than the ACKs of a path whose two
 * directions are alike: it has another rate, delay, queue, discipline or loss, or carries data.
 * Results then describe both directions.
 *
 * @param scenario a scenario
 * @return whether it does
 */
bool HasTwoDirections(const Scenario& scenario);

/** @ingroup gridftp @param scenario a scenario @return whether any of its hosts uses ECN */
bool UsesEcn(const Scenario& scenario);

/** @ingroup gridftp @param scenario a scenario @return its MSS, see SegmentBytesFor() */
int64_t GetSegmentBytes(const Scenario& scenario);

/** @ingroup gridftp @param scenario resolved @param index of a session @return whether its server
 * is on a host that others have theirs on, too */
bool HasSharedServer(const Scenario& scenario, size_t index);

/**
 * @ingroup gridftp
 * Where nothing goes wrong, each wait has an end: that of what is awaited, or TCP's. Else: faults,
 * tries that end, a path that stands still, loss of 1 % or more, data in the reverse direction.
 *
 * @param scenario a scenario
 * @param session one of its sessions
 * @return whether somebody may have to wait for ever, but for SessionSpec::stallTimeout
 */
bool HasLimits(const Scenario& scenario, const SessionSpec& session);

/** @ingroup gridftp @brief Whom a fault is at. */
struct FaultPlace
{
    size_t session{0};    //!< index of the session
    bool receives{false}; //!< its end that receives, else the one that sends
    int64_t stripe{-1};   //!< of that end; below 0: any
};

/**
 * @ingroup gridftp
 * @param scenario with its faults
 * @param kind of fault
 * @param place whom it is at; not asked where the kind is of the network
 * @return when there are such
 */
Outages ListOutages(const Scenario& scenario, FaultKind kind, const FaultPlace& place);

/** @ingroup gridftp @param scenario with its faults @param place a server of a session @return when
 * a middlebox forgets idle control connections to it */
std::vector<IdleRule> ListIdleRules(const Scenario& scenario, const FaultPlace& place);

/** @ingroup gridftp @param scenario with its faults @return when its bottleneck loses every packet
 * above a size */
std::vector<SizeHole> ListSizeHoles(const Scenario& scenario);

/** @ingroup gridftp @param kind of a fault @return whether it is of the bottleneck, not of a
 * session */
constexpr bool
IsOfBottleneck(FaultKind kind)
{
    return kind == FaultKind::LINK_DOWN || kind == FaultKind::MTU_HOLE;
}

} // namespace ns3::gridftp

#endif // GRIDFTP_SCENARIO_H
