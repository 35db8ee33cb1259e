/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BLOCK_RECORDER_H
#define GRIDFTP_BLOCK_RECORDER_H

#include "gridftp-arrived-bytes.h"
#include "gridftp-block-reader.h"
#include "gridftp-mode-e-header.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::gridftp
{

/**
 * @file
 * @ingroup gridftp
 * What the tests of MODE E blocks have in common.
 */

using Bytes = std::vector<uint8_t>;

/// Append the wire image of a header.
inline void
AddHeader(Bytes& stream, const ModeEHeader& header)
{
    const ModeEHeader::Bytes image = header.ToBytes();
    stream.insert(stream.end(), image.begin(), image.end());
}

/// Append payload that would be misread if it were taken for a header.
inline void
AddPayload(Bytes& stream, uint64_t count)
{
    stream.insert(stream.end(), count, 0xff);
}

/// The bytes of a stream from begin to end.
inline ArrivedContent
Cut(const Bytes& stream, std::size_t begin, std::size_t end)
{
    return ArrivedContent({stream.data() + begin, end - begin});
}

/// Writes down what is reported, e.g. "data 0+30; eof 1; eod;". Pieces that adjoin are joined.
class Recorder : public BlockReader::Sink
{
  public:
    void HandleData(uint64_t offset, uint64_t length, uint64_t /* position */) override
    {
        ++calls;
        emptyPieces += length == 0;
        if (m_length > 0 && m_begin + m_length == offset)
        {
            m_length += length;
            return;
        }
        Flush();
        m_begin = offset;
        m_length = length;
    }

    void HandleEndOfFile(uint64_t eodCount) override
    {
        Flush();
        m_text += "eof " + std::to_string(eodCount) + "; ";
    }

    void HandleEndOfData() override
    {
        Flush();
        m_text += "eod; ";
        if (reader)
        {
            reader->NextTransfer();
        }
    }

    /// @return all that was reported
    std::string Text()
    {
        Flush();
        return m_text;
    }

    uint32_t calls{0};            //!< of HandleData
    uint32_t emptyPieces{0};      //!< of HandleData, with length 0
    BlockReader* reader{nullptr}; //!< told to expect a further transfer at once, if any

  private:
    /// Write down the data held back for joining.
    void Flush()
    {
        if (m_length > 0)
        {
            m_text += "data " + std::to_string(m_begin) + "+" + std::to_string(m_length) + "; ";
            m_length = 0;
        }
    }

    std::string m_text;   //!< what was reported
    uint64_t m_begin{0};  //!< data held back: the first byte
    uint64_t m_length{0}; //!< data held back: bytes
};

} // namespace ns3::gridftp

#endif // GRIDFTP_BLOCK_RECORDER_H
