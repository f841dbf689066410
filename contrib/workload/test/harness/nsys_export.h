/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_NSYS_TEST_EXPORT_H
#define WORKLOAD_NSYS_TEST_EXPORT_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

struct sqlite3;

/** Exports of Nsight Systems, made by its documented schema. */
namespace nsys
{

/** What a range of NCCL says; what is not given is left out. */
using Fields = std::map<std::string, uint64_t>;

/** \return fields of a call with a communicator and a size */
Fields Call(uint64_t communicator, uint64_t bytes);

/** \return fields of the creation of a communicator */
Fields Init(uint64_t communicator, uint64_t ranks, uint64_t rank, uint64_t device = 0);

/** Does something to an export that is written. */
void Change(const std::string& file, const std::string& statement);

/** Writes an export. Threads and processes are small numbers, which it packs as Nsight does. */
class Export
{
  public:
    /** \param file that does not exist */
    explicit Export(const std::string& file);
    ~Export();
    Export(const Export&) = delete;
    Export& operator=(const Export&) = delete;

    /** Does something to the database. */
    void Sql(const std::string& statement);

    /** Adds a range of a thread of a process. */
    void Range(uint64_t process, uint64_t startNs, uint64_t endNs, const std::string& name);
    void Range(uint64_t process,
               uint64_t startNs,
               uint64_t endNs,
               const std::string& name,
               const Fields& fields);

    /** Adds a kernel, and its launch by that thread. */
    void Kernel(uint64_t process,
                uint64_t device,
                uint64_t stream,
                uint64_t launchNs,
                uint64_t startNs,
                uint64_t endNs,
                const std::string& name,
                uint64_t blocks = 1,
                uint64_t threads = 544);

    /** Adds a call of its own, and the kernel that it launches at once: at \p startNs - 100. */
    void Collective(uint64_t process,
                    uint64_t stream,
                    uint64_t startNs,
                    uint64_t endNs,
                    const std::string& function,
                    const Fields& fields);

  private:
    uint64_t StringOf(const std::string& text);

    sqlite3* m_database{nullptr};
    std::map<std::string, uint64_t> m_strings;
    std::map<std::vector<std::string>, uint64_t> m_schemas;
    uint64_t m_correlation{0};
};

} // namespace nsys

#endif // WORKLOAD_NSYS_TEST_EXPORT_H
