/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Values, specifications and errors, as a user of an ns-3 tree meets them.

#include "ns3/input-bytes.h"
#include "ns3/input-error.h"
#include "ns3/input-json-object.h"
#include "ns3/input-nearest-name.h"
#include "ns3/input-number.h"
#include "ns3/input-spec.h"
#include "ns3/input-text-reader.h"
#include "ns3/input-units.h"
#include "ns3/test.h"

#include <functional>
#include <sstream>
#include <type_traits>
#include <vector>

using namespace ns3;

namespace
{

/** Up to ns-3.41, durations are enumerators of TestCase itself. */
template <typename T, typename = void>
struct Durations
{
    static constexpr auto QUICK = T::QUICK;
};

/** From ns-3.42 on, they are those of a scoped enumeration. */
template <typename T>
struct Durations<T, std::void_t<typename T::Duration>>
{
    static constexpr auto QUICK = T::Duration::QUICK;
};

/** \return the message of the InputError that \p action ends with; empty if there is none */
std::string
ErrorOf(const std::function<void()>& action)
{
    try
    {
        action();
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "";
}

/** A value is all of a text, in its unit, or it is not read at all. */
class ValuesCase : public TestCase
{
  public:
    ValuesCase()
        : TestCase("numbers, bytes, rates and times")
    {
    }

  private:
    void DoRun() override
    {
        uint64_t whole = 7;
        NS_TEST_EXPECT_MSG_EQ(ParseInteger("18446744073709551615", whole), true, "2^64 - 1");
        NS_TEST_EXPECT_MSG_EQ(whole, UINT64_MAX, "2^64 - 1");
        for (const char* text : {"18446744073709551616", "-1", "1.5", "0x10", "", " 1", "1 "})
        {
            whole = 7;
            NS_TEST_EXPECT_MSG_EQ(ParseInteger(text, whole), false, text);
            NS_TEST_EXPECT_MSG_EQ(whole, 7, "left as it was by " << text);
        }
        uint64_t bytes = 0;
        NS_TEST_EXPECT_MSG_EQ(ParseBytes("32MB", bytes), true, "32 MB");
        NS_TEST_EXPECT_MSG_EQ(bytes, 32000000, "decimal: 32 * 10^6");
        NS_TEST_EXPECT_MSG_EQ(ParseBytes("4KiB", bytes), true, "4 KiB");
        NS_TEST_EXPECT_MSG_EQ(bytes, 4096, "binary: 4 * 2^10");
        uint64_t rate = 0;
        NS_TEST_EXPECT_MSG_EQ(ParseRate("2.5Gbps", rate), true, "2.5 Gb/s");
        NS_TEST_EXPECT_MSG_EQ(rate, 2500000000, "2.5 * 10^9 bit/s");
        NS_TEST_EXPECT_MSG_EQ(ParseRate("2.5", rate), false, "a rate has a unit");
        double ns = 0;
        NS_TEST_EXPECT_MSG_EQ(ParseTime("1.5us", ns), true, "1.5 us");
        NS_TEST_EXPECT_MSG_EQ(ns, 1500, "1.5 * 1000 ns");
        NS_TEST_EXPECT_MSG_EQ(ParseTime("-1us", ns), false, "a time is not negative");
    }
};

/** A specification gives what is asked for, and rejects the rest. */
class SpecCase : public TestCase
{
  public:
    SpecCase()
        : TestCase("specifications: ranges, defaults, unknown keys")
    {
    }

  private:
    void DoRun() override
    {
        InputSpec spec("star:hosts=16,rate=100Gbps");
        NS_TEST_EXPECT_MSG_EQ(spec.Kind(), "star", "before the colon");
        NS_TEST_EXPECT_MSG_EQ(spec.Integer("hosts", 2, 1, 20), 16, "as given");
        NS_TEST_EXPECT_MSG_EQ(spec.Integer("links", 3, 1, 20), 3, "the default");
        const std::string unknown = ErrorOf([&] { spec.Finish(); });
        NS_TEST_EXPECT_MSG_NE(unknown.find("rate"), std::string::npos, unknown);
        NS_TEST_EXPECT_MSG_EQ(spec.Rate("rate", 1), 100000000000, "100 * 10^9 bit/s");
        NS_TEST_EXPECT_MSG_EQ(ErrorOf([&] { spec.Finish(); }), "", "all keys are known now");
        const std::string range = ErrorOf([&] { spec.Integer("hosts", 2, 1, 15); });
        NS_TEST_EXPECT_MSG_NE(range.find("16"), std::string::npos, "has the value: " << range);
        NS_TEST_EXPECT_MSG_NE(range.find("15"), std::string::npos, "has the limit: " << range);
        NS_TEST_EXPECT_MSG_NE(ErrorOf([] { InputSpec("star:hosts=1,hosts=2"); }), "", "twice");
    }
};

/** Errors in files name the line. */
class FilesCase : public TestCase
{
  public:
    FilesCase()
        : TestCase("words of text files and objects of JSON files: errors name file and line")
    {
    }

  private:
    void DoRun() override
    {
        std::istringstream text("1\n2 x\n");
        TextReader reader(text, "numbers.txt");
        NS_TEST_EXPECT_MSG_EQ(reader.Integer("first", 0, 9), 1, "line 1");
        NS_TEST_EXPECT_MSG_EQ(reader.Integer("second", 0, 9), 2, "line 2");
        const std::string word = ErrorOf([&] { reader.Integer("third", 0, 9); });
        NS_TEST_EXPECT_MSG_EQ(word.find("numbers.txt:2: "), 0, word);

        std::istringstream json("{\n  \"ranks\": 4,\n  \"rnaks\": 5\n}\n");
        const JsonText parsed = ReadJsonText(json, "job.json", 1000);
        JsonObject object(parsed);
        NS_TEST_EXPECT_MSG_EQ(object.Integer("ranks", 1, 8), 4, "line 2");
        const std::string key = ErrorOf([&] { object.Finish(); });
        NS_TEST_EXPECT_MSG_EQ(key.find("job.json:3: "), 0, key);
    }
};

/** The nearest name is offered, unless nothing is near. */
class NamesCase : public TestCase
{
  public:
    NamesCase()
        : TestCase("the nearest of known names")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<std::string> names{"all-to-all", "all-reduce", "broadcast"};
        NS_TEST_EXPECT_MSG_EQ(DidYouMean("allreduce", names),
                              "; did you mean all-reduce?",
                              "hyphens do not count");
        NS_TEST_EXPECT_MSG_EQ(DidYouMean("failed", {"failed-links", "failed-seed"}),
                              "; did you mean failed-links?",
                              "what is listed first matters most");
        NS_TEST_EXPECT_MSG_EQ(DidYouMean("Hpc", {"HpccPint", "Hpcc"}),
                              "; did you mean Hpcc?",
                              "the whole name of one begins that of the other");
        NS_TEST_EXPECT_MSG_EQ(DidYouMean("xyz", names), "", "nothing is near");
    }
};

class InputTestSuite : public TestSuite
{
  public:
    InputTestSuite()
        : TestSuite("input", TestSuite::Type::UNIT)
    {
        AddTestCase(new ValuesCase, Durations<TestCase>::QUICK);
        AddTestCase(new SpecCase, Durations<TestCase>::QUICK);
        AddTestCase(new FilesCase, Durations<TestCase>::QUICK);
        AddTestCase(new NamesCase, Durations<TestCase>::QUICK);
    }
};

InputTestSuite g_inputTestSuite; //!< registers itself

} // namespace
