/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lab-outside-tuner.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::gridftp
{

namespace
{

/** What the page has told, and what it is asked. */
struct Outside
{
    std::vector<std::string> answers; //!< so far
    std::string question;             //!< see GetOutsideQuestion()
    bool isTaken{false};              //!< by the tuner of a session
};

Outside&
GetOutside()
{
    static Outside outside;
    return outside;
}

/** Gives one answer after the other. */
class OutsideTuner final : public ExternalProgram
{
  public:
    Expected<std::string> Ask(const std::string& line) override
    {
        Outside& outside = GetOutside();
        if (m_next < outside.answers.size())
        {
            return outside.answers[m_next++];
        }
        outside.question = line;
        return Error{"has not answered yet"};
    }

  private:
    size_t m_next{0}; //!< of the answers
};

Expected<std::unique_ptr<ExternalProgram>>
StartOutsideTuner(const std::string& /* command */, int64_t /* timeoutNs */)
{
    if (GetOutside().isTaken)
    {
        return Error{"is the tuner of another session, too; allowed: one session with it"};
    }
    GetOutside().isTaken = true;
    return std::unique_ptr<ExternalProgram>(std::make_unique<OutsideTuner>());
}

} // namespace

void
SetOutsideAnswers(std::string_view answers)
{
    GetOutside() = {};
    for (size_t at = 0; at < answers.size();)
    {
        const size_t end = std::min(answers.find('\n', at), answers.size());
        GetOutside().answers.emplace_back(answers.substr(at, end - at));
        at = end + 1;
    }
}

const std::string&
GetOutsideQuestion()
{
    return GetOutside().question;
}

ExternalProgramStarter
GetOutsideTunerStarter()
{
    return &StartOutsideTuner;
}

} // namespace ns3::gridftp
