/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_OPTIONS_H
#define WORMHOLE_CLI_OPTIONS_H

#include "commands.h"

#include "ns3/nstime.h"

#include <boost/program_options.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace wormhole
{

/**
 * Parses the words after a subcommand. Options are named in full, each at most once unless it says
 * otherwise.
 * \param command such as "run", for messages
 * \param words to parse
 * \param description of the options
 * \param argument name of the one word that stands without an option, stored under "argument"; empty
 * if there is none
 * \param arguments most words that stand without an option, if there is an \p argument
 * \return the values
 * \throws InputError for anything that does not fit
 */
boost::program_options::variables_map ParseOptions(
    const std::string& command,
    const Words& words,
    const boost::program_options::options_description& description,
    const std::string& argument = "",
    size_t arguments = 1);

/**
 * Takes options out of words that others are to parse, too.
 * \param words to parse
 * \param description of the options to take, each named in full
 * \param hint ends messages: "(see wormhole compare --help)"
 * \param rest set to the other words, in their order
 * \return the values
 * \throws InputError if a value is missing, or wrong
 */
boost::program_options::variables_map TakeOptions(
    const Words& words,
    const boost::program_options::options_description& description,
    const std::string& hint,
    Words& rest);

/** \return whether a word is one of these options, with its value or before it */
bool IsOptionWord(const std::string& word, const Words& names);

/** \return the words without these options, each of which has a value */
Words WithoutOptions(const Words& words, const Words& names);

/** \throws InputError if an option took the next one for its value */
void RejectSwallowed(const std::vector<boost::program_options::option>& options);

/** \throws InputError if an attribute is set twice by the repeatable option, as ATTRIBUTE=VALUE
 */
void RejectTwice(const boost::program_options::variables_map& values, const std::string& name);

/** \return the option's value; empty if it is not given. \throws InputError if it is given
 * empty */
std::string TextOption(const boost::program_options::variables_map& values,
                       const std::string& name);

/** \return the option's value, a whole number in [least, most]. \throws InputError otherwise */
uint64_t IntegerOption(const boost::program_options::variables_map& values,
                       const std::string& name,
                       uint64_t least,
                       uint64_t most);

/**
 * Reads a time as all options have it: with a unit, or a number that counts seconds.
 * \return false, with \p time as it was, if the text is none, is negative, or does not fit
 */
bool ParseTimeText(const std::string& text, ns3::Time& time);

/** \return the option's value, a time from 0 to \p most. \throws InputError otherwise */
ns3::Time TimeOption(const boost::program_options::variables_map& values,
                     const std::string& name,
                     const ns3::Time& most);

/** \return the option's value, one of \p choices; empty if it is not given. \throws InputError
 * otherwise */
std::string Choice(const boost::program_options::variables_map& values,
                   const std::string& name,
                   const Words& choices);

/** Writes a text to standard output. \throws OutputError if that is impossible */
void PrintText(const std::string& text);

} // namespace wormhole

#endif // WORMHOLE_CLI_OPTIONS_H
