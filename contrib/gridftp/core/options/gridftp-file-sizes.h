/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_FILE_SIZES_H
#define GRIDFTP_FILE_SIZES_H

#include "gridftp-expected.h"
#include "gridftp-option.h"
#include "gridftp-path-schedule.h"
#include "gridftp-scenario.h"

#include <cstddef>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * --files, --file-sizes and --repeat-for: the data set of a session.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Most files of a session. */
inline constexpr int64_t MOST_FILES = 1'000'000;

/** @ingroup gridftp @brief Most sizes that are listed; a result holds them all. */
inline constexpr size_t MOST_LISTED_FILES = 20'000;

/** @ingroup gridftp @param rows of a session, to which those of its files are added */
void AddFileRows(std::vector<Option>& rows);

/** @ingroup gridftp @return the row of --session that says whose files a session takes */
Option MakeFilesOfRow();

/**
 * @ingroup gridftp
 * Gives sessions that share the files of an earlier one all that is said of these.
 *
 * @param scenario whose sessions are all there
 * @return nothing, or one line that names what is wrong and what is allowed
 */
Done ResolveSharedFiles(Scenario& scenario);

/**
 * @ingroup gridftp
 * Makes the sizes of the files of each session that SessionSpec::fileSizes lists, or that the file
 * that it names holds, one a line. The text becomes the sizes, so that to resolve it again changes
 * nothing.
 *
 * @param scenario whose sessions are all there
 * @param read reads a file
 * @return nothing, or one line that names what is wrong and what is allowed
 */
Done ResolveFileSizes(Scenario& scenario, const FileReader& read);

} // namespace ns3::gridftp

#endif // GRIDFTP_FILE_SIZES_H
