/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_UDT_PARAMETERS_H
#define GRIDFTP_UDT_PARAMETERS_H

#include "gridftp-nanoseconds.h"
#include "gridftp-tool-kind.h"

#include <cstdint>
#include <span>

/**
 * @file
 * @ingroup gridftp
 * What can be set about UDT: sizes, the host of the end that sends, and where version 1 of 2003
 * differed from version 4, whose values are the defaults.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief How the packets of the end that sends leave its host. */
enum class UdtPacing
{
    IDEAL, //!< each at its time, as from a program that does nothing but wait for it
    TICK   //!< when its thread wakes up: see UdtPacer
};

/** @ingroup gridftp @brief What holds back the increase of the rate. */
enum class UdtLossGate
{
    ANY, //!< one loss since the last increase (version 4)
    RATE //!< a smoothed loss rate above 1 % (SABUL, version 1)
};

/** @ingroup gridftp @brief What the first loss of a congestion period does. */
enum class UdtFirstLoss
{
    DECREASE, //!< it decreases the rate (version 4)
    FORGIVE   //!< nothing, where it is one packet: the next one does (version 1)
};

/** @ingroup gridftp @brief What a growing delay does. */
enum class UdtDelay
{
    IGNORE,  //!< nothing (version 4)
    DECREASE //!< the receiver warns, and the sender decreases the rate (version 1)
};

/** @ingroup gridftp @brief When further losses within a congestion period decrease the rate. */
enum class UdtDecrease
{
    RANDOM,  //!< every k-th of the first four reports, k random (version 4)
    DOUBLING //!< after 18 reports, then 4, 8, 16 and so on (version 1)
};

/** @ingroup gridftp @brief What is set about UDT. */
struct UdtSettings
{
    uint32_t payload{0};                    //!< file bytes of a full packet
    int64_t sendBufferBytes{0};             //!< of the UDP socket that sends
    uint32_t buffer{0};                     //!< of either end, packets: at most the flight flag
    UdtPacing pacing{UdtPacing::IDEAL};     //!< how packets leave the host
    Nanoseconds tickNs{0};                  //!< of the kernel of the host that sends
    double increase{0};                     //!< beta of the increase, millionths
    double leastIncrease{0};                //!< packets in a SYN
    UdtLossGate lossGate{UdtLossGate::ANY}; //!< what holds back the increase
    UdtFirstLoss firstLoss{UdtFirstLoss::DECREASE}; //!< what the first loss of a period does
    Nanoseconds freezeNs{0};                        //!< pause after a decrease
    UdtDelay delay{UdtDelay::IGNORE};               //!< what a growing delay does
    UdtDecrease decrease{UdtDecrease::RANDOM};      //!< what further losses of a period do
};

/** @ingroup gridftp @param values of a session @return what they say of UDT */
UdtSettings MakeUdtSettings(const NamedValues& values);

/** @ingroup gridftp @return the parameters of UDT */
std::span<const ToolParameter* const> GetUdtParameters();

} // namespace ns3::gridftp

#endif // GRIDFTP_UDT_PARAMETERS_H
