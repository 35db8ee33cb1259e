/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_CHECKSUM_TASK_H
#define GRIDFTP_CHECKSUM_TASK_H

#include "gridftp-data-host.h"
#include "gridftp-file-checksum.h"
#include "gridftp-host-alarm.h"

#include <cstdint>
#include <functional>
#include <memory>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Computes the checksum of a file for a ServerSession or a ClientSession: takes CPU time of its
 * host, then reads the file piece by piece. Real hosts need no CPU time here; between two pieces
 * their process does other work.
 *
 * Contract: its owner calls Bind() before Start(). The host outlives it. Its destructor cancels it.
 */
class ChecksumTask
{
  public:
    /** Called once for each Start() that is not cancelled, perhaps inside it. It may call Start().
     * @param now current time @param value the checksum, or an error */
    using Handler = std::function<void(Nanoseconds now, const TextResult<uint32_t>& value)>;

    /** @param host that computes @param handler called at the end */
    void Bind(DataHost& host, Handler handler);

    /** Begins. Call it only if !IsRunning(). @param now current time @param checksum what to
     * compute @param rateBps how fast a simulated CPU computes it, bit/s; 0: that takes no time */
    void Start(Nanoseconds now, std::unique_ptr<FileChecksum> checksum, int64_t rateBps);

    /** Stops, without a call of the handler. */
    void Cancel();

    /** @return whether it has begun and not ended */
    bool IsRunning() const
    {
        return m_checksum != nullptr;
    }

  private:
    /** Reads the next piece, or ends. @param now current time */
    void Run(Nanoseconds now);

    DataHost* m_host{nullptr};                //!< computes
    Handler m_handler;                        //!< of its owner
    std::unique_ptr<FileChecksum> m_checksum; //!< under way; null: none
    HostAlarm m_next;                         //!< the next Run()
};

} // namespace ns3::gridftp

#endif // GRIDFTP_CHECKSUM_TASK_H
