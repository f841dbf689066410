/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "csv-writer.h"

#include "ns3/input-number.h"

namespace wormhole
{

using Json = nlohmann::ordered_json;

namespace
{

std::string
Quoted(const std::string& text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos)
    {
        return text;
    }
    std::string quoted = "\"";
    for (const char c : text)
    {
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    }
    return quoted + "\"";
}

std::string
FieldText(const Json& field)
{
    if (field.is_null())
    {
        return "";
    }
    if (field.is_number_float())
    {
        return ns3::NumberText(field.get<double>());
    }
    return field.is_string() ? Quoted(field.get<std::string>()) : field.dump();
}

} // namespace

void
CsvWriter::Row(const std::vector<Json>& fields)
{
    for (size_t i = 0; i < fields.size(); ++i)
    {
        m_table.text += (i ? "," : "") + FieldText(fields[i]);
    }
    m_table.text += "\n";
}

} // namespace wormhole
