/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_ENGINES_OPTIONS_H
#define GRIDFTP_ENGINES_OPTIONS_H

#include "gridftp-engines-drawn.h"

#include <string>

/**
 * @file
 * @ingroup gridftp
 * What random scenarios with TCP options have in common.
 */

namespace ns3::gridftp
{

/// Everything in the result is equal, but for the rows of single connections of an upload.
class OptionEnginesTest : public EqualTest
{
  public:
    using EqualTest::EqualTest;

  protected:
    void Compare(const Scenario& scenario,
                 const TransferResult& own,
                 const TransferResult& reference,
                 const std::string& line) override
    {
        // An upload ends when the server has all data, and may then send segments again whose ACKs
        // were lost: of these the engines differ in the row of the connection, not in the sums
        if (scenario.sessions.front().direction != Direction::UPLOAD)
        {
            return EqualTest::Compare(scenario, own, reference, line);
        }
        EqualTest::Compare(scenario, WithoutRows(own), WithoutRows(reference), line);
    }

  private:
    /// @param result of an engine @return the same without rows of connections
    static TransferResult WithoutRows(TransferResult result)
    {
        auto& tcp = result.sessions.front().tcp;
        if (tcp && tcp->detail)
        {
            tcp->detail->connections.clear();
        }
        return result;
    }
};

/// @param draw random numbers @param least of the options: 1 for at least one of them, else 0
/// @param made gets what both ends of a connection may have
inline void
AddOptions(Draw& draw, int64_t least, Members& made)
{
    const auto which = draw.Between(least, 7);
    made.Add("sack", (which & 1) != 0 ? "on" : "off");
    made.Add("timestamps", (which & 2) != 0 ? "on" : "off");
    made.Add("limited-transmit", (which & 4) != 0 ? "on" : "off");
}

} // namespace ns3::gridftp

#endif // GRIDFTP_ENGINES_OPTIONS_H
