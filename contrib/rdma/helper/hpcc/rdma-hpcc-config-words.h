/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_HPCC_CONFIG_WORDS_H
#define RDMA_HPCC_CONFIG_WORDS_H

#include "ns3/input-values.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <istream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief The words of a config.txt: a key, then its values, which end where the next key begins.
 *
 * Values are checked where they are read; every failure throws InputError with file, line, key,
 * value and what would be right.
 */
class RdmaHpccConfigWords : private InputValues
{
  public:
    /**
     * \param in the text, read to its end
     * \param name stands for the file in messages
     * \param isKey whether a word is a known key, so that a missing value is noticed
     */
    RdmaHpccConfigWords(std::istream& in,
                        const std::string& name,
                        std::function<bool(const std::string&)> isKey);

    /** Moves to the next word, which is taken for a key. \return false at the end of the text */
    bool NextKey();

    /** \return the key whose values are being read */
    const std::string& Key() const;

    /** \return the line of the key, from 1 */
    uint64_t KeyLine() const;

    /** \return the next value as it is written */
    const std::string& Word();

    /** \return the next value, 0 or 1 */
    bool Flag();

    /** \return the next value, a whole number in [min, max]; \p what names it in messages if not
     * the key itself */
    uint64_t Whole(uint64_t min, uint64_t max, const std::string& what = "");

    /** \return the next value, a number in [min, max] */
    double Number(double min, double max, const std::string& what = "");

    /** \return the next value, a rate with its unit, in bit/s; \p zero says whether 0 is allowed */
    uint64_t Rate(bool zero);

    /** Throws InputError at the word last read. \param message begins with key and value
     * already */
    [[noreturn]] void Fail(const std::string& message) const;

  private:
    struct Item
    {
        std::string text;
        uint64_t line;
    };

    // InputValues
    [[noreturn]] void FailValue(std::string_view what,
                                const std::string& text,
                                const std::string& expected) const override;

    std::string m_name;
    std::function<bool(const std::string&)> m_isKey;
    std::vector<Item> m_items;
    size_t m_key{0};  //!< index of the key
    size_t m_next{0}; //!< index of the next word
};

} // namespace ns3

#endif // RDMA_HPCC_CONFIG_WORDS_H
