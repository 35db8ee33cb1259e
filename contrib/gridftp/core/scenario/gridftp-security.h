/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SECURITY_H
#define GRIDFTP_SECURITY_H

#include <cstdint>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief How the two ends of a channel make sure of each other. */
enum class Authentication
{
    NONE, //!< not at all
    GSI   //!< by the Grid Security Infrastructure: a handshake as TLS has it, with certificates of
          //!< both ends
};

/**
 * @ingroup gridftp
 * What the security of a session costs (Allcock et al., Section 5.5): the messages of handshakes,
 * which gridftp-handshake.h has, and the time that they keep the CPUs of both ends busy.
 */
struct SecuritySpec
{
    Authentication control{}; //!< of control channels, whose lines are then protected, too
    Authentication data{};    //!< of data channels (DCAU, GFD.20)
    int64_t authCpu{};        //!< of each step of a handshake in which an end signs or verifies, ns
    int64_t delegationCpu{};  //!< of making the keys of a delegated credential, ns

    /** @return whether control channels are secured */
    bool IsControlSecured() const
    {
        return control != Authentication::NONE;
    }

    /** @return whether data channels are */
    bool IsDataSecured() const
    {
        return data != Authentication::NONE;
    }

    /** @return whether any of it costs CPU time; credentials are delegated on control channels */
    bool IsTimed() const
    {
        return (authCpu > 0 && (IsControlSecured() || IsDataSecured())) ||
               (delegationCpu > 0 && IsControlSecured());
    }
};

} // namespace ns3::gridftp

#endif // GRIDFTP_SECURITY_H
