/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_SANDBOX_H
#define HARNESS_SANDBOX_H

#include <functional>
#include <nlohmann/json.hpp>
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

/** A folder of its own, in which the command line `wormhole` is run for real; removed afterwards.
 */
class Sandbox
{
  public:
    Sandbox();
    ~Sandbox();
    Sandbox(const Sandbox&) = delete;
    Sandbox& operator=(const Sandbox&) = delete;

    /** Writes a file of this name in the folder; folders before it are made. */
    void Write(const std::string& name, const std::string& text) const;

    /** \return the content of a file in the folder; empty if there is none */
    std::string Read(const std::string& name) const;

    /** \return the lines of a file in the folder */
    std::vector<std::string> Lines(const std::string& name) const;

    /** \return the file as JSON; it must be */
    nlohmann::json ReadJson(const std::string& name) const;

    /** \return the path of a name in the folder */
    std::string PathOf(const std::string& name) const;

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

  private:
    int Start(const std::vector<std::string>& words) const;
    ProgramResult Wait(int child) const;

    std::string m_folder;
};

} // namespace harness

#endif // HARNESS_SANDBOX_H
