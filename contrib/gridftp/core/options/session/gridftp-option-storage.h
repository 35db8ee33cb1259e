/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_OPTION_STORAGE_H
#define GRIDFTP_OPTION_STORAGE_H

#include "gridftp-expected.h"
#include "gridftp-option.h"
#include "gridftp-scenario.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Adds the rows of the storages at both ends of a session, made of what each kind declares.
 * @param rows of a session
 */
void AddStorageRows(std::vector<Option>& rows);

/**
 * @ingroup gridftp
 * @param buffers of a session, with its storages
 * @param quote shows "NAME=VALUE" as a person would write it
 * @return nothing, or what a storage needs and is not given
 */
Done CheckStorages(const BufferSpec& buffers,
                   const std::function<std::string(const std::string&)>& quote);

} // namespace ns3::gridftp

#endif // GRIDFTP_OPTION_STORAGE_H
