/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-nsys-payload.h"

namespace ns3
{

namespace
{

constexpr size_t HEADER_BYTES = 32;
constexpr size_t SCHEMA_AT = 8;
constexpr size_t SIZE_AT = 16;
constexpr uint64_t MOST_PAYLOAD_BYTES = 1 << 20; // of a payload; NCCL's have at most 48

/** \return the field of a name, if it is of interest */
std::optional<WorkloadNsysField>
FieldOf(const std::string& name)
{
    static const std::map<std::string, WorkloadNsysField> FIELDS{
        {"NCCL communicator ID", WorkloadNsysField::COMMUNICATOR},
        {"Message size [bytes]", WorkloadNsysField::BYTES},
        {"Peer rank", WorkloadNsysField::PEER},
        {"Root", WorkloadNsysField::ROOT},
        {"Rank", WorkloadNsysField::RANK},
        {"No. of ranks", WorkloadNsysField::RANKS},
        {"CUDA device", WorkloadNsysField::DEVICE}};
    const auto found = FIELDS.find(name);
    return found == FIELDS.end() ? std::nullopt : std::optional(found->second);
}

/** \return bytes of a whole number of NVTX's type, on 64-bit Linux; 0 for other types */
uint32_t
WidthOf(uint64_t type)
{
    switch (type)
    {
    case 5:  // int
    case 6:  // unsigned int
    case 15: // int32_t
    case 16: // uint32_t
        return 4;
    case 7:  // long
    case 8:  // unsigned long
    case 9:  // long long
    case 10: // unsigned long long
    case 17: // int64_t
    case 18: // uint64_t
    case 22: // size_t
        return 8;
    default:
        return 0;
    }
}

uint64_t
LittleEndian(const std::string& bytes, size_t at, uint32_t width)
{
    uint64_t value = 0;
    for (uint32_t byte = 0; byte < width; ++byte)
    {
        value |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[at + byte])) << (8 * byte);
    }
    return value;
}

} // namespace

WorkloadNsysPayloads::WorkloadNsysPayloads(const WorkloadNsysDatabase& database)
{
    const std::string table = "NVTX_PAYLOAD_SCHEMA_ENTRIES";
    if (!database.Has(table))
    {
        return;
    }
    std::map<std::pair<uint64_t, uint64_t>, std::map<WorkloadNsysField, Entry>> schemas;
    database.Read(table,
                  {{"domainId"}, {"schemaId"}, {"type"}, {"name"}, {"offset"}},
                  [&](const WorkloadNsysRow& row) {
                      const auto field = FieldOf(row.Bytes(3));
                      const uint32_t width = WidthOf(row.Integer(2, INT64_MAX, 0));
                      if (field && width)
                      {
                          // the first one has no offset; each process has them anew
                          schemas[{row.Integer(0), row.Integer(1)}][*field] = {
                              *field,
                              row.Integer(4, MOST_PAYLOAD_BYTES, 0),
                              width};
                      }
                  });
    for (const auto& [key, entries] : schemas)
    {
        for (const auto& entry : entries)
        {
            m_schemas[key].push_back(entry.second);
        }
    }
}

WorkloadNsysFields
WorkloadNsysPayloads::Read(const WorkloadNsysRow& row, const std::string& payload) const
{
    const auto damaged = [&] {
        row.Fail("binaryData of " + std::to_string(payload.size()) +
                 " bytes is no payload that fits its schema: export the report again");
    };
    if (payload.size() < HEADER_BYTES)
    {
        damaged();
    }
    const uint64_t size = LittleEndian(payload, SIZE_AT, 8);
    if (size > payload.size() - HEADER_BYTES)
    {
        damaged();
    }
    WorkloadNsysFields fields;
    const auto schema =
        m_schemas.find({LittleEndian(payload, 0, 4), LittleEndian(payload, SCHEMA_AT, 4)});
    if (schema == m_schemas.end())
    {
        return fields;
    }
    for (const Entry& entry : schema->second)
    {
        if (entry.offset + entry.width > size)
        {
            damaged();
        }
        fields[entry.field] = LittleEndian(payload, HEADER_BYTES + entry.offset, entry.width);
    }
    return fields;
}

} // namespace ns3
