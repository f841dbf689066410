/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_NEW_FILE_H
#define WORMHOLE_CLI_NEW_FILE_H

#include <fstream>
#include <string>

namespace wormhole
{

/** A file that takes its name when it is complete: until then what was there stays. */
class NewFile
{
  public:
    /** \throws OutputError if it cannot be created */
    explicit NewFile(const std::string& path);

    /** Removes what is there if Close() was not reached. */
    ~NewFile();

    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    /** \return where to write; it can be moved in */
    std::ostream& Stream()
    {
        return m_out;
    }

    /** Ends the file. \throws OutputError if not all of it could be written */
    void Close();

  private:
    std::string m_path;
    std::string m_written; //!< until it is complete
    bool m_done{false};
    std::ofstream m_out;
};

} // namespace wormhole

#endif // WORMHOLE_CLI_NEW_FILE_H
