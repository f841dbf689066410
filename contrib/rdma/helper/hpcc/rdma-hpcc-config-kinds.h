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
RdmaHpccKey Flag(std::string name,
                 std::string scope,
                 bool RdmaHpccConfig::*member,
                 std::string meaning);

/** A whole number in [least, most]. */
RdmaHpccKey Whole(std::string name,
                  std::string scope,
                  std::string unit,
                  uint32_t RdmaHpccConfig::*member,
                  uint64_t least,
                  uint64_t most,
                  std::string meaning);

/** A whole number in [least, most] that is written only if present; \p absent says what silence
 * means. */
RdmaHpccKey Optional(std::string name,
                     std::string scope,
                     std::string unit,
                     std::optional<uint64_t> RdmaHpccConfig::*member,
                     uint64_t least,
                     uint64_t most,
                     std::string absent,
                     std::string meaning);

/** A number in [least, most]. */
RdmaHpccKey Number(std::string name,
                   std::string scope,
                   std::string unit,
                   double RdmaHpccConfig::*member,
                   double least,
                   double most,
                   std::string meaning);

/** A rate with its unit; \p zero says whether it may be 0. */
RdmaHpccKey Rate(std::string name,
                 std::string scope,
                 uint64_t RdmaHpccConfig::*member,
                 bool zero,
                 std::string meaning);

/** A file name; written only if not empty. */
RdmaHpccKey File(std::string name,
                 std::string scope,
                 std::string RdmaHpccConfig::*member,
                 std::string meaning);

/** A queue length for each link rate; written only if not empty. */
RdmaHpccKey QueueMap(std::string name,
                     std::map<uint64_t, uint64_t> RdmaHpccConfig::*member,
                     std::string meaning);

/** A probability for each link rate; written only if not empty. */
RdmaHpccKey ChanceMap(std::string name,
                      std::map<uint64_t, double> RdmaHpccConfig::*member,
                      std::string meaning);

/** LINK_DOWN. */
RdmaHpccKey LinkDown(std::string meaning);

/** A key that is known, and that the user has to take out; \p why includes the remedy. */
RdmaHpccKey Rejected(std::string name, const std::string& why);

/**
 * \p key with its range and the meaning of silence described as given (empty: as they were), and
 * with \p check called after each reading, unless null.
 */
RdmaHpccKey Checked(RdmaHpccKey key,
                    const std::string& range,
                    const std::string& absent,
                    std::function<void(RdmaHpccConfigWords&, RdmaHpccConfig&)> check);

} // namespace ns3::rdmahpcckind

#endif // RDMA_HPCC_CONFIG_KINDS_H
