/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_MODULE_TEXT_H
#define GRIDFTP_MODULE_TEXT_H

#include "gridftp-control-text.h"
#include "gridftp-named-values.h"
#include "gridftp-scenario.h"

#include <cstdint>
#include <string>
#include <string_view>

/**
 * @file
 * @ingroup gridftp
 * ERET and ESTO (GFD.20, Sections 3.4 and 3.5), whose first word names a module of the server's
 * data processing stage: P, a part of the file, or A, where to put it, as all servers have; or
 * another one, with what it has to know in quotation marks behind it:
 *
 *     ERET P 1000000 5000000 /data/file
 *     ERET scale="ratio=0.5" 1000000 5000000 /data/file
 *     ESTO A 1000000 /data/file
 *     ESTO scale="ratio=0.5" 1000000 /data/file
 *
 * Offset and length are always of what is transferred.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief A module that ERET or ESTO names, which makes something else of a file.
 */
struct ModuleCall
{
    std::string name{};   //!< of GetProcessingKinds(); empty: the file goes as it is
    NamedValues values{}; //!< its parameters

    /** @return whether there is one */
    explicit operator bool() const
    {
        return !name.empty();
    }

    bool operator==(const ModuleCall&) const = default;
};

/** @ingroup gridftp @brief Argument of ERET. */
struct RetrieveOrder
{
    ModuleCall module{};    //!< what makes something else of the file
    PartialRetrieve part{}; //!< which part of that is sent

    bool operator==(const RetrieveOrder&) const = default;
};

/** @ingroup gridftp @brief Argument of ESTO. */
struct StoreOrder
{
    ModuleCall module{};   //!< what makes something else of what comes
    AdjustedStore place{}; //!< where what comes begins

    bool operator==(const StoreOrder&) const = default;
};

/** @ingroup gridftp @param spec of a session, resolved @param receives of the server that receives,
 * else of the one that sends @return the module that it is to use */
ModuleCall GetModuleOf(const ProcessingSpec& spec, bool receives);

/** @ingroup gridftp @param module what is to be used @param fileBytes of a file @return bytes of
 * what it makes of the file */
uint64_t GetOutputBytes(const ModuleCall& module, uint64_t fileBytes);

/** @ingroup gridftp @param order the argument @return as above */
std::string FormatRetrieve(const RetrieveOrder& order);

/** @ingroup gridftp @param argument of ERET @return the parts, or 501; 504 for a module that there
 * is not */
TextResult<RetrieveOrder> ParseRetrieve(std::string_view argument);

/** @ingroup gridftp @param order the argument @return as above */
std::string FormatStore(const StoreOrder& order);

/** @ingroup gridftp @param argument of ESTO @return the parts, or 501; 504 for a module that there
 * is not */
TextResult<StoreOrder> ParseStore(std::string_view argument);

} // namespace ns3::gridftp

#endif // GRIDFTP_MODULE_TEXT_H
