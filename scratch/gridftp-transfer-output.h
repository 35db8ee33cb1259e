/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TRANSFER_OUTPUT_H
#define GRIDFTP_TRANSFER_OUTPUT_H

#include "gridftp-option-table.h"
#include "gridftp-program.h"
#include "gridftp-result.h"

#include <iostream>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * @param error what is wrong with the input of gridftp-transfer, printed on standard error
 * @return the exit status
 */
inline int
Refuse(const Error& error)
{
    return Refuse("gridftp-transfer", error);
}

/** @ingroup gridftp @param request whose notes gridftp-transfer prints on standard error */
inline void
PrintNotes(const TransferRequest& request)
{
    PrintNotes("gridftp-transfer", request.notes);
}

/**
 * @ingroup gridftp
 * @param request what was asked for
 * @return its scenario as it is simulated: a table shows what --detail=auto measures
 */
inline Scenario
ResolveDetail(const TransferRequest& request)
{
    Scenario scenario = request.scenario;
    if (scenario.measure.detail == Detail::AUTO && !request.output.json)
    {
        scenario.measure.detail = Detail::ON;
    }
    return scenario;
}

/**
 * @ingroup gridftp
 * Prints what came of a transfer.
 * @param request what was asked for
 * @param result what came of it
 * @param provenance of the result
 * @return the exit status
 */
inline int
PrintResult(const TransferRequest& request,
            const Expected<TransferResult>& result,
            const Provenance& provenance)
{
    if (!result)
    {
        return Refuse(result.GetError());
    }
    std::cout << (request.output.json ? ResultToJson(request.scenario, *result, provenance) + "\n"
                                      : ResultToText(request.scenario, *result))
              << std::flush;
    return result->done ? 0 : 1;
}

} // namespace ns3::gridftp

#endif // GRIDFTP_TRANSFER_OUTPUT_H
