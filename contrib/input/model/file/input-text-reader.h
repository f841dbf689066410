/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INPUT_TEXT_READER_H
#define INPUT_TEXT_READER_H

#include "ns3/input-line-values.h"

#include <cstdint>
#include <istream>
#include <string>

namespace ns3
{

/**
 * \ingroup input
 * \brief Words separated by white space, each with its line: how HPCC's files are read.
 *
 * Line ends count as white space, and CR LF is accepted. Every failure throws InputError with
 * file and line.
 */
class TextReader : public LineValues
{
  public:
    /**
     * \param in the text; must outlive the reader
     * \param name stands for the file in messages
     */
    TextReader(std::istream& in, const std::string& name);

    /**
     * \param word set to the next word
     * \return false at the end of the text
     */
    bool Next(std::string& word);

    /** \return the next word; \p what says in the message what was expected if the text ends here
     */
    std::string Word(const std::string& what);

    /** \return the next word as a whole number in [min, max], else an error that names \p what
     * and the range */
    uint64_t Integer(const std::string& what, uint64_t min, uint64_t max);

    /** \return the next word as a finite number in [min, max] */
    double Number(const std::string& what, double min, double max);

    /** Discards the rest of the line of the last word read (HPCC's readers allow remarks at some
     * places). */
    void SkipLine();

    /** \return whether another word follows on the line of the last word read */
    bool MoreOnLine();

    /** \return the line of the next word if it begins with a digit, else 0; reads nothing */
    uint64_t LineOfNumber();

  private:
    /** \return the next character, not consumed; EOF at the end. \throws InputError if it
     * cannot be read */
    int Peek();

    /** Consumes the character that Peek() returned. */
    void Skip();

    std::istream& m_in;
    uint64_t m_nextLine{1}; //!< line that the next character is on
};

} // namespace ns3

#endif // INPUT_TEXT_READER_H
