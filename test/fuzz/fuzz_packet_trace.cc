/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/input-error.h"
#include "ns3/rdma-trace-record.h"

#include <cstdlib>
#include <sstream>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

using namespace ns3;

namespace
{

/** A file in memory, which has a path nevertheless. */
class MemoryFile
{
  public:
    MemoryFile()
        : m_descriptor(memfd_create("trace", MFD_CLOEXEC))
    {
        if (m_descriptor < 0)
        {
            std::abort();
        }
    }

    std::string Path() const
    {
        return "/proc/self/fd/" + std::to_string(m_descriptor);
    }

    void Fill(const uint8_t* data, size_t size) const
    {
        if (ftruncate(m_descriptor, 0) != 0 ||
            pwrite(m_descriptor, data, size, 0) != static_cast<ssize_t>(size))
        {
            std::abort();
        }
    }

  private:
    int m_descriptor;
};

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static const MemoryFile file;
    file.Fill(data, size);
    try
    {
        const RdmaTraceFile trace = ReadRdmaTraceFile(file.Path());
        std::ostringstream out;
        for (const RdmaTraceRecord& record : trace.records)
        {
            out << record << '\n';
        }
    }
    catch (const InputError&)
    {
        // what a bad trace must lead to
    }
    return 0;
}
