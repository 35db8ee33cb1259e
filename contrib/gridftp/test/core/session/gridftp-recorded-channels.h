/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_RECORDED_CHANNELS_H
#define GRIDFTP_RECORDED_CHANNELS_H

#include "gridftp-recorded-host.h"

#include "ns3/gridftp-data-transfer-group.h"

/**
 * @file
 * @ingroup gridftp
 * Hosts in memory for tests of one protocol interpreter. The test plays the other one.
 */

namespace ns3::gridftp
{

/// The hosts of a session.
struct RecordedChannels
{
    /// @return the same for the session
    ChannelHosts Get()
    {
        return {control, sender, receiver};
    }

    /// Does what is scheduled up to a time. @param until when
    void Run(Nanoseconds until)
    {
        control.Run(until);
        sender.Run(until);
        receiver.Run(until);
    }

    RecordedHost control;  ///< of control connections and timers
    RecordedHost sender;   ///< of data connections that send
    RecordedHost receiver; ///< of data connections that receive
};

} // namespace ns3::gridftp

#endif // GRIDFTP_RECORDED_CHANNELS_H
