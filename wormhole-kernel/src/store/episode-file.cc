/*
 * SPDX-License-Identifier: MIT
 */
#include "store/episode-file.h"

#include "store/open-episode-file.h"

#include <algorithm>
#include <vector>

namespace wormhole
{
namespace
{

/** \param run of a query for id, verified, last_use, checksum, data and others */
EpisodeRow
ReadRow(const SqliteStatement::Run& run)
{
    EpisodeRow row;
    row.id = run.Integer(0);
    row.verified = run.Integer(1);
    row.lastUse = run.Integer(2);
    row.checksum = run.Unsigned(3);
    row.data = run.Blob(4);
    return row;
}

} // namespace

std::uint64_t
EpisodeRow::Content() const
{
    return SignatureBuilder()
        .Add(fingerprint.high)
        .Add(fingerprint.low)
        .Add(key.signature.high)
        .Add(key.signature.low)
        .Add(static_cast<std::uint64_t>(key.end))
        .Add(data)
        .Get()
        .low;
}

std::uint64_t
ChecksumOf(std::uint64_t content, std::int64_t verified)
{
    return SignatureBuilder().Add(content).Add(static_cast<std::uint64_t>(verified)).Get().low;
}

std::optional<EpisodeRecord>
DecodeRow(const EpisodeRow& row)
{
    if (row.checksum != ChecksumOf(row.Content(), row.verified))
    {
        return std::nullopt;
    }
    auto record = DecodeRecord(row.data);
    if (!record || record->episode.end != row.key.end ||
        record->graph.GetSignature() != row.key.signature)
    {
        return std::nullopt;
    }
    record->episode.verified = Duration{row.verified};
    return record;
}

EpisodeFile::EpisodeFile(const std::string& path,
                         std::chrono::milliseconds busyTimeout,
                         bool mayMake)
    : m_connection(OpenEpisodeFile(path, busyTimeout, mayMake)),
      m_dataVersion(m_connection, "PRAGMA data_version"),
      m_load(m_connection,
             "SELECT id, verified, last_use, checksum, data FROM episodes "
             "WHERE signature_low = ?1 AND signature_high = ?2 AND ending = ?3 AND configuration = "
             "(SELECT id FROM configurations "
             "WHERE fingerprint_high = ?4 AND fingerprint_low = ?5) ORDER BY id"),
      m_insert(m_connection,
               "INSERT INTO episodes (configuration, ending, signature_high, signature_low, "
               "last_use, verified, checksum, data) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"),
      m_count(m_connection,
              "UPDATE configurations SET episodes = episodes + 1, bytes = bytes + ?2 "
              "WHERE id = ?1"),
      m_raise(m_connection,
              "UPDATE episodes SET verified = ?2, checksum = ?3 WHERE id = ?1 AND verified < ?2"),
      m_touch(m_connection, "UPDATE episodes SET last_use = ?2 WHERE id = ?1 AND last_use < ?2"),
      m_configuration(m_connection,
                      "SELECT id, episodes, bytes FROM configurations "
                      "WHERE fingerprint_high = ?1 AND fingerprint_low = ?2"),
      m_addConfiguration(m_connection,
                         "INSERT INTO configurations (fingerprint_high, fingerprint_low, "
                         "episodes, bytes) VALUES (?1, ?2, 0, 0)"),
      m_total(m_connection, "SELECT SUM(bytes) FROM configurations")
{
}

bool
EpisodeFile::IsReadOnly() const
{
    return sqlite3_db_readonly(m_connection.Get(), "main") == 1;
}

void
EpisodeFile::SetBusyTimeout(std::chrono::milliseconds timeout)
{
    sqlite3_busy_timeout(m_connection.Get(), static_cast<int>(timeout.count()));
}

std::int64_t
EpisodeFile::DataVersion()
{
    SqliteStatement::Run run(m_dataVersion);
    run.Step();
    return run.Integer(0);
}

void
EpisodeFile::Load(const Signature& fingerprint, const EpisodeKey& key, const RowVisitor& visit)
{
    SqliteStatement::Run run(m_load,
                             key.signature.low,
                             key.signature.high,
                             static_cast<std::int64_t>(key.end),
                             fingerprint.high,
                             fingerprint.low);
    while (run.Step())
    {
        EpisodeRow row = ReadRow(run);
        row.fingerprint = fingerprint;
        row.key = key;
        visit(row);
    }
}

void
EpisodeFile::LoadAll(const RowVisitor& visit)
{
    SqliteStatement statement(m_connection,
                              "SELECT e.id, verified, last_use, checksum, data, ending, "
                              "signature_high, signature_low, fingerprint_high, fingerprint_low "
                              "FROM episodes AS e LEFT JOIN configurations AS c "
                              "ON c.id = configuration ORDER BY e.id");
    SqliteStatement::Run run(statement);
    while (run.Step())
    {
        EpisodeRow row = ReadRow(run);
        row.key = {{run.Unsigned(6), run.Unsigned(7)},
                   run.Integer(5) == 0 ? EpisodeEnd::Converged : EpisodeEnd::Completed};
        row.fingerprint = {run.Unsigned(8), run.Unsigned(9)};
        visit(row);
    }
}

std::int64_t
EpisodeFile::Insert(const EpisodeRow& row, std::uint64_t limit, std::uint64_t& evicted)
{
    evicted += EvictTo(limit - row.data.size());
    const std::int64_t configuration = ConfigurationOf(row.fingerprint);
    SqliteStatement::Run(m_insert,
                         configuration,
                         static_cast<std::int64_t>(row.key.end),
                         row.key.signature.high,
                         row.key.signature.low,
                         row.lastUse,
                         row.verified,
                         ChecksumOf(row.Content(), row.verified),
                         std::string_view(row.data))
        .Finish();
    const std::int64_t id = sqlite3_last_insert_rowid(m_connection.Get());
    SqliteStatement::Run(m_count, configuration, static_cast<std::int64_t>(row.data.size()))
        .Finish();
    return id;
}

std::int64_t
EpisodeFile::ConfigurationOf(const Signature& fingerprint)
{
    {
        SqliteStatement::Run run(m_configuration, fingerprint.high, fingerprint.low);
        if (run.Step())
        {
            return run.Integer(0);
        }
    }
    SqliteStatement::Run(m_addConfiguration, fingerprint.high, fingerprint.low).Finish();
    return sqlite3_last_insert_rowid(m_connection.Get());
}

std::uint64_t
EpisodeFile::EvictTo(std::uint64_t limit)
{
    std::uint64_t total = 0;
    {
        SqliteStatement::Run run(m_total);
        run.Step();
        total = run.Unsigned(0);
    }
    if (total <= limit)
    {
        return 0;
    }
    std::vector<std::int64_t> victims;
    {
        SqliteStatement oldest(m_connection,
                               "SELECT id, LENGTH(data) FROM episodes ORDER BY last_use, id");
        SqliteStatement::Run run(oldest);
        while (total > limit - limit / 8 && run.Step())
        {
            victims.push_back(run.Integer(0));
            total -= std::min(total, run.Unsigned(1));
        }
    }
    DeleteRows(victims);
    return victims.size();
}

void
EpisodeFile::Recount()
{
    m_connection.Execute(
        "UPDATE configurations SET "
        "episodes = (SELECT COUNT(*) FROM episodes WHERE configuration = configurations.id), "
        "bytes = (SELECT IFNULL(SUM(LENGTH(data)), 0) FROM episodes "
        "WHERE configuration = configurations.id)");
}

void
EpisodeFile::Raise(std::int64_t id, std::uint64_t content, std::int64_t verified)
{
    SqliteStatement::Run(m_raise, id, verified, ChecksumOf(content, verified)).Finish();
}

void
EpisodeFile::Touch(std::int64_t id, std::int64_t lastUse)
{
    SqliteStatement::Run(m_touch, id, lastUse).Finish();
}

void
EpisodeFile::DeleteRows(const std::vector<std::int64_t>& ids)
{
    SqliteStatement remove(m_connection, "DELETE FROM episodes WHERE id = ?1");
    for (const std::int64_t id : ids)
    {
        SqliteStatement::Run(remove, id).Finish();
    }
    Recount();
}

/** \return the rows that are to go, the last used first */
std::vector<std::int64_t>
EpisodeFile::Select(const Selection& selection)
{
    SqliteStatement latest(m_connection,
                           "SELECT id, LENGTH(data), last_use FROM episodes "
                           "WHERE (?1 = 0 OR configuration IN (SELECT id FROM configurations "
                           "WHERE fingerprint_high = ?2 AND fingerprint_low = ?3)) "
                           "ORDER BY last_use DESC, id DESC");
    SqliteStatement::Run run(latest,
                             std::int64_t{selection.fingerprint.has_value()},
                             selection.fingerprint.value_or(Signature{}).high,
                             selection.fingerprint.value_or(Signature{}).low);
    std::vector<std::int64_t> selected;
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    while (run.Step())
    {
        ++count;
        bytes += run.Unsigned(1);
        if ((!selection.usedBefore || run.Integer(2) < *selection.usedBefore) &&
            (!selection.beyondEpisodes || count > *selection.beyondEpisodes) &&
            (!selection.beyondBytes || bytes > *selection.beyondBytes))
        {
            selected.push_back(run.Integer(0));
        }
    }
    return selected;
}

std::uint64_t
EpisodeFile::Delete(const Selection& selection)
{
    const std::vector<std::int64_t> selected = Select(selection);
    DeleteRows(selected);
    return selected.size();
}

EpisodeFile::Size
EpisodeFile::SizeOf(const Signature& fingerprint)
{
    SqliteStatement::Run run(m_configuration, fingerprint.high, fingerprint.low);
    return run.Step() ? Size{run.Unsigned(1), run.Unsigned(2)} : Size{};
}

void
EpisodeFile::Shrink()
{
    m_connection.Execute("VACUUM");
    m_connection.Execute("PRAGMA wal_checkpoint(TRUNCATE)");
}

} // namespace wormhole
