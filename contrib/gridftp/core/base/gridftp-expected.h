/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_EXPECTED_H
#define GRIDFTP_EXPECTED_H

#include <string>
#include <utility>
#include <variant>

/**
 * @file
 * @ingroup gridftp
 * Errors as values: core/ is also compiled without exceptions.
 */

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * What went wrong: one line for a person, naming the thing, its value and what is allowed.
 */
struct Error
{
    std::string message; //!< the line, without a newline
};

/**
 * @ingroup gridftp
 * A value, or the reason why there is none (std::expected is C++23).
 *
 * @tparam T the type of the value
 * @tparam E the type of the reason
 */
template <typename T, typename E = Error>
class Expected
{
  public:
    /**
     * Holds a value.
     * @param value the value
     */
    Expected(T value)
        : m_content(std::in_place_index<0>, std::move(value))
    {
    }

    /**
     * Holds an error.
     * @param error the error
     */
    Expected(E error)
        : m_content(std::in_place_index<1>, std::move(error))
    {
    }

    /** @return whether there is a value */
    explicit operator bool() const
    {
        return m_content.index() == 0;
    }

    /** @return the value; only to be called when there is one */
    T& operator*()
    {
        return *std::get_if<0>(&m_content);
    }

    /** @return the value; only to be called when there is one */
    const T& operator*() const
    {
        return *std::get_if<0>(&m_content);
    }

    /** @return the value; only to be called when there is one */
    T* operator->()
    {
        return std::get_if<0>(&m_content);
    }

    /** @return the value; only to be called when there is one */
    const T* operator->() const
    {
        return std::get_if<0>(&m_content);
    }

    /** @return the reason; only to be called when there is no value */
    const E& GetError() const
    {
        return *std::get_if<1>(&m_content);
    }

  private:
    std::variant<T, E> m_content; //!< value or error
};

/**
 * @ingroup gridftp
 * The outcome of a step that gives nothing back.
 */
using Done = Expected<std::monostate>;

} // namespace ns3::gridftp

#endif // GRIDFTP_EXPECTED_H
