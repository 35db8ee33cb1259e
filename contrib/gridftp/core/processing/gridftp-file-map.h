/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_FILE_MAP_H
#define GRIDFTP_FILE_MAP_H

#include <algorithm>
#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * What a module makes of a file, position by position: its output has a fixed ratio to its input,
 * in every part of it. As it stands, it changes nothing.
 */
struct FileMap
{
    /** Ratios are counted in these. */
    static constexpr uint64_t UNIT = 1'000'000;

    uint64_t ratio{UNIT};   //!< output per input, at least 1
    uint64_t inputBytes{0}; //!< of the whole file; not asked where nothing is changed

    /** @return whether it changes anything */
    bool Changes() const
    {
        return ratio != UNIT;
    }

    /** @param input position in what the module is given @return that in what it makes of it: all
     * that is begun is there */
    uint64_t ToOutput(uint64_t input) const
    {
        return input / UNIT * ratio + (input % UNIT * ratio + UNIT - 1) / UNIT;
    }

    /** @param output position in what the module makes @return how much of its input it needs for
     * all that is before */
    uint64_t ToInput(uint64_t output) const
    {
        if (!Changes())
        {
            return output;
        }
        const uint64_t input = output / ratio * UNIT + (output % ratio * UNIT + ratio - 1) / ratio;
        return std::min(input, inputBytes);
    }
};

} // namespace ns3::gridftp

#endif // GRIDFTP_FILE_MAP_H
