/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_NS3_APPLICATION_H
#define GRIDFTP_NS3_APPLICATION_H

#include "gridftp-connection-monitor.h"
#include "gridftp-csv-traces.h"
#include "gridftp-external-program.h"
#include "gridftp-file-set.h"
#include "gridftp-result.h"
#include "gridftp-scenario.h"
#include "gridftp-storage.h"

#include "ns3/ipv4-address.h"
#include "ns3/node.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Hears of an application's course, when it happens. */
class Ns3ApplicationObserver
{
  public:
    virtual ~Ns3ApplicationObserver() = default;

    /** It begins with its first transfer. */
    virtual void HandleTransferring() = 0;

    /** A part of its work is complete, up to which it is measured. @param bytes of it */
    virtual void HandlePart(uint64_t bytes) = 0;

    /** It is done or has failed. */
    virtual void HandleEnded() = 0;
};

/** @ingroup gridftp @brief A host that an application uses. */
struct Ns3Host
{
    Ptr<Node> node;      //!< the host
    Ipv4Address address; //!< where others reach it
};

/** @ingroup gridftp @brief What an application is given. */
struct Ns3ApplicationContext
{
    const Scenario* scenario{nullptr}; //!< outlives it
    uint32_t index{0};                 //!< sessions are counted first, then backgrounds
    Ns3Host client;                    //!< connects
    Ns3Host server;                    //!< accepts; third party: receives the data
    Ns3Host sender;                    //!< third party: sends the data
    std::vector<Ns3Host> senders;      //!< that send the data, by stripe
    std::vector<Ns3Host> receivers;    //!< that receive the data, by stripe
    std::shared_ptr<FileSupply> files; //!< that a session moves
    std::shared_ptr<Storage> source;   //!< of the server's host where it is shared; else null
    SessionHosts hosts;                //!< of a session
    Ns3ApplicationObserver* observer{nullptr};    //!< outlives it
    ExternalProgramStarter startProgram{nullptr}; //!< of a tuner that asks one
    SessionMonitor* monitor{nullptr};             //!< of its data connections, outlives it
    CsvTraces* traces{nullptr};                   //!< what it writes to, outlives it; null: nothing
};

/**
 * @ingroup gridftp
 * What uses the network in engine ns3: one session or one background connection, with the ns-3
 * applications at both of its hosts.
 *
 * Contract: made before the simulation starts, it installs ns-3 applications that start by
 * themselves, at the time that the scenario says, and tells the observer. Results may be asked for
 * at any time.
 */
class Ns3Application
{
  public:
    virtual ~Ns3Application() = default;

    /** @return its part of the simulation's end is told to the observer */
    virtual bool IsAwaited() const = 0;

    /** @return N as it is now decided; 0 before the first decision and where there is none */
    virtual uint32_t GetParallelism() const;

    /** Adds what has come of it. @param result of the whole scenario */
    virtual void AddTo(TransferResult& result) const = 0;
};

/**
 * @ingroup gridftp
 * @param kind of a ScenarioApplication
 * @param context what it is given
 * @return the application, installed
 */
std::unique_ptr<Ns3Application> MakeNs3Application(std::string_view kind,
                                                   const Ns3ApplicationContext& context);

} // namespace ns3::gridftp

#endif // GRIDFTP_NS3_APPLICATION_H
