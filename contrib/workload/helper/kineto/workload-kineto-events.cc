/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-kineto-events.h"

#include "workload-kineto-arguments.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace ns3
{

namespace
{

/** What an object or an array is. */
enum class KinetoPlace : uint8_t
{
    ROOT,
    EVENTS,
    EVENT,
    ARGS,
    GRID,
    BLOCK,
    INFO,
    GROUPS,
    GROUP,
    RANKS,
    LIST,
    OTHER
};

/** The profiler's JSON text, token by token. */
class KinetoParser : public nlohmann::json_sax<nlohmann::json>
{
  public:
    KinetoParser(const std::string& name,
                 const std::function<void(const WorkloadKinetoEvent&)>& read)
        : m_name(name),
          m_read(read)
    {
    }

    bool null() override
    {
        FailIfNumber("null");
        return true;
    }

    bool boolean(bool /* value */) override
    {
        return true;
    }

    bool number_integer(number_integer_t value) override
    {
        return Number({}, std::to_string(value)); // negative
    }

    bool number_unsigned(number_unsigned_t value) override
    {
        return Number({true, value, value <= UINT64_MAX / 1000 ? value * 1000 : UINT64_MAX},
                      std::to_string(value));
    }

    bool number_float(number_float_t value, const string_t& text) override
    {
        m_whole = value == std::floor(value);
        Number(ParseWorkloadKinetoNumber(text, value), text);
        m_whole = true;
        return true;
    }

    bool string(string_t& value) override
    {
        FailIfNumber(value);
        switch (m_places.empty() ? KinetoPlace::OTHER : m_places.back())
        {
        case KinetoPlace::EVENT:
            SetText(value);
            break;
        case KinetoPlace::ARGS:
            SetWorkloadKinetoArgument(m_event, m_key, value);
            break;
        case KinetoPlace::LIST:
            m_list += (m_list.size() > 1 ? ", " : "") + value; // for those that are left out
            break;
        case KinetoPlace::GROUP:
            if (m_key == "pg_name")
            {
                m_group = value;
            }
            break;
        default:
            break;
        }
        return true;
    }

    bool binary(binary_t& /* value */) override
    {
        return true;
    }

    bool start_object(std::size_t /* elements */) override
    {
        const KinetoPlace in = m_places.empty() ? KinetoPlace::OTHER : m_places.back();
        if (m_places.empty())
        {
            m_places.push_back(KinetoPlace::ROOT);
        }
        else if (in == KinetoPlace::EVENTS)
        {
            const uint64_t number = m_event.number;
            m_event = {};
            m_event.number = number + 1;
            m_places.push_back(KinetoPlace::EVENT);
        }
        else if (in == KinetoPlace::GROUPS)
        {
            m_group.clear();
            m_ranks.clear();
            m_places.push_back(KinetoPlace::GROUP);
        }
        else
        {
            m_places.push_back(in == KinetoPlace::EVENT && m_key == "args" ? KinetoPlace::ARGS
                               : in == KinetoPlace::ROOT && m_key == "distributedInfo"
                                   ? KinetoPlace::INFO
                                   : KinetoPlace::OTHER);
        }
        return true;
    }

    bool key(string_t& value) override
    {
        m_key = value;
        return true;
    }

    bool end_object() override
    {
        const KinetoPlace done = m_places.back();
        m_places.pop_back();
        if (done == KinetoPlace::EVENT)
        {
            m_read(m_event);
        }
        if (done == KinetoPlace::GROUP && !m_group.empty() && !m_ranks.empty())
        {
            info.groups[m_group] = m_ranks;
        }
        return true;
    }

    bool start_array(std::size_t /* elements */) override
    {
        const KinetoPlace in = m_places.empty() ? KinetoPlace::OTHER : m_places.back();
        KinetoPlace place = KinetoPlace::OTHER;
        if (in == KinetoPlace::ROOT && m_key == "traceEvents")
        {
            place = KinetoPlace::EVENTS;
            info.events = true;
        }
        else if (in == KinetoPlace::ARGS)
        {
            place = m_key == "grid"    ? KinetoPlace::GRID
                    : m_key == "block" ? KinetoPlace::BLOCK
                                       : KinetoPlace::LIST;
            m_index = 0;
            m_list = "[";
        }
        else if (in == KinetoPlace::INFO && m_key == "pg_config")
        {
            place = KinetoPlace::GROUPS;
        }
        else if (in == KinetoPlace::GROUP && m_key == "ranks")
        {
            place = KinetoPlace::RANKS;
        }
        m_places.push_back(place);
        return true;
    }

    bool end_array() override
    {
        const bool list = m_places.back() == KinetoPlace::LIST;
        m_places.pop_back();
        if (list)
        {
            SetWorkloadKinetoArgument(m_event,
                                      m_key,
                                      m_list + "]"); // some versions write these as texts
        }
        return true;
    }

    bool parse_error(std::size_t position,
                     const std::string& /* token */,
                     const nlohmann::detail::exception& error) override
    {
        throw InputError(m_name,
                         0,
                         "byte " + std::to_string(position) + ": is not JSON (" + error.what() +
                             "): the file is cut off, or damaged; write the trace again");
    }

    WorkloadKinetoInfo info;

  private:
    bool IsAt(KinetoPlace place) const
    {
        return !m_places.empty() && m_places.back() == place;
    }

    bool IsTime() const
    {
        return IsAt(KinetoPlace::EVENT) && (m_key == "ts" || m_key == "dur");
    }

    bool IsOfProgram() const
    {
        return IsAt(KinetoPlace::INFO) && (m_key == "rank" || m_key == "world_size");
    }

    /** \param text of the value of m_key */
    [[noreturn]] void FailNumber(const std::string& text, const std::string& range) const
    {
        throw InputError(m_name,
                         0,
                         (IsAt(KinetoPlace::INFO) ? "distributedInfo"
                                                  : "event no. " + std::to_string(m_event.number)) +
                             ": " + m_key + " " + ShownText(text) + ", but must be a " + range +
                             ": write the trace again");
    }

    /** What is no number at all must not stand where one is needed. */
    void FailIfNumber(const std::string& text) const
    {
        if (IsTime() || IsOfProgram())
        {
            FailNumber(text, IsTime() ? MOST_MICROSECONDS : RANKS);
        }
    }

    bool Number(const WorkloadKinetoNumber& number, const std::string& text)
    {
        switch (m_places.empty() ? KinetoPlace::OTHER : m_places.back())
        {
        case KinetoPlace::EVENT:
            if (IsTime())
            {
                if (!number.fits || number.thousand > INT64_MAX / 2)
                {
                    FailNumber(text, MOST_MICROSECONDS);
                }
                (m_key == "ts" ? m_event.startNs : m_event.durationNs) = number.thousand;
            }
            break;
        case KinetoPlace::ARGS:
            if (IsWorkloadKinetoCount(m_key) && (!number.fits || !m_whole) && text != "-1")
            {
                FailNumber(text, "whole number from 0 to 9007199254740992, or -1 for none");
            }
            SetWorkloadKinetoArgument(m_event, m_key, number);
            break;
        case KinetoPlace::GRID:
        case KinetoPlace::BLOCK:
            if (m_index++ == 0)
            {
                (m_places.back() == KinetoPlace::GRID ? m_event.channels : m_event.threads) =
                    number.fits ? number.value : UINT64_MAX;
            }
            break;
        case KinetoPlace::INFO:
            if (IsOfProgram())
            {
                const bool size = m_key == "world_size";
                if (!number.fits || !m_whole || number.value < (size ? 1 : 0) ||
                    number.value > MOST_RANKS)
                {
                    FailNumber(text, RANKS);
                }
                (size ? info.worldSize : info.rank) = number.value;
            }
            break;
        case KinetoPlace::LIST:
            m_list += (m_list.size() > 1 ? ", " : "") + std::to_string(number.value);
            break;
        case KinetoPlace::RANKS:
            if (number.fits && number.value <= UINT32_MAX)
            {
                m_ranks.push_back(static_cast<uint32_t>(number.value));
            }
            break;
        default:
            break;
        }
        return true;
    }

    void SetText(const std::string& value)
    {
        if (m_key == "ph")
        {
            m_event.phase = value;
        }
        else if (m_key == "cat")
        {
            m_event.category = value;
        }
        else if (m_key == "name")
        {
            m_event.name = value;
        }
    }

    static constexpr uint64_t MOST_RANKS = 1 << 20;
    static constexpr const char* RANKS =
        "whole number, of ranks from 0 and of their count from 1, to 1048576";
    static constexpr const char* MOST_MICROSECONDS =
        "number of microseconds from 0 to 4611686018427387";

    const std::string& m_name;
    const std::function<void(const WorkloadKinetoEvent&)>& m_read;
    std::vector<KinetoPlace> m_places; //!< from the outermost inwards
    std::string m_key;                 //!< the last one
    WorkloadKinetoEvent m_event;
    uint64_t m_index{0}; //!< in a grid or block
    std::string m_list;
    std::string m_group;
    std::vector<uint32_t> m_ranks;
    bool m_whole{true}; //!< the number that is read
};

} // namespace

WorkloadKinetoInfo
ReadWorkloadKinetoEvents(std::istream& in,
                         const std::string& name,
                         const std::function<void(const WorkloadKinetoEvent&)>& read)
{
    constexpr int GZIP_FIRST = 0x1f;
    if (in.peek() == GZIP_FIRST)
    {
        throw InputError(name, 0, "is compressed: gunzip it first");
    }
    KinetoParser parser(name, read);
    nlohmann::json::sax_parse(in, &parser);
    if (!parser.info.events)
    {
        throw InputError(
            name,
            0,
            "has no traceEvents: give what torch.profiler's export_chrome_trace wrote");
    }
    return std::move(parser.info);
}

} // namespace ns3
