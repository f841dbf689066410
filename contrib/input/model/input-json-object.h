/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INPUT_JSON_OBJECT_H
#define INPUT_JSON_OBJECT_H

#include "input-json-text.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup input
 * \brief An object of a user's JSON file, whose keys must all be asked for.
 *
 * A getter marks its key as known; Finish() rejects the others. Errors are InputError and read
 * `FILE:LINE: PLACE: what is wrong`, with places such as model.moe.topK.
 */
class JsonObject
{
  public:
    /** \param text whose root must be an object; must outlive this */
    explicit JsonObject(const JsonText& text);

    /** \return whether the key is given; it is known from now on */
    bool Has(const std::string& key);

    /** \return a whole number in [least, most] that must be given */
    uint64_t Integer(const std::string& key, uint64_t least, uint64_t most);

    /** \return a whole number in [least, most], or \p absent */
    uint64_t Integer(const std::string& key, uint64_t least, uint64_t most, uint64_t absent);

    /** \return a number in [least, most] that must be given */
    double Number(const std::string& key, double least, double most);

    /** \return a number in [least, most], or \p absent */
    double Number(const std::string& key, double least, double most, double absent);

    /** \return true or false, or \p absent */
    bool Flag(const std::string& key, bool absent);

    /** \return a string, or \p absent */
    std::string Text(const std::string& key, const std::string& absent);

    /** \return index of the string among the choices, or \p absent */
    size_t Choice(const std::string& key, const std::vector<std::string>& choices, size_t absent);

    /** \return an array of whole numbers in [least, most]; empty if absent */
    std::vector<uint64_t> Integers(const std::string& key, uint64_t least, uint64_t most);

    /** \return an object that must be given */
    JsonObject Object(const std::string& key);

    /** \throws InputError if the object has a key that nobody asked for */
    void Finish() const;

    /** Throws InputError at a key. \param message what is wrong, and the remedy */
    [[noreturn]] void Fail(const std::string& key, const std::string& message) const;

  private:
    JsonObject(const JsonText& text, const nlohmann::json& json, std::string place);

    /** \return the value, null if absent; the key is known from now on */
    const nlohmann::json* Find(const std::string& key);

    /** Throws if the key is absent. \param expected for the message */
    void Require(const std::string& key, const std::string& expected);

    /** Throws: the value is not what is expected. */
    [[noreturn]] void FailValue(const std::string& key,
                                const nlohmann::json& value,
                                const std::string& expected) const;

    /** \return the value as a whole number in the range */
    uint64_t ToInteger(const std::string& key,
                       const nlohmann::json& value,
                       uint64_t least,
                       uint64_t most) const;

    const JsonText& m_text;
    const nlohmann::json& m_json;
    std::string m_place;
    std::vector<std::string> m_known;
};

} // namespace ns3

#endif // INPUT_JSON_OBJECT_H
