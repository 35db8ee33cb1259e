/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TRANSFER_OUTPUT_H
#define GRIDFTP_TRANSFER_OUTPUT_H

#include "gridftp-option-table.h"
#include "gridftp-result.h"

#include <iostream>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Exit status of a program whose input is at fault. */
inline constexpr int EXIT_BAD_INPUT = 2;

/**
 * @ingroup gridftp
 * @param error what is wrong with the input of gridftp-transfer, printed on standard error
 * @return the exit status
 */
inline int
Refuse(const Error& error)
{
    std::cerr << "gridftp-transfer: " << error.message << std::endl;
    return EXIT_BAD_INPUT;
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
