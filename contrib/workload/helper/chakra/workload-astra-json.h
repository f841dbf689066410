/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_ASTRA_JSON_H
#define WORKLOAD_ASTRA_JSON_H

#include "ns3/input-json-object.h"

#include <istream>
#include <nlohmann/json.hpp>
#include <string>

namespace ns3
{

/**
 * \ingroup workload
 * \brief A JSON object in one of ASTRA-sim's configuration files, whose every key must be asked
 * for. Errors read `FILE:LINE: KEY is VALUE: what it must be`.
 */
class WorkloadAstraJson : private JsonText, public JsonObject
{
  public:
    /**
     * \param in the file
     * \param name stands for the file in messages
     * \throws InputError with the line if it is no JSON, or no object
     */
    WorkloadAstraJson(std::istream& in, const std::string& name);
    WorkloadAstraJson(const WorkloadAstraJson&) = delete;
    WorkloadAstraJson& operator=(const WorkloadAstraJson&) = delete;

    /** \return all of it */
    const nlohmann::json& Root() const
    {
        return root;
    }

    /** \return 0, 1, false or true as a bool */
    bool Flag(const std::string& key);

    /** Throws InputError: FILE:LINE: KEY: MESSAGE. */
    [[noreturn]] void Fail(const std::string& key, const std::string& message) const;

  protected:
    [[noreturn]] void FailValue(const std::string& key,
                                const nlohmann::json& value,
                                const std::string& expected) const override;
};

} // namespace ns3

#endif // WORKLOAD_ASTRA_JSON_H
