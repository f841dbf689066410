/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-spc-trace.h"

#include "ns3/input-byte-order-mark.h"
#include "ns3/input-number.h"
#include "ns3/input-values.h"

#include <cmath>

namespace ns3
{

namespace
{

constexpr size_t LONGEST_SPC_LINE = 1024;
constexpr size_t FIELDS = 5;
constexpr uint64_t DISK_BYTES = uint64_t{1} << 60;
constexpr uint64_t REQUEST_BYTES = uint64_t{1} << 40;
constexpr double MAX_SECONDS = 1e9; // 31 years

/** The lines of a file, of bounded length. */
class Lines : public InputValues
{
  public:
    Lines(std::istream& in, const std::string& name)
        : m_in(in),
          m_name(name)
    {
    }

    /** \return false at the end of the file */
    bool Next(std::string& line)
    {
        line.clear();
        ++m_line;
        int c = m_in.get();
        if (c == std::istream::traits_type::eof())
        {
            if (m_in.bad())
            {
                Fail("the file cannot be read");
            }
            return false;
        }
        for (; c != '\n' && c != std::istream::traits_type::eof(); c = m_in.get())
        {
            line += static_cast<char>(c);
            if (line.size() > LONGEST_SPC_LINE)
            {
                Fail("the line is longer than " + std::to_string(LONGEST_SPC_LINE) +
                     " characters; this is no SPC trace");
            }
        }
        if (m_line == 1)
        {
            line.erase(0, ByteOrderMarkIn(line));
        }
        return true;
    }

    [[noreturn]] void Fail(const std::string& message) const
    {
        throw InputError(m_name, m_line, message);
    }

    [[noreturn]] void FailValue(std::string_view what,
                                const std::string& text,
                                const std::string& expected) const override
    {
        Fail(std::string(what) + " is " + ShownText(text) + ", but must be " + expected);
    }

  private:
    std::istream& m_in;
    const std::string& m_name;
    uint64_t m_line{0};
};

/** \return the text without blanks around it */
std::string
Trimmed(const std::string& text)
{
    const char* blanks = " \t\r";
    const size_t first = text.find_first_not_of(blanks);
    return first == std::string::npos
               ? ""
               : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/** \return what stands between commas, trimmed */
std::vector<std::string>
Split(const std::string& line)
{
    std::vector<std::string> fields;
    size_t start = 0;
    for (size_t end = line.find(','); end != std::string::npos; end = line.find(',', start))
    {
        fields.push_back(Trimmed(line.substr(start, end - start)));
        start = end + 1;
    }
    fields.push_back(Trimmed(line.substr(start)));
    return fields;
}

WorkloadStorageRequest
ParseRequest(const Lines& lines,
             const std::vector<std::string>& fields,
             const WorkloadSpcOptions& options)
{
    if (fields.size() < FIELDS)
    {
        lines.Fail("there are " + std::to_string(fields.size()) +
                   " fields, but must be ASU,LBA,Size,Opcode,Timestamp, such as "
                   "0,20941264,8192,W,0.551706");
    }
    WorkloadStorageRequest request;
    request.unit =
        static_cast<uint32_t>(lines.ToInteger("the ASU", fields[0], 0, WORKLOAD_SPC_UNITS - 1));
    request.offset = lines.ToInteger("the LBA", fields[1], 0, DISK_BYTES / options.addressUnit) *
                     options.addressUnit;
    request.bytes = lines.ToInteger("the size in bytes", fields[2], 1, REQUEST_BYTES);
    const std::string& code = fields[3];
    request.write = code == "W" || code == "w";
    if (!request.write && code != "R" && code != "r")
    {
        lines.FailValue("the opcode", code, "R or W");
    }
    double seconds = 0;
    if (!ParseNumber(fields[4], seconds) || seconds < 0 || seconds > MAX_SECONDS)
    {
        lines.FailValue("the timestamp", fields[4], "a time from 0 to 1e9 seconds");
    }
    request.arrivalNs = static_cast<uint64_t>(std::llround(seconds * 1e9));
    return request;
}

} // namespace

std::vector<WorkloadStorageRequest>
ReadWorkloadSpcTrace(std::istream& in, const std::string& name, const WorkloadSpcOptions& options)
{
    std::vector<WorkloadStorageRequest> requests;
    Lines lines(in, name);
    std::string line;
    while ((options.limit == 0 || requests.size() < options.limit) && lines.Next(line))
    {
        if (!Trimmed(line).empty())
        {
            requests.push_back(ParseRequest(lines, Split(line), options));
        }
    }
    if (requests.empty())
    {
        throw InputError(name,
                         0,
                         "the trace has no requests; its lines must be "
                         "ASU,LBA,Size,Opcode,Timestamp");
    }
    return requests;
}

} // namespace ns3
