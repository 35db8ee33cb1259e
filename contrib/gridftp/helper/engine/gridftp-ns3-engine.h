/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_NS3_ENGINE_H
#define GRIDFTP_NS3_ENGINE_H

#include "gridftp-expected.h"
#include "gridftp-progress-report.h"
#include "gridftp-result.h"
#include "gridftp-scenario.h"

#include <cstdint>
#include <functional>
#include <string>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief What a run writes besides its result, and whom it tells. */
struct RunObservers
{
    std::string traceFolder;                             //!< CSV traces; empty: none
    std::string pcapPrefix;                              //!< packet captures; empty: none
    std::function<void(const ProgressReport&)> progress; //!< called now and then; empty: nobody
};

/**
 * @ingroup gridftp
 * Checks what only ns-3 knows: names of TCP variants and of attributes, and their values. Sets the
 * attributes in this process.
 *
 * @param scenario a resolved scenario
 * @return nothing, or one line that says what is wrong
 */
Done CheckNs3Scenario(const Scenario& scenario);

/**
 * @ingroup gridftp
 * Refuses attributes of types of which the simulation constructs no object, so that they would have
 * no effect. A trial finds the types: the scenario with one byte for each session.
 *
 * Contract: programs that call RunOnNs3() call it after CheckNs3Scenario(); others construct other
 * objects. It passes where the trial does not end.
 *
 * @param scenario checked by CheckNs3Scenario()
 * @param hasCaptures whether RunOnNs3() will write packet captures, which have attributes, too
 * @return nothing, or one line that names the attribute and what is allowed
 */
Done CheckNs3Types(const Scenario& scenario, bool hasCaptures);

/**
 * @ingroup gridftp
 * Runs a scenario on ns-3's own TCP/IP stack; the reference of the two engines. Sets attribute
 * defaults, seed and run of the process and destroys the simulator when it is done.
 *
 * @param scenario checked by CheckNs3Scenario()
 * @param observers what else to write
 * @return the result, validated; or why traces cannot be written
 */
Expected<TransferResult> RunOnNs3(const Scenario& scenario, const RunObservers& observers);

/**
 * @ingroup gridftp
 * Sets ns-3's attribute defaults, seed and run as a scenario asks, with what costs time and is not
 * needed turned off. RunOnNs3() calls it; programs that build their own applications may, too.
 *
 * @param scenario checked by CheckNs3Scenario()
 * @param checksums whether headers carry checksums (for captures)
 */
void ApplyNs3Defaults(const Scenario& scenario, bool checksums);

} // namespace ns3::gridftp

#endif // GRIDFTP_NS3_ENGINE_H
