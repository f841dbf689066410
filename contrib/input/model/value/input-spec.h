/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INPUT_SPEC_H
#define INPUT_SPEC_H

#include "input-values.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * \ingroup input
 * \brief One line that names a generator and its settings: `KIND` or `KIND:KEY=VALUE,KEY=VALUE...`.
 *
 * Keys come in any order, each at most once; blanks are not part of the syntax. A getter marks its
 * key as accepted, and Finish() rejects the keys that no getter asked for: nothing given is
 * ignored. Every failure throws InputError, whose message starts with the kind.
 */
class InputSpec : public InputValues
{
  public:
    /**
     * \param text the specification
     * \throws InputError if a kind, key or value is missing or a key comes twice
     */
    explicit InputSpec(const std::string& text);

    /** \return what stands before the colon */
    const std::string& Kind() const;

    /** \return the whole specification, as given */
    const std::string& Text() const;

    /** \return whether the key is given; it counts as accepted from now on */
    bool Has(const std::string& key);

    /** \throws InputError if the key is not given; \p example is a value for the message */
    void Require(const std::string& key, const std::string& example);

    /** \return a whole number in [min, max], or \p defaultValue (not checked) if the key is not
     * given
     */
    uint64_t Integer(const std::string& key, uint64_t defaultValue, uint64_t min, uint64_t max);

    /** \return a finite number in [min, max], or \p defaultValue (not checked) if the key is not
     * given
     */
    double Number(const std::string& key, double defaultValue, double min, double max);

    /** \return a size of at least \p min bytes, with a unit or without */
    uint64_t Bytes(const std::string& key, uint64_t defaultValue, uint64_t min);

    /** \return a rate in bit/s, more than 0; the value has a unit, such as 100Gbps */
    uint64_t Rate(const std::string& key, uint64_t defaultValue);

    /** \return a time in [0, max]; the value has a unit, such as 1us */
    Time Duration(const std::string& key, const Time& defaultValue, const Time& max);

    /** \return 0 or 1 as a bool */
    bool Flag(const std::string& key, bool defaultValue);

    /** \return the value as it stands, not empty if given */
    std::string Word(const std::string& key, const std::string& defaultValue);

    /** \return one of the words of \p choices */
    std::string Choice(const std::string& key,
                       const std::string& defaultValue,
                       const std::vector<std::string>& choices);

    /** \return the keys that are places in a JSON file, such as parallelism.context, and their
     * values; they count as accepted from now on */
    std::vector<std::pair<std::string, std::string>> Places();

    /** Call it when every key has been asked for. \throws InputError listing the accepted keys
     * if another is given */
    void Finish() const;

    /** Throws InputError with the kind before the message. */
    [[noreturn]] void Fail(const std::string& message) const;

    /** Throws InputError: KIND: KEY=VALUE, but must be \p expected. */
    [[noreturn]] void FailValue(const std::string& key, const std::string& expected) const;

    // InputValues
    [[noreturn]] void FailValue(std::string_view what,
                                const std::string& text,
                                const std::string& expected) const override;

  private:
    /** \return the value of the key, null if it is not given; the key counts as accepted from now
     * on */
    const std::string* Find(const std::string& key);

    std::string m_text;
    std::string m_kind;
    std::vector<std::pair<std::string, std::string>> m_values; //!< key and value, as given
    std::vector<std::string> m_accepted;                       //!< keys asked for, in that order
};

/**
 * \ingroup input
 * \param words what a message lists
 * \return "a, b and c"
 */
std::string ListText(const std::vector<std::string>& words);

} // namespace ns3

#endif // INPUT_SPEC_H
