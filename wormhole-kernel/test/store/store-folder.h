/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_STORE_FOLDER_H
#define WORMHOLE_STORE_FOLDER_H

#include "wormhole/error.h"
#include "wormhole/signature.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sqlite3.h>
#include <string>
#include <vector>

namespace wormhole::test
{

constexpr Signature FINGERPRINT{1, 2};

/** A new folder for a file of episodes, deleted at the end. */
class StoreFolder : public testing::Test
{
  protected:
    StoreFolder()
    {
        std::string folder = testing::TempDir() + "wormhole-XXXXXX";
        m_folder = mkdtemp(folder.data());
        // For tests that go on as a user with fewer rights.
        std::filesystem::permissions(m_folder, std::filesystem::perms(0755));
        m_path = m_folder + "/episodes.sqlite";
    }

    ~StoreFolder() override
    {
        std::filesystem::remove_all(m_folder);
    }

    /** Collects into m_warnings. */
    WarningHandler Collect()
    {
        return [this](const std::string& warning) { m_warnings.push_back(warning); };
    }

    /** Expects one warning since the last call, which names the file and has \p part in it. */
    void ExpectWarning(const std::string& part)
    {
        ASSERT_EQ(m_warnings.size(), 1U) << testing::PrintToString(m_warnings);
        EXPECT_EQ(m_warnings[0].rfind("episode store " + m_path + ": ", 0), 0U) << m_warnings[0];
        EXPECT_NE(m_warnings[0].find(part), std::string::npos) << m_warnings[0];
        EXPECT_NE(m_warnings[0].find("; "), std::string::npos) << m_warnings[0];
        m_warnings.clear();
    }

    /** Executes \p sql, apart from any store. \return the first column of the last row */
    std::string Sql(const std::string& sql) const
    {
        sqlite3* database = nullptr;
        sqlite3_open(m_path.c_str(), &database);
        sqlite3_busy_timeout(database, 5000);
        std::string answer;
        const auto take = [](void* to, int, char** columns, char**) {
            *static_cast<std::string*>(to) = columns[0] ? columns[0] : "";
            return 0;
        };
        char* error = nullptr;
        sqlite3_exec(database, sql.c_str(), take, &answer, &error);
        EXPECT_EQ(error, nullptr) << error;
        sqlite3_free(error);
        sqlite3_close(database);
        return answer;
    }

    std::string Read() const
    {
        std::ifstream file(m_path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    void Write(const std::string& bytes) const
    {
        std::ofstream(m_path, std::ios::binary) << bytes;
    }

    std::string m_folder;
    std::string m_path;
    std::vector<std::string> m_warnings;
};

} // namespace wormhole::test

#endif // WORMHOLE_STORE_FOLDER_H
