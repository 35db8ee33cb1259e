/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SEGMENT_APPLICATION_H
#define GRIDFTP_SEGMENT_APPLICATION_H

#include "gridftp-connection-monitor.h"
#include "gridftp-file-set.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-result.h"
#include "gridftp-scenario.h"
#include "gridftp-segment-events.h"
#include "gridftp-segment-flows.h"
#include "gridftp-segment-tcp.h"
#include "gridftp-segment-views.h"
#include "gridftp-session-hosts.h"
#include "gridftp-storage.h"
#include "gridftp-tuning-context.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Hears of an application's course; times may lie ahead. */
class ApplicationObserver
{
  public:
    virtual ~ApplicationObserver() = default;

    /** It begins with its first transfer. @param now of the simulation */
    virtual void HandleTransferring(Nanoseconds now) = 0;

    /** A part of its work is complete, up to which it is measured. @param now of the simulation */
    virtual void HandlePart(Nanoseconds now) = 0;

    /** It has seen to its connections behind a part, in the same moment. @param now of the
     * simulation */
    virtual void HandleBehindPart(Nanoseconds now) = 0;

    /** It is done or has failed. @param now of the simulation */
    virtual void HandleEnded(Nanoseconds now) = 0;
};

class FastForward;

/** @ingroup gridftp @brief What an application is given. */
struct ApplicationContext
{
    const Scenario* scenario{nullptr};       //!< outlives it
    uint32_t index{0};                       //!< sessions are counted first, then backgrounds
    FlowPath path;                           //!< from its client, end 0, to its server: to the one
                                             //!< that receives, where there are two
    FlowPath senderPath;                     //!< from its client to the server that sends, likewise
    std::vector<FlowPath> data;              //!< from the host that sends data to the one that
                                             //!< receives it, by pair of stripes
    std::vector<FlowPath> senders;           //!< from the end that sends to its DTPs; none where
                                             //!< it is one host
    std::vector<FlowPath> receivers;         //!< likewise at the end that receives
    std::vector<uint32_t> receiverAddresses; //!< IPv4, of the hosts that receive, by stripe
    FlowPath oppositeData;                   //!< as data, of files of a session that go the other
                                             //!< way than its direction
    uint32_t oppositeAddress{0};             //!< IPv4, of the host that receives these
    std::shared_ptr<FileSupply> files;       //!< that a session moves
    std::shared_ptr<Storage> source;         //!< of the server's host where it is shared; else null
    SessionHosts hosts;                      //!< of a session
    TuningContext tuning;                    //!< what a session's tuner has beside its numbers
    FlowTable* flows{nullptr};               //!< outlives it
    ApplicationObserver* observer{nullptr};  //!< outlives it
    FastForward* fastForward{nullptr};       //!< outlives it
    SessionMonitor* monitor{nullptr};        //!< of its data connections, outlives it; null: none
};

/**
 * @ingroup gridftp
 * What uses the network: one session or one background connection, all hosts of it.
 *
 * Contract: Start() is called once, at the time that the scenario says. From then on it acts on its
 * flows and on events of its hosts' clocks, and tells the observer. Results and views may be asked
 * for at any time.
 */
class SegmentApplication
{
  public:
    virtual ~SegmentApplication() = default;

    /** It starts. @param now of the simulation */
    virtual void Start(Nanoseconds now) = 0;

    /** It cannot go on, since the simulation does not. @param now of the simulation @param reason
     * for a person */
    virtual void Fail(Nanoseconds now, const std::string& reason) = 0;

    /** @return its part of the simulation's end is told to the observer */
    virtual bool IsAwaited() const = 0;

    /** @return it as it is now, where it is a session */
    virtual SessionView GetView() const;

    /** @param now of the simulation @return what it has moved; fewer bytes than before where a
     * client has begun anew, until what was lost has come again */
    virtual FlowView GetFlow(Nanoseconds now) const = 0;

    /**
     * Adds what has come of it.
     * @param now of the simulation
     * @param result of the whole scenario
     */
    virtual void AddTo(Nanoseconds now, TransferResult& result) const = 0;
};

/** @ingroup gridftp @brief A kind of application. */
struct ApplicationKind
{
    std::string_view name; //!< as in --tool=NAME

    /** Makes one. */
    std::unique_ptr<SegmentApplication> (*make)(const ApplicationContext& context);
};

/** @ingroup gridftp @return all kinds */
std::span<const ApplicationKind> GetApplicationKinds();

/**
 * @ingroup gridftp
 * @param name of a kind that there is
 * @param context what it is given
 * @return the application
 */
std::unique_ptr<SegmentApplication> MakeApplication(std::string_view name,
                                                    const ApplicationContext& context);

/** @ingroup gridftp @param context of a session @return a GridFTP client and its server */
std::unique_ptr<SegmentApplication> MakeGridFtpApplication(const ApplicationContext& context);

/** @ingroup gridftp @param context of a session whose tool moves the file by datagrams @return both
 * ends of it, see ToolKind */
std::unique_ptr<SegmentApplication> MakeDatagramToolApplication(const ApplicationContext& context);

/** @ingroup gridftp @param context of a background connection @return plain TCP with endless data
 */
std::unique_ptr<SegmentApplication> MakeBackgroundApplication(const ApplicationContext& context);

/** @ingroup gridftp @param context of a background with a load @return its source and its sink */
std::unique_ptr<SegmentApplication> MakeLoadApplication(const ApplicationContext& context);

/** @ingroup gridftp @param context of a session @return a bbFTP client and its server */
std::unique_ptr<SegmentApplication> MakeBbftpApplication(const ApplicationContext& context);

} // namespace ns3::gridftp

#endif // GRIDFTP_SEGMENT_APPLICATION_H
