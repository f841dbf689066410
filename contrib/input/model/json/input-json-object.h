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
    virtual ~JsonObject() = default;

    /** \return whether the key is given; it is known from now on */
    bool Has(const std::string& key);

    /** \return a whole number in [min, max] that must be given */
    uint64_t Integer(const std::string& key, uint64_t min, uint64_t max);

    /** \return a whole number in [min, max], or \p defaultValue */
    uint64_t Integer(const std::string& key, uint64_t min, uint64_t max, uint64_t defaultValue);

    /** \return a number in [min, max] that must be given */
    double Number(const std::string& key, double min, double max);

    /** \return a number in [min, max], or \p defaultValue */
    double Number(const std::string& key, double min, double max, double defaultValue);

    /** \return true or false, or \p defaultValue */
    bool Flag(const std::string& key, bool defaultValue);

    /** \return a string, or \p defaultValue */
    std::string Text(const std::string& key, const std::string& defaultValue);

    /** \return index of the string among the choices, or \p defaultValue */
    size_t Choice(const std::string& key,
                  const std::vector<std::string>& choices,
                  size_t defaultValue);

    /** \return an array of whole numbers in [min, max]; empty if absent */
    std::vector<uint64_t> Integers(const std::string& key, uint64_t min, uint64_t max);

    /** \return an object that must be given */
    JsonObject Object(const std::string& key);

    /** \throws InputError if the object has a key that nobody asked for */
    void Finish() const;

    /** Throws InputError at a key. \param message what is wrong, and the remedy */
    [[noreturn]] void Fail(const std::string& key, const std::string& message) const;

    /** \return the value, null if it is not given; the key is known from now on */
    const nlohmann::json* Find(const std::string& key);

  protected:
    /** Throws InputError: the value is not what is expected. */
    [[noreturn]] virtual void FailValue(const std::string& key,
                                        const nlohmann::json& value,
                                        const std::string& expected) const;

  private:
    JsonObject(const JsonText& text, const nlohmann::json& json, std::string place);

    /** Throws if the key is absent. \param expected for the message */
    void Require(const std::string& key, const std::string& expected);

    /** \return the value as a whole number in the range */
    uint64_t ToInteger(const std::string& key,
                       const nlohmann::json& value,
                       uint64_t min,
                       uint64_t max) const;

    const JsonText& m_text;
    const nlohmann::json& m_json;
    std::string m_place;
    std::vector<std::string> m_known;
};

} // namespace ns3

#endif // INPUT_JSON_OBJECT_H
