/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_ERROR_H
#define WORMHOLE_ERROR_H

#include <functional>
#include <stdexcept>
#include <string>

namespace wormhole
{

/**
 * \brief A call that makes no sense: an id that is unknown, or already in use; an option out of
 * range.
 *
 * Thrown before anything is changed. The text names the value and what to do.
 */
class UsageError : public std::invalid_argument
{
  public:
    using std::invalid_argument::invalid_argument;
};

/** Told, in one sentence without a line end, of what costs speed but not correctness. It is called
 * within members of the object that it was given to: it must not call that object, nor throw. */
using WarningHandler = std::function<void(const std::string& warning)>;

} // namespace wormhole

#endif // WORMHOLE_ERROR_H
