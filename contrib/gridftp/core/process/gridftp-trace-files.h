/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_TRACE_FILES_H
#define GRIDFTP_TRACE_FILES_H

#include "gridftp-expected.h"
#include "gridftp-nanoseconds.h"
#include "gridftp-trace-rows.h"

#include <array>
#include <fstream>
#include <string>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief The traces of a run as files of a folder. */
class TraceFiles : public TraceRows
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

  private:
    // Inherited from TraceRows
    bool IsWanted(Nanoseconds now) override;
    void Write(Trace trace, const std::string& row) override;

    std::string m_folder;                                  //!< where the files are
    std::array<std::ofstream, TRACE_NAMES.size()> m_files; //!< by Trace
};

} // namespace ns3::gridftp

#endif // GRIDFTP_TRACE_FILES_H
