/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_SERVED_PATH_H
#define GRIDFTP_SERVED_PATH_H

#include "gridftp-expected.h"

#include <string>
#include <string_view>

namespace ns3::gridftp
{

/** @ingroup gridftp @brief A file in a served folder, as ParseServedPath() returns it. */
struct ServedPath
{
    std::string folder{"."}; //!< relative to the served folder: "." or components separated by one
                             //!< '/'; none of them is "." or ".."
    std::string name;        //!< of the file in that folder; without '/', not "." or ".."

    bool operator==(const ServedPath&) const = default;
};

/**
 * @ingroup gridftp
 * Reads the path that a client of FTP sends. The root of its name space is the served folder; "/a",
 * "a", "//a" and "./a" name the same file. An error are: a path without the name of a file (empty,
 * or with '/' at its end), "..", control characters, a path of more than 4,096 bytes, a component
 * of more than 255, and names of temporary files (StoredFile::IsTemporaryName()).
 *
 * It reads no disk: a component may be a symbolic link.
 * @param path any bytes
 * @return folder and name; or what is wrong, one line without the path
 */
Expected<ServedPath> ParseServedPath(std::string_view path);

} // namespace ns3::gridftp

#endif // GRIDFTP_SERVED_PATH_H
