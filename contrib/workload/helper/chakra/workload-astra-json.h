/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_ASTRA_JSON_H
#define WORKLOAD_ASTRA_JSON_H

#include "ns3/input-json-text.h"

#include <cstdint>
#include <istream>
#include <nlohmann/json.hpp>
#include <string>

namespace ns3
{

/**
 * \ingroup workload
 * \brief A JSON object in one of ASTRA-sim's configuration files, whose every key must be asked
 * for.
 */
class WorkloadAstraJson
{
  public:
    /**
     * \param in the file
     * \param name stands for the file in messages
     * \throws InputError with the line if it is no JSON, or no object
     */
    WorkloadAstraJson(std::istream& in, const std::string& name);

    /** \return the value of a key, null if it is not given */
    const nlohmann::json* Find(const std::string& key) const;

    /** \return all of it */
    const nlohmann::json& Root() const
    {
        return m_text.root;
    }

    /** \return a whole number in [least, most], or \p absent if the key is not given */
    uint64_t Integer(const std::string& key, uint64_t absent, uint64_t least, uint64_t most) const;

    /** \return a number in [least, most], or \p absent if the key is not given */
    double Number(const std::string& key, double absent, double least, double most) const;

    /** \return 0, 1, false or true as a bool */
    bool Flag(const std::string& key, bool absent) const;

    /** \return a text, or \p absent if the key is not given */
    std::string Text(const std::string& key, const std::string& absent) const;

    /** Throws InputError: FILE:LINE: KEY: MESSAGE. */
    [[noreturn]] void Fail(const std::string& key, const std::string& message) const;

  private:
    JsonText m_text;
};

} // namespace ns3

#endif // WORKLOAD_ASTRA_JSON_H
