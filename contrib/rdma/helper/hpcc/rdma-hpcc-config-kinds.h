/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_HPCC_CONFIG_KINDS_H
#define RDMA_HPCC_CONFIG_KINDS_H

#include "rdma-hpcc-config-keys.h"

/** The kinds of key that config.txt has: each makes a RdmaHpccKey for one member of RdmaHpccConfig.
 */
namespace ns3::rdmahpcckind
{

/** 0 or 1. */
RdmaHpccKey Flag(const std::string& name,
                 const std::string& scope,
                 bool RdmaHpccConfig::*member,
                 const std::string& meaning);

/** A whole number in [min, max]. */
RdmaHpccKey Whole(const std::string& name,
                  const std::string& scope,
                  const std::string& unit,
                  uint32_t RdmaHpccConfig::*member,
                  uint64_t min,
                  uint64_t max,
                  const std::string& meaning);

/** A whole number in [min, max] that is written only if present; \p defaultValue says what silence
 * means. */
RdmaHpccKey Optional(const std::string& name,
                     const std::string& scope,
                     const std::string& unit,
                     std::optional<uint64_t> RdmaHpccConfig::*member,
                     uint64_t min,
                     uint64_t max,
                     const std::string& defaultValue,
                     const std::string& meaning);

/** A number in [min, max]. */
RdmaHpccKey Number(const std::string& name,
                   const std::string& scope,
                   const std::string& unit,
                   double RdmaHpccConfig::*member,
                   double min,
                   double max,
                   const std::string& meaning);

/** A rate with its unit; \p zero says whether it may be 0. */
RdmaHpccKey Rate(const std::string& name,
                 const std::string& scope,
                 uint64_t RdmaHpccConfig::*member,
                 bool zero,
                 const std::string& meaning);

/** A file name; written only if not empty. */
RdmaHpccKey File(const std::string& name,
                 const std::string& scope,
                 std::string RdmaHpccConfig::*member,
                 const std::string& meaning);

/** A queue length for each link rate; written only if not empty. */
RdmaHpccKey QueueMap(const std::string& name,
                     std::map<uint64_t, uint64_t> RdmaHpccConfig::*member,
                     const std::string& meaning);

/** A probability for each link rate; written only if not empty. */
RdmaHpccKey ChanceMap(const std::string& name,
                      std::map<uint64_t, double> RdmaHpccConfig::*member,
                      const std::string& meaning);

/** LINK_DOWN. */
RdmaHpccKey LinkDown(const std::string& meaning);

/** A key that is known, and that the user has to take out; \p why includes the remedy. */
RdmaHpccKey Rejected(const std::string& name, const std::string& why);

/**
 * \p key with its range and the meaning of silence described as given (empty: as they were), and
 * with \p check called after each reading, unless null.
 */
RdmaHpccKey Checked(RdmaHpccKey key,
                    const std::string& range,
                    const std::string& defaultValue,
                    std::function<void(RdmaHpccConfigWords&, RdmaHpccConfig&)> check);

} // namespace ns3::rdmahpcckind

#endif // RDMA_HPCC_CONFIG_KINDS_H
