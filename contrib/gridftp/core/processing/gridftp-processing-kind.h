/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_PROCESSING_KIND_H
#define GRIDFTP_PROCESSING_KIND_H

#include "gridftp-file-map.h"
#include "gridftp-named-values.h"
#include "gridftp-quantity.h"
#include "gridftp-scenario.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * Modules of the data processing stage of a data transfer process (Allcock et al., "The Globus
 * Striped GridFTP Framework and Server", Section 5.2), which ERET and ESTO name: how one is
 * declared, and the list of them.
 */

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Declares a parameter of a module. The option with its checks, the key in a result, the field of
 * the lab and, of modules that ERET and ESTO name, its place in these commands follow from this;
 * its value is in ProcessingSpec::values.
 */
struct ProcessingParameter
{
    std::string_view name;        //!< as in --processing-NAME=VALUE, and in ERET and ESTO
    std::string_view key;         //!< as in JSON, with the SI unit, behind processing_
    std::string_view defaultText; //!< as a person would write it
    std::string_view help;        //!< what it is, a few words
    Dimension dimension{};        //!< what a whole number counts, in smallest units
    bool isReal{false};           //!< it is a real number
    double minimum{0};            //!< least value
    double maximum{0};            //!< largest value
    bool isRequired{false};       //!< 0 is no value for a module that takes it
    bool isSaid{false};           //!< ERET and ESTO say it

    /** @param values of a module @return its own */
    double Of(const NamedValues& values) const
    {
        return values.Get(name);
    }

    /** @param values of a module @return its own, a whole number of smallest units */
    int64_t CountOf(const NamedValues& values) const
    {
        return static_cast<int64_t>(values.Get(name));
    }
};

/** @ingroup gridftp @brief A module as its source file declares it. All else follows. */
struct ProcessingKind
{
    std::string_view name;                                //!< as in --processing=NAME
    std::string_view help;                                //!< one line
    std::vector<const ProcessingParameter*> parameters{}; //!< all that it takes

    /** Of one that ERET and ESTO name, which makes something else of the file: what. Null: it
     * changes nothing but which part of the file is moved. @param values of the parameters @param
     * fileBytes of the file @return what it makes of it */
    FileMap (*map)(const NamedValues& values, uint64_t fileBytes){nullptr};

    /** How fast a CPU does it; null: at once. @param values of the parameters @return bit/s of what
     * it is given, 0: at once */
    int64_t (*rate)(const NamedValues& values){nullptr};

    /** Which part of the file is moved; null: all of it. @param values of the parameters @param
     * fileBytes of the file @return the part, in the file */
    MarkerRange (*region)(const NamedValues& values, uint64_t fileBytes){nullptr};

    /** @param parameter any @return whether this kind takes it */
    bool Takes(const ProcessingParameter& parameter) const;
};

/** @ingroup gridftp @return all kinds, the default first */
std::span<const ProcessingKind> GetProcessingKinds();

/** @ingroup gridftp @param name as in --processing=NAME @return the kind, or null */
const ProcessingKind* FindProcessingKind(std::string_view name);

/** @ingroup gridftp @return the parameters of all kinds, each once */
std::span<const ProcessingParameter* const> GetProcessingParameters();

/** @ingroup gridftp @param spec of a session @param fileBytes of one of its files @return the part
 * of what is transferred that is moved: of the file, or of what the server that sends makes of it
 */
MarkerRange FindRegion(const ProcessingSpec& spec, uint64_t fileBytes);

/** @ingroup gridftp @param session of one file @return FindRegion() of it where that is not the
 * file as it is; else none */
std::optional<MarkerRange> FindPart(const SessionSpec& session);

/**
 * @ingroup gridftp
 * Fills in what follows from the module: where it is, how fast, and of how large a file.
 * @param session of which
 */
void ResolveProcessing(SessionSpec& session);

} // namespace ns3::gridftp

#endif // GRIDFTP_PROCESSING_KIND_H
