/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INPUT_JSON_TEXT_H
#define INPUT_JSON_TEXT_H

#include <cstdint>
#include <istream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace ns3
{

/** \ingroup input A user's JSON file: its content, and where what stands in it. */
struct JsonText
{
    nlohmann::json root;
    std::string name; ///< stands for the file in messages

    /** Lines of keys, from 1, by place such as model.moe.topK; elements of arrays have none. */
    std::map<std::string, uint64_t> lines;

    /**
     * \param place of a key; what follows a blank or a bracket does not count
     * \return the line of the key or, if it is not there, of the object that it belongs in; 0 for
     * the empty place, and for what SetJsonText has set
     */
    uint64_t LineOf(const std::string& place) const;
};

/**
 * \ingroup input
 *
 * Parses a JSON text; a key given twice in an object is an error.
 * \param in the text
 * \param name stands for the file in messages
 * \param max bytes that it may have
 * \throws InputError with the line where the text is not JSON
 */
JsonText ReadJsonText(std::istream& in, const std::string& name, uint64_t max);

/**
 * \ingroup input
 *
 * Sets a key of a description, in place of what the file says or beside it.
 * \param text whose root is an object
 * \param place such as model.moe.topK; objects on the way that are missing are added
 * \param value a number, true, false, or else a string
 * \throws InputError if something on the way is no object
 */
void SetJsonText(JsonText& text, const std::string& place, const std::string& value);

} // namespace ns3

#endif // INPUT_JSON_TEXT_H
