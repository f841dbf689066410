/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "compare-paths.h"

#include "command/input-names.h"
#include "result/files.h"

#include "ns3/input-error.h"
#include "ns3/input-line-file.h"

#include <filesystem>

namespace wormhole
{

namespace fs = std::filesystem;

std::string
ComparePaths::FolderOf(const std::string& name) const
{
    return (fs::path(m_options.output) / name).string();
}

std::string
ComparePaths::FolderOfRun(const std::string& side, uint32_t run) const
{
    return FolderOf(run == 0 ? side : side + "-" + std::to_string(run + 1));
}

std::string
ComparePaths::StoreOf(uint32_t run) const
{
    return run == 0 ? m_options.run.fast.memo
                    : FolderOf("episodes-" + std::to_string(run + 1) + ".db");
}

std::string
ComparePaths::DisturbedName(const std::string& side, uint32_t number) const
{
    return side + (m_options.disturbAllLinks ? "-disturb-all-" : "-disturb-") +
           std::to_string(number);
}

std::string
ComparePaths::DisturbedStore(uint32_t number) const
{
    return FolderOf(DisturbedName("episodes", number) + ".db");
}

std::vector<std::string>
ComparePaths::FurtherStores() const
{
    std::vector<std::string> stores;
    for (uint32_t run = 1; run < m_options.runs && !StoreOf(0).empty(); ++run)
    {
        stores.push_back(StoreOf(run));
    }
    for (uint32_t number = 1; number <= m_options.disturbances && !StoreOf(0).empty(); ++number)
    {
        stores.push_back(DisturbedStore(number));
    }
    return stores;
}

void
ComparePaths::Check(const std::vector<std::string>& sides) const
{
    std::vector<NamedFile> inputs = InputNames(m_options.run);
    std::vector<NamedFile> outputs{{"--json", m_options.json}};
    const std::string earlier = (fs::path(m_options.packetFrom) / "compare.json").string();
    if (!m_options.packetFrom.empty() && FileExists(earlier))
    {
        inputs.push_back({"--packet-from", earlier});
    }
    if (!StoreOf(0).empty())
    {
        outputs.push_back({"--memo", StoreOf(0)});
    }
    for (const std::string& store : FurtherStores())
    {
        outputs.push_back({"--memo", store});
    }
    for (const std::string& side : sides)
    {
        for (uint32_t run = 0; run < m_options.runs; ++run)
        {
            outputs.push_back(
                {"of " + side, (fs::path(FolderOfRun(side, run)) / "messages.txt").string()});
        }
    }
    for (uint32_t number = 1; number <= m_options.disturbances; ++number)
    {
        for (const std::string mode : {"packet", "fast"})
        {
            const fs::path folder = FolderOf(DisturbedName(mode, number));
            outputs.push_back({"of " + mode, (folder / "messages.txt").string()});
        }
    }
    CheckOverwrite(inputs, outputs);
}

void
ComparePaths::PrepareStores() const
{
    for (const std::string& store : FurtherStores())
    {
        std::error_code error;
        fs::remove(store, error);
        if (fs::exists(StoreOf(0)) && !fs::copy_file(StoreOf(0), store, error))
        {
            throw ns3::OutputError(store + ": " + error.message());
        }
    }
}

} // namespace wormhole
