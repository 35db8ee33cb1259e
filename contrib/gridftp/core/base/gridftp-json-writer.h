/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_JSON_WRITER_H
#define GRIDFTP_JSON_WRITER_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * Writes one JSON document on one line, in the order of the calls.
 *
 * Numbers are written by std::to_chars, so that equal values give equal text on every compiler.
 * Within an object every value is preceded by Key(). Nesting is the caller's to balance.
 */
class JsonWriter
{
  public:
    /** Opens an object. @return this writer */
    JsonWriter& BeginObject();
    /** Closes the object. @return this writer */
    JsonWriter& EndObject();
    /** Opens an array. @return this writer */
    JsonWriter& BeginArray();
    /** Closes the array. @return this writer */
    JsonWriter& EndArray();
    /** Names the next value. @param name the key @return this writer */
    JsonWriter& Key(std::string_view name);
    /** Writes a text. @param text UTF-8 @return this writer */
    JsonWriter& String(std::string_view text);
    /** Writes an integer. @param value the integer @return this writer */
    JsonWriter& Integer(int64_t value);
    /** Writes a number; what is not finite becomes null. @param value the number @return this
     * writer */
    JsonWriter& Number(double value);
    /** Writes true or false. @param value which @return this writer */
    JsonWriter& Bool(bool value);
    /** Writes null. @return this writer */
    JsonWriter& Null();
    /** Writes text that is JSON already. @param json a complete value @return this writer */
    JsonWriter& Raw(std::string_view json);

    /** @return the document so far */
    const std::string& GetText() const;

  private:
    /** Puts the comma that the next value needs. */
    void Separate();

    std::string m_text;               //!< the document so far
    std::vector<bool> m_needsComma{}; //!< per open container: has it a member already
    bool m_afterKey{false};           //!< the next value belongs to a key
};

} // namespace ns3::gridftp

#endif // GRIDFTP_JSON_WRITER_H
