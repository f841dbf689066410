/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_FRONT_END_H
#define WORMHOLE_FRONT_END_H

#include "commands.h"
#include "run/run-options.h"

#include <boost/program_options.hpp>
#include <string>

namespace wormhole
{

/** Another simulator above our network. */
struct FrontEndProgram
{
    std::string simulator;                               //!< its name: "SimAI"
    std::string kind;                                    //!< its kind of workload
    std::string intro;                                   //!< begins the text of --help
    boost::program_options::options_description options; //!< beside those of `wormhole run`
    std::string outro;                                   //!< ends that text
};

/** \return the text of --help: the program's own options, and how `wormhole run` simulates */
std::string FrontEndHelp(const FrontEndProgram& program);

/**
 * Answers --help, -h, and --version.
 * \param program which
 * \param words of the command line
 * \return whether that was asked for
 */
bool PrintAbout(const FrontEndProgram& program, const Words& words);

/**
 * \param program which
 * \param words of the command line
 * \param rest those that are not the program's own, for `wormhole run`
 * \param workload name of what runs
 * \return what to run
 * \throws InputError for wrong options, or some that say what is sent
 */
RunOptions ParseFrontEndRun(const FrontEndProgram& program,
                            const Words& words,
                            Words rest,
                            std::string workload);

} // namespace wormhole

#endif // WORMHOLE_FRONT_END_H
