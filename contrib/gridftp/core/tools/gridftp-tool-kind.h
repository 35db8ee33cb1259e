/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TOOL_KIND_H
#define GRIDFTP_TOOL_KIND_H

#include "gridftp-block-stages.h"
#include "gridftp-named-values.h"
#include "gridftp-quantity.h"
#include "gridftp-tool-end.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * Tools beside GridFTP that move the file of a session: how one is declared, and the list of them.
 */

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Declares a parameter of a tool. Its option with its checks, its key in a result and the field of
 * the lab follow from this; its value is in SessionSpec::toolValues.
 */
struct ToolParameter
{
    std::string_view name;        //!< as in --tool-NAME=VALUE
    std::string_view key;         //!< as in JSON, with the SI unit, behind tool_
    std::string_view defaultText; //!< as a person would write it
    std::string_view help;        //!< what it is, a few words

    Dimension dimension{Dimension::COUNT};       //!< what a whole number counts, in smallest units
    bool isReal{false};                          //!< it is a real number
    double minimum{0};                           //!< least value
    double maximum{0};                           //!< largest value
    std::span<const std::string_view> choices{}; //!< if any, its value is one of these words

    /** @param values of a session @return its own; of a word its index */
    double Of(const NamedValues& values) const
    {
        return values.Get(name);
    }

    /** @param values of a session @return its own, a whole number of smallest units or the index of
     * a word */
    int64_t CountOf(const NamedValues& values) const
    {
        return static_cast<int64_t>(values.Get(name));
    }
};

/** @ingroup gridftp @brief What a tool is to move, and over what. */
struct ToolTransfer
{
    NamedValues values{};      //!< parameters of the tools, by their names
    uint64_t bytes{0};         //!< of the file
    int64_t linkRateBps{0};    //!< of the link of the host that sends
    int64_t linkExtraBytes{0}; //!< what a UDP payload has around it on that link
    uint64_t randomKey{0};     //!< of its random numbers: of seed, run and session
    BlockStages source{};      //!< what blocks of the file pass that are read, at the sender
    BlockStages sink{};        //!< what those pass that are written, at the receiver
};

/** @ingroup gridftp @brief A tool as its source file declares it. All else follows. */
struct ToolKind
{
    std::string_view name;                          //!< as in --tool=NAME
    std::string_view help;                          //!< one line
    std::vector<const ToolParameter*> parameters{}; //!< all that it takes

    /** @name Of a tool that moves the file by datagrams; else null
     * @{ */

    /** Makes the end that sends. @param transfer what it is to move @param port its host, which
     * outlives it @return it */
    std::unique_ptr<ToolEnd> (*makeSender)(const ToolTransfer& transfer, ToolPort& port){nullptr};

    /** Makes the end that receives, likewise. */
    std::unique_ptr<ToolEnd> (*makeReceiver)(const ToolTransfer& transfer, ToolPort& port){nullptr};

    /** @param values of the parameters @return UDP payload of a full datagram with file data */
    uint32_t (*dataBytes)(const NamedValues& values){nullptr};

    uint32_t dataHeaderBytes{0}; //!< of a datagram with file data, in front of these
    bool storesBehind{false};    //!< where storing takes time, the sender is done before the file
                                 //!< is stored: see ToolPort::HandleStored()

    /** @param report any @return its UDP payload, bytes */
    uint32_t (*reportBytes)(const ReportDatagram& report){nullptr};

    /** Writes the header of a datagram with file data. @param datagram it @param header as many
     * bytes as dataHeaderBytes */
    void (*writeData)(const DataDatagram& datagram, std::span<uint8_t> header){nullptr};

    /** Writes a report. @param report it @param bytes as many as reportBytes() says */
    void (*writeReport)(const ReportDatagram& report, std::span<uint8_t> bytes){nullptr};

    /** Reads a datagram. @param front of it, at least its header and all of a report, at most all
     * of it @param size of its UDP payload, bytes @return what it is; none: it makes no sense */
    std::optional<std::variant<DataDatagram, ReportDatagram>> (
        *read)(std::span<const uint8_t> front, uint32_t size){nullptr};
    /** @} */

    /** @param parameter any @return whether this kind takes it */
    bool Takes(const ToolParameter& parameter) const;

    /** @return whether it moves the file by datagrams */
    bool IsOfDatagrams() const
    {
        return makeSender != nullptr;
    }
};

/** @ingroup gridftp @return all tools, the default first */
std::span<const ToolKind> GetToolKinds();

/** @ingroup gridftp @param name as in --tool=NAME @return the tool, or null */
const ToolKind* FindToolKind(std::string_view name);

/** @ingroup gridftp @return the parameters of all tools, each once */
std::span<const ToolParameter* const> GetToolParameters();

/** @ingroup gridftp @brief Bytes of an IPv4 and a UDP header. */
inline constexpr int64_t DATAGRAM_HEADER_BYTES = 28;

} // namespace ns3::gridftp

#endif // GRIDFTP_TOOL_KIND_H
