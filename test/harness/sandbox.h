/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_SANDBOX_H
#define HARNESS_SANDBOX_H

#include "harness/folder.h"

#include <functional>
#include <string>
#include <vector>

namespace harness
{

/** Words of a command line. */
using Words = std::vector<std::string>;

/** \return \p words, and \p more after them */
Words With(Words words, const Words& more);

/** How a program ended. */
struct ProgramResult
{
    int exit{0};     ///< exit code; 128 + the signal if one killed it
    std::string out; ///< standard output
    std::string err; ///< standard error
};

/** \return whether a process holds a signal back, and does not just end when it comes: programs
 * take a while to come to that, under a sanitizer on a slow machine half a second */
bool HoldsBack(int process, int signal);

/** A folder of a test's own, in which the command line `wormhole` is run for real. */
class Sandbox : public Folder
{
  public:
    /** \param program that is run; the command line, unless it is another with its ways */
    explicit Sandbox(std::string program = GetWormhole());

    /** \return the command line `wormhole`: of this build, unless WORMHOLE_PROGRAM in the
     * environment names another one */
    static const char* GetWormhole();

    /** \return whether that may take ten times as long, for sanitizers are on */
    static bool IsSlow();

    /** Runs `wormhole` with these words, in the folder. */
    ProgramResult Run(const std::vector<std::string>& words) const;

    /**
     * Runs `wormhole`, and sends it a signal when \p ready says so.
     * \param words as above
     * \param signal such as SIGINT
     * \param ready asked every 10 ms
     */
    ProgramResult RunAndSignal(const std::vector<std::string>& words,
                               int signal,
                               const std::function<bool()>& ready) const;

    /** The same. \param ready is told the number of the process */
    ProgramResult RunAndSignal(const std::vector<std::string>& words,
                               int signal,
                               const std::function<bool(int)>& ready) const;

  private:
    int Start(const std::vector<std::string>& words) const;
    ProgramResult Wait(int child) const;

    std::string m_program;
};

} // namespace harness

#endif // HARNESS_SANDBOX_H
