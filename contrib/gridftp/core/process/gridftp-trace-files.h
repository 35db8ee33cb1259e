/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TRACE_FILES_H
#define GRIDFTP_TRACE_FILES_H

#include "gridftp-expected.h"
#include "gridftp-segment-simulator.h"

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The traces of a run as CSV files, the same for both engines: cwnd.csv (windows of the sending
 * sockets), queue.csv (packets waiting at the bottleneck), drops.csv (packets that its queue
 * refused). Times in seconds, windows in bytes.
 */
class TraceFiles
{
  public:
    /**
     * Makes the folder and opens the files.
     * @param folder where
     * @return nothing, or why that fails
     */
    Done Open(const std::string& folder);

    /**
     * Closes the files.
     * @return nothing, or that not everything could be written
     */
    Done Close();

    /**
     * A row of cwnd.csv.
     * @param now ns
     * @param label which connection
     * @param cwnd bytes
     * @param ssthresh bytes; none while it is not set
     */
    void AddWindow(int64_t now,
                   const ConnectionLabel& label,
                   uint64_t cwnd,
                   const std::optional<uint64_t>& ssthresh);

    /** A row of queue.csv. @param now ns @param packets waiting */
    void AddQueue(int64_t now, uint64_t packets);

    /**
     * A row of drops.csv.
     * @param now ns
     * @param label which data connection, none for another
     * @param sequence first byte of its data in the stream, none where it had no data
     */
    void AddDrop(int64_t now,
                 const std::optional<ConnectionLabel>& label,
                 const std::optional<uint64_t>& sequence);

  private:
    std::string m_folder;  //!< where the files are
    std::ofstream m_cwnd;  //!< cwnd.csv
    std::ofstream m_queue; //!< queue.csv
    std::ofstream m_drops; //!< drops.csv
};

/** @ingroup gridftp @brief Writes what the segment engine shows to trace files. */
class SegmentTraces : public SegmentObserver
{
  public:
    /** @param files open; they outlive it */
    explicit SegmentTraces(TraceFiles& files)
        : m_files(files)
    {
    }

    // Inherited from SegmentObserver
    void HandleLength(int64_t now, uint64_t packets) override;
    void HandleWindow(int64_t now,
                      const ConnectionLabel& label,
                      const SegmentSender& sender) override;
    void HandleDrop(int64_t now,
                    const std::optional<ConnectionLabel>& label,
                    const std::optional<uint64_t>& sequence) override;

  private:
    TraceFiles& m_files; //!< where it writes
};

} // namespace ns3::gridftp

#endif // GRIDFTP_TRACE_FILES_H
