/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_FOLDER_H
#define HARNESS_FOLDER_H

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace harness
{

/** A folder of a test's own; removed afterwards. */
class Folder
{
  public:
    Folder();
    ~Folder();
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    /** Writes a file of this name in the folder; folders before it are made. */
    void Write(const std::string& name, const std::string& text) const;

    /** \return the content of a file in the folder; empty if there is none */
    std::string Read(const std::string& name) const;

    /** \return the lines of a file in the folder */
    std::vector<std::string> Lines(const std::string& name) const;

    /** \return the file as JSON; it must be */
    nlohmann::json ReadJson(const std::string& name) const;

    /** \return the path of a name in the folder; of the folder itself, with a slash, if it is
     * empty */
    std::string PathOf(const std::string& name) const;

  private:
    std::string m_folder;
};

} // namespace harness

#endif // HARNESS_FOLDER_H
