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
 * Computes the checksum of a file on a host: asks the CPU, and reads the file when that is done.
 * On a real host, whose CPU takes the time that it takes, other work of the process goes on between
 * two pieces of the file.
 *
 * Contract: its owner calls Bind() before Start(). The host outlives it.
 */
class ChecksumTask
{
  public:
    /** Called once after Start(), perhaps inside it. @param now current time @param value of the
     * checksum, or an error */
    using Handler = std::function<void(Nanoseconds now, const TextResult<uint32_t>& value)>;

    /** @param host that computes @param handler called at the end */
    void Bind(DataHost& host, Handler handler);

    /** Begins; none is under way. @param now current time @param checksum of which file @param
     * rateBps how fast the CPU computes it, bit/s; 0: that takes no time */
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
