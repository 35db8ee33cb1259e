/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_EXPONENTIAL_H
#define GRIDFTP_EXPONENTIAL_H

#include "gridftp-random.h"

#include <cstdint>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * An exponential variate by comparisons alone (J. von Neumann, Various techniques used in
 * connection with random digits, National Bureau of Standards, Applied Mathematics Series 12, 1951,
 * pp. 36-38): no logarithm, so that it is the same with every compiler. A run of falling uniform
 * numbers is odd in length with probability 1 - 1/e given nothing else; its first number is the
 * fraction, and the even runs before it are the whole part.
 *
 * @tparam Draw a function without arguments
 * @param mean of the variate, at least 0
 * @param draw gives 64 uniform bits, others each time
 * @return the variate, in the unit of the mean
 */
template <typename Draw>
int64_t
DrawExponential(int64_t mean, Draw&& draw)
{
    for (int64_t whole = 0;; whole += mean)
    {
        const uint64_t first = draw();
        uint64_t last = first;
        uint64_t length = 1;
        for (uint64_t next = draw(); next < last; next = draw())
        {
            last = next;
            ++length;
        }
        if (length % 2 == 1)
        {
            return whole + static_cast<int64_t>(UniformBelow(first, static_cast<uint64_t>(mean)));
        }
    }
}

} // namespace ns3::gridftp

#endif // GRIDFTP_EXPONENTIAL_H
