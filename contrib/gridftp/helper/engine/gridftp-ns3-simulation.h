/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_NS3_SIMULATION_H
#define GRIDFTP_NS3_SIMULATION_H

#include "gridftp-bottleneck-observer.h"
#include "gridftp-connection-monitor.h"
#include "gridftp-csv-traces.h"
#include "gridftp-expected.h"
#include "gridftp-host-meter.h"
#include "gridftp-network-helper.h"
#include "gridftp-ns3-application.h"
#include "gridftp-ns3-engine.h"
#include "gridftp-ns3-progress.h"
#include "gridftp-result.h"
#include "gridftp-scenario.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * One simulation of engine ns3: makes the network and the applications of a scenario, lets ns-3
 * run until all sessions have ended, and measures.
 */
class Ns3Simulation final : private Ns3ApplicationObserver
{
  public:
    /**
     * Makes all of it.
     * @param scenario what to run, under ApplyNs3Defaults(); outlives it
     * @param observers what else to write; outlives it
     */
    Ns3Simulation(const Scenario& scenario, const RunObservers& observers);

    /** Opens what is to be written. @return nothing, or why that fails */
    Done Open();

    /** Simulates. @return the result */
    TransferResult Run();

    /** Closes what was written. @return nothing, or why that fails */
    Done Close();

  private:
    // Ns3ApplicationObserver
    void HandleTransferring() override;
    void HandlePart(uint64_t bytes) override;
    void HandleEnded() override;

    /** Makes the applications. */
    void Install();

    /** @return what has been done until now */
    Ns3Progress::Work GetWork() const;

    /** @return the result, but for its cost */
    TransferResult Collect() const;

    const Scenario& m_scenario;                  //!< what to run
    const RunObservers& m_observers;             //!< what else to write
    NetworkHelper m_network;                     //!< nodes, links, routes
    std::vector<SessionHosts> m_hosts;           //!< of the sessions
    HostMeter m_hostMeter;                       //!< of what they do
    SessionMonitors m_monitors;                  //!< of connections, or none
    BottleneckObserver m_bottleneck;             //!< watches the measured link
    std::optional<BottleneckObserver> m_reverse; //!< watches its reverse direction, if measured
    CsvTraces m_traces;                          //!< writes CSV files
    Ns3Progress m_progress;                      //!< tells how far it has got
    std::vector<std::unique_ptr<Ns3Application>> m_applications; //!< sessions, backgrounds
    size_t m_awaited{0};                                         //!< that have not ended
    bool m_measures{false};                                      //!< one of them has begun
    uint64_t m_parts{0};                                         //!< of their work, complete
    uint64_t m_partBytes{0};                                     //!< in them
};

} // namespace ns3::gridftp

#endif // GRIDFTP_NS3_SIMULATION_H
