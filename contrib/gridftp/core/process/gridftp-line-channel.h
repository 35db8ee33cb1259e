/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_LINE_CHANNEL_H
#define GRIDFTP_LINE_CHANNEL_H

#include "gridftp-expected.h"
#include "gridftp-external-program.h"

#include <cstdint>
#include <string>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Asks a line and reads the answer over two file descriptors, in a given time, whatever the other
 * end does: nothing, too much, or end.
 *
 * The other end is to say one line for each that it gets. What it says beyond that is an error, as
 * soon as it is there when the next line is asked: its answers would be those to other questions.
 */
class LineChannel : public ExternalProgram
{
  public:
    /** The longest answer, bytes: it is to be {"parallelism": N}, and some more if it likes. */
    static constexpr size_t LONGEST = 4096;

    /** @param in what we read from @param out what we write to @param timeoutNs for an answer */
    LineChannel(int in, int out, int64_t timeoutNs)
        : m_in(in),
          m_out(out),
          m_timeoutNs(timeoutNs)
    {
    }

    Expected<std::string> Ask(const std::string& line) override;

  protected:
    /** @return for how long an answer may take, ns */
    int64_t GetTimeout() const
    {
        return m_timeoutNs;
    }

    /** The other end says no more. @return how it has ended, for a person, with a space before it;
     * empty where nobody knows */
    virtual std::string TellEnd()
    {
        return "";
    }

  private:
    /** @param text to be written, all of it @param untilNs until when @return nothing, or why not
     */
    Done Write(const std::string& text, int64_t untilNs);

    /** @param untilNs until when @return a line, without its newline, or why there is none */
    Expected<std::string> Read(int64_t untilNs);

    /** @return that an answer takes too long */
    Error MakeTimeout() const;

    /** @return that the other end has ended without one */
    Error MakeEnd();

    int m_in;            //!< what we read from
    int m_out;           //!< what we write to
    int64_t m_timeoutNs; //!< for an answer
    std::string m_said;  //!< by the other end, and not yet taken
};

} // namespace ns3::gridftp

#endif // GRIDFTP_LINE_CHANNEL_H
