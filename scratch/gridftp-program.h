/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_PROGRAM_H
#define GRIDFTP_PROGRAM_H

#include "gridftp-expected.h"
#include "gridftp-file-reader.h"

#include <iostream>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup gridftp
 * What the mains of all programs share.
 */

namespace ns3::gridftp
{

/** @ingroup gridftp @brief Exit status of a program whose input is at fault. */
inline constexpr int EXIT_BAD_INPUT = 2;

/**
 * @ingroup gridftp
 * @param program its name
 * @param error what is wrong with its input, printed on standard error
 * @return the exit status
 */
inline int
Refuse(std::string_view program, const Error& error)
{
    std::cerr << program << ": " << error.message << std::endl;
    return EXIT_BAD_INPUT;
}

/**
 * @ingroup gridftp
 * Prints what the user should know of accepted input on standard error, a line each.
 * @param program its name
 * @param notes lines without a newline
 */
inline void
PrintNotes(std::string_view program, const Notes& notes)
{
    for (const auto& note : notes)
    {
        std::cerr << program << ": " << note << std::endl;
    }
}

/**
 * @ingroup gridftp
 * @param argc of main()
 * @param argv of main()
 * @return the command line without the program's name
 */
inline std::vector<std::string_view>
GetArguments(int argc, char* argv[])
{
    return {argv + 1, argv + argc};
}

} // namespace ns3::gridftp

#endif // GRIDFTP_PROGRAM_H
