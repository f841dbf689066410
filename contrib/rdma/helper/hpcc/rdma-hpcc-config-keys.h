/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_HPCC_CONFIG_KEYS_H
#define RDMA_HPCC_CONFIG_KEYS_H

#include "rdma-hpcc-config-words.h"
#include "rdma-hpcc-config.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief All there is to know of one key of config.txt: reading, writing and the documentation work
 * from this.
 */
struct RdmaHpccKey
{
    std::string name;         ///< as in the file
    std::string scope;        ///< what it applies to: "all", "DCQCN", "SimAI", ...
    std::string unit;         ///< of the value; empty for names
    std::string range;        ///< accepted values
    std::string defaultValue; ///< the value if the file is silent
    std::string meaning;      ///< a sentence

    /** Reads the values that follow the key. */
    std::function<void(RdmaHpccConfigWords&, RdmaHpccConfig&)> read;

    /** \return the values as text, nothing if the key need not be written */
    std::function<std::optional<std::string>(const RdmaHpccConfig&)> write;
};

/** \return all keys, in the order of the documentation */
const std::vector<RdmaHpccKey>& RdmaHpccKeys();

/** \return the key of that name, null if there is none */
const RdmaHpccKey* FindRdmaHpccKey(const std::string& name);

/**
 * What can be told only when all keys are read: fills in values that depend on other keys.
 * \throws InputError if a key is required, without effect, or at odds with another one
 */
void CompleteRdmaHpccConfig(RdmaHpccConfig& config);

} // namespace ns3

#endif // RDMA_HPCC_CONFIG_KEYS_H
