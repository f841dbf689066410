/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_NSYS_PAYLOAD_H
#define WORKLOAD_NSYS_PAYLOAD_H

#include "workload-nsys-database.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** \ingroup workload What ranges of NCCL say (its src/include/nvtx_payload_schemas.h). */
enum class WorkloadNsysField : uint8_t
{
    COMMUNICATOR, ///< "NCCL communicator ID"
    BYTES,        ///< "Message size [bytes]"
    PEER,         ///< "Peer rank"
    ROOT,         ///< "Root"
    RANK,         ///< "Rank"
    RANKS,        ///< "No. of ranks"
    DEVICE        ///< "CUDA device"
};

/** \ingroup workload The fields that a range has. */
class WorkloadNsysFields
{
  public:
    std::optional<uint64_t>& operator[](WorkloadNsysField field)
    {
        return m_values[static_cast<size_t>(field)];
    }

  private:
    std::array<std::optional<uint64_t>, 7> m_values;
};

/**
 * \ingroup workload
 * \brief Reads the binary payloads of NVTX ranges.
 *
 * A payload is a header of 32 bytes, little endian (4: domain, 4: not used, 4: schema, 4: not used,
 * 8: size of the data, 8: not used), and the data. The tables NVTX_PAYLOAD_SCHEMAS and
 * NVTX_PAYLOAD_SCHEMA_ENTRIES say where in the data each field is.
 */
class WorkloadNsysPayloads
{
  public:
    /** Reads the schemas, if there are any. */
    explicit WorkloadNsysPayloads(const WorkloadNsysDatabase& database);

    /**
     * \param row of the event, for errors
     * \param payload of it, not empty
     * \return the fields that it has
     * \throws InputError if it does not fit its schema
     */
    WorkloadNsysFields Read(const WorkloadNsysRow& row, const std::string& payload) const;

  private:
    /** A field of a schema that is of interest. */
    struct Entry
    {
        WorkloadNsysField field;
        uint64_t offset;
        uint32_t width; //!< bytes
    };

    std::map<std::pair<uint64_t, uint64_t>, std::vector<Entry>> m_schemas; //!< by domain, schema
};

} // namespace ns3

#endif // WORKLOAD_NSYS_PAYLOAD_H
