/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-text-file.h"

#include "gridftp-text-decoding.h"

#include <array>
#include <fstream>
#include <utility>

namespace ns3::gridftp
{

Expected<std::string>
ReadTextFile(const std::string& name)
{
    constexpr size_t MOST_BYTES = 100'000'000; // such as /dev/zero has no end
    std::ifstream file(name, std::ios::binary);
    std::string content;
    std::array<char, 65536> part{};
    while (file && content.size() <= MOST_BYTES)
    {
        file.read(part.data(), part.size());
        content.append(part.data(), static_cast<size_t>(file.gcount()));
    }
    if (!file.eof())
    {
        return Error{content.size() > MOST_BYTES ? "is larger than 100 MB" : "cannot be read"};
    }
    return DecodeText(std::move(content));
}

} // namespace ns3::gridftp
