/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_FOLDER_LOOKUP_H
#define GRIDFTP_FOLDER_LOOKUP_H

#include "gridftp-file-descriptor.h"

#include <string>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief How OpenFolderBeneath() looks up a path. */
enum class FolderLookup
{
    AUTOMATIC, //!< OPENAT2; COMPONENTS where the system refuses that call
    OPENAT2,   //!< openat2() of Linux 5.6: the kernel checks every component
    COMPONENTS //!< openat() for each component
};

/**
 * @ingroup gridftp
 * Opens a folder below another one. No component may be a symbolic link, even one that another
 * process puts there during the call. Therefore the folder lies below the root when it is opened.
 * @param root descriptor of the folder where the path begins
 * @param path relative; components separated by one '/'; "." is the root
 * @param lookup how
 * @return descriptor for openat() and the like (O_PATH); none: errno has the reason: ELOOP or
 * ENOTDIR for a symbolic link, EXDEV for a path that leaves the root
 */
FileDescriptor OpenFolderBeneath(int root,
                                 const std::string& path,
                                 FolderLookup lookup = FolderLookup::AUTOMATIC);

} // namespace ns3::gridftp

#endif // GRIDFTP_FOLDER_LOOKUP_H
