/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_TENANTS_TABLE_H
#define WORMHOLE_CLI_TENANTS_TABLE_H

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace wormhole
{

/** What a run says of a job; none if something of it is left. */
struct TenantTimes
{
    std::optional<double> finishNs;        ///< when its last rank is done
    std::optional<double> communicationNs; ///< while messages of a rank are under way, mean
};

/** A job, among others and alone. */
struct Tenant
{
    std::string name;
    std::string workload; ///< as given
    std::vector<uint32_t> nodes;
    TenantTimes alone;
    TenantTimes together;
};

/** \return the times of a job; none if operations of the run are left. \param summary of a run.
 * \param job its place among the workloads */
TenantTimes TimesOfTenant(const nlohmann::ordered_json& summary, size_t job);

/** \return how many times as long; none if one of them is not known, or \p alone is 0 */
std::optional<double> TenantSlowdown(const std::optional<double>& alone,
                                     const std::optional<double>& together);

/** \return a line for each job */
std::string TenantsTable(const std::vector<Tenant>& tenants);

/** \return the same as JSON */
nlohmann::ordered_json TenantsJson(const std::vector<Tenant>& tenants);

} // namespace wormhole

#endif // WORMHOLE_CLI_TENANTS_TABLE_H
