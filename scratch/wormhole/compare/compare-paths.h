/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_COMPARE_PATHS_H
#define WORMHOLE_CLI_COMPARE_PATHS_H

#include "compare-options.h"

#include <cstdint>
#include <string>
#include <vector>

namespace wormhole
{

/** Where a comparison puts what it writes: a folder for each run, and stores of episodes. */
class ComparePaths
{
  public:
    /** \param options which live as long */
    explicit ComparePaths(const CompareOptions& options)
        : m_options(options)
    {
    }

    /** \return a folder of the comparison's */
    std::string FolderOf(const std::string& name) const;

    /** \param run from 0
     * \return the folder of one of a side's runs */
    std::string FolderOfRun(const std::string& side, uint32_t run) const;

    /** \return the first run's store, which the user named; further runs' own, which begin with
     * what was in it. Empty without one */
    std::string StoreOf(uint32_t run) const;

    /** \param number from 1
     * \return the name of the folder of a side's run that is disturbed */
    std::string DisturbedName(const std::string& side, uint32_t number) const;

    /** \return the store of one of fast-forward's disturbed runs, which begins with what was in the
     * user's, too */
    std::string DisturbedStore(uint32_t number) const;

    /** Before anything is written; the runs check the rest themselves.
     * \param sides their names
     * \throws InputError if an output is an input */
    void Check(const std::vector<std::string>& sides) const;

    /** Copies the user's store for the runs that begin with it. \throws OutputError */
    void PrepareStores() const;

  private:
    std::vector<std::string> FurtherStores() const;

    const CompareOptions& m_options;
};

} // namespace wormhole

#endif // WORMHOLE_CLI_COMPARE_PATHS_H
