/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TUNER_WINDOW_H
#define GRIDFTP_TUNER_WINDOW_H

#include "gridftp-scenario.h"

#include <cstdint>
#include <span>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * W of a chunk for the tuner, whose G > eta N W / R asks whether the windows limit the goodput (Ito
 * et al., Sec. 3.4). Where a policy moves the buffers, what the client asked for at login is no
 * longer what limits: a connection with the right window is told from one with too small a window
 * only by the window that it has. A client knows its own sockets, nothing else:
 *
 * - in a download the mean of its receive buffers;
 * - in an upload the mean of the largest windows that the server has advertised on each connection
 *   (in Linux tcpi_snd_wnd of TCP_INFO). The send buffer follows them, and is twice as large
 *   (GetSendBufferFor()). Where the server's application asks for send buffers, they are as large
 * as its receive buffers. One that does neither tells nothing: what was asked for at login;
 * - in a third-party transfer, where no data socket is its own, what it asked for.
 *
 * @param kind what the tuner is to read
 * @param direction of the data
 * @param asked buffers of the session
 * @param sizes of the client's own socket buffers at the end of the chunk, one a data connection,
 *        bytes: receive buffers in a download, send buffers in an upload
 * @return W, bytes
 */
double GetTunerWindow(TunerWindow kind,
                      Direction direction,
                      const BufferSpec& asked,
                      std::span<const uint64_t> sizes);

} // namespace ns3::gridftp

#endif // GRIDFTP_TUNER_WINDOW_H
