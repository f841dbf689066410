/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FAULTS_FAULT_RUN_H
#define FAULTS_FAULT_RUN_H

#include "harness/sandbox.h"

#include <chrono>
#include <functional>

namespace faults
{

using harness::ProgramResult;
using harness::Sandbox;
using harness::Words;

/** What a process meets with. */
struct Circumstances
{
    /** Done in the child before it becomes the program, as to limit its memory. */
    std::function<void()> prepare;
    int signal{0};                            ///< sent to it; 0 for none
    std::chrono::microseconds signalAfter{0}; ///< after its start
    std::chrono::seconds longest{60};         ///< it hangs if it takes longer
    std::string out{".out"};                  ///< standard output, as a path in the folder
};

/** Exit code of a program that was ended since it hung. */
constexpr int HUNG = 1000;

/** A program under way. */
class FaultRun
{
  public:
    /** Starts `wormhole` with \p words in the folder of \p box, which must outlive this. */
    FaultRun(const Sandbox& box, const Words& words, const Circumstances& circumstances = {});

    FaultRun(const FaultRun&) = delete;
    FaultRun& operator=(const FaultRun&) = delete;

    /** Waits for its end; call it once. \return how it ended; exit is HUNG if it had to be killed
     */
    ProgramResult Wait();

  private:
    const Sandbox& m_box;
    Circumstances m_circumstances;
    std::string m_err; //!< a file of its own in the folder
    std::chrono::steady_clock::time_point m_begin;
    int m_child;
};

/** Runs `wormhole` to its end. */
ProgramResult RunUnder(const Sandbox& box,
                       const Words& words,
                       const Circumstances& circumstances = {});

/** Limits a resource of this process, such as RLIMIT_AS, to \p most. */
void Limit(int resource, uint64_t most);

/** Gives up root's right to read and write everywhere, if it is root who tests. */
void BecomeNobody();

/** \return the lines of a file of results without the last one if that is not whole */
std::vector<std::string> WholeLines(const Sandbox& box, const std::string& name);

} // namespace faults

#endif // FAULTS_FAULT_RUN_H
