/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "input-json-text.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"

#include <iterator>
#include <set>
#include <vector>

namespace ns3
{

namespace
{

constexpr size_t DEEPEST = 64; ///< nesting

/** \return the text, whole */
std::string
ReadAll(std::istream& in, const std::string& name, uint64_t max)
{
    std::string text;
    std::vector<char> block(65536);
    while (in)
    {
        in.read(block.data(), static_cast<std::streamsize>(block.size()));
        text.append(block.data(), static_cast<size_t>(in.gcount()));
        if (text.size() > max)
        {
            throw InputError(name,
                             0,
                             "more than " + std::to_string(max) +
                                 " bytes: this is no such description");
        }
    }
    if (in.bad() || !in.eof())
    {
        throw InputError(name, 0, "cannot be read");
    }
    return text;
}

/** Goes through a text and counts its lines. */
class LineCounter
{
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    LineCounter(const char* at, uint64_t& line)
        : m_at(at),
          m_line(&line)
    {
    }

    reference operator*() const
    {
        return *m_at;
    }

    LineCounter& operator++()
    {
        *m_line += *m_at == '\n' ? 1 : 0;
        ++m_at;
        return *this;
    }

    LineCounter operator++(int)
    {
        const LineCounter before = *this;
        ++*this;
        return before;
    }

    bool operator==(const LineCounter& o) const
    {
        return m_at == o.m_at;
    }

    bool operator!=(const LineCounter& o) const
    {
        return m_at != o.m_at;
    }

  private:
    const char* m_at;
    uint64_t* m_line;
};

/** Notes the lines of keys, and rejects those that nlohmann's parser would take in silence: keys
 * given twice. */
class KeyWatch
{
  public:
    KeyWatch(JsonText& text, const uint64_t& line)
        : m_text(text),
          m_line(line)
    {
    }

    bool operator()(int depth, nlohmann::json::parse_event_t event, nlohmann::json& value)
    {
        using Event = nlohmann::json::parse_event_t;
        if (depth > static_cast<int>(DEEPEST))
        {
            Fail("nested more than " + std::to_string(DEEPEST) +
                 " deep: this is no such description");
        }
        if (event == Event::object_start)
        {
            m_objects.push_back({m_key, {}});
        }
        else if (event == Event::object_end)
        {
            m_key = m_objects.back().place;
            m_objects.pop_back();
        }
        else if (event == Event::key)
        {
            NoteKey(value.get_ref<const std::string&>());
        }
        return true;
    }

  private:
    struct Object
    {
        std::string place;
        std::set<std::string> keys;
    };

    [[noreturn]] void Fail(const std::string& message) const
    {
        throw InputError(m_text.name, m_line, message);
    }

    void NoteKey(const std::string& key)
    {
        Object& object = m_objects.back();
        if (!object.keys.insert(key).second)
        {
            Fail("\"" + ShownText(key) + "\" is given twice in one object: remove one");
        }
        m_key = object.place.empty() ? key : object.place + "." + key;
        m_text.lines.emplace(m_key, m_line);
    }

    JsonText& m_text;
    const uint64_t& m_line; //!< of what has just been read
    std::string m_key;      //!< place of the last key
    std::vector<Object> m_objects;
};

} // namespace

uint64_t
JsonText::LineOf(const std::string& place) const
{
    std::string at = place.substr(0, place.find_first_of(" ["));
    if (at.empty())
    {
        return 0;
    }
    while (true)
    {
        const auto found = lines.find(at);
        if (found != lines.end())
        {
            return found->second;
        }
        const size_t dot = at.rfind('.');
        if (dot == std::string::npos)
        {
            return 1;
        }
        at.resize(dot);
    }
}

JsonText
ReadJsonText(std::istream& in, const std::string& name, uint64_t max)
{
    const std::string text = ReadAll(in, name, max);
    JsonText result;
    result.name = name;
    uint64_t line = 1;
    KeyWatch watch(result, line);
    try
    {
        result.root = nlohmann::json::parse(LineCounter(text.data(), line),
                                            LineCounter(text.data() + text.size(), line),
                                            std::ref(watch));
        return result;
    }
    catch (const nlohmann::json::parse_error&)
    {
        throw InputError(name,
                         line,
                         text.find_first_not_of(" \t\r\n") == std::string::npos
                             ? "empty: must be a JSON object"
                             : "not JSON from this line on (a missing comma, quote or bracket?)");
    }
    catch (const nlohmann::json::exception&) // such as a number that is out of range
    {
        throw InputError(name, line, "not JSON: a number in it is too large");
    }
}

void
SetJsonText(JsonText& text, const std::string& place, const std::string& value)
{
    nlohmann::json* at = &text.root;
    size_t begin = 0;
    while (true)
    {
        if (!at->is_object())
        {
            throw InputError(text.name,
                             text.LineOf(place),
                             ShownText(place) + "=" + ShownText(value) + ": " +
                                 ShownText(place.substr(0, begin - 1)) +
                                 " is no object, so that it has no such key");
        }
        const size_t dot = place.find('.', begin);
        nlohmann::json& next = (*at)[place.substr(begin, dot - begin)];
        at = &next;
        if (dot == std::string::npos)
        {
            break;
        }
        if (next.is_null())
        {
            next = nlohmann::json::object();
        }
        begin = dot + 1;
    }
    const nlohmann::json parsed = nlohmann::json::parse(value, nullptr, false);
    *at = parsed.is_number() || parsed.is_boolean() ? parsed : nlohmann::json(value);
    text.lines[place] = 0;
}

} // namespace ns3
