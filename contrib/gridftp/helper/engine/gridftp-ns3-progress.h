/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_NS3_PROGRESS_H
#define GRIDFTP_NS3_PROGRESS_H

#include "gridftp-progress-report.h"
#include "gridftp-scenario.h"

#include <cstdint>
#include <functional>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Tells now and then how far a simulation of engine ns3 has got.
 */
class Ns3Progress
{
  public:
    /** What it is told of the simulation. */
    struct Work
    {
        uint64_t parts{0};          //!< of the sessions' work that are complete
        uint64_t partBytes{0};      //!< in them
        uint64_t forwardedBytes{0}; //!< that have left the measured link's queue since the start
        uint32_t parallelism{0};    //!< N of the first session
        bool isOver{false};         //!< nothing more comes
    };

    /**
     * @param scenario what is simulated; outlives it
     * @param look tells what has been done
     * @param tell is told how far that is; empty: nobody is
     */
    Ns3Progress(const Scenario& scenario,
                std::function<Work()> look,
                std::function<void(const ProgressReport&)> tell);

    /** Reports at the beginning, and from then on until the work is over. */
    void Start();

  private:
    /** Reports, and will again. */
    void Report();

    /** @param work done @return how far that is */
    ProgressReport MakeReport(const Work& work) const;

    const Scenario& m_scenario;                        //!< what is simulated
    std::function<Work()> m_look;                      //!< tells what has been done
    std::function<void(const ProgressReport&)> m_tell; //!< is told
};

} // namespace ns3::gridftp

#endif // GRIDFTP_NS3_PROGRESS_H
