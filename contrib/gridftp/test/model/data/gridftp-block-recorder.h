/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_BLOCK_RECORDER_H
#define GRIDFTP_BLOCK_RECORDER_H

#include "gridftp-block-header.h"
#include "gridftp-block-reader.h"

#include "ns3/packet.h"

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
AddHeader(Bytes& stream, const BlockHeader& header)
{
    const BlockHeader::Bytes image = header.ToBytes();
    stream.insert(stream.end(), image.begin(), image.end());
}

/// Append payload that would be misread if it were taken for a header.
inline void
AddPayload(Bytes& stream, uint64_t count)
{
    stream.insert(stream.end(), count, 0xff);
}

/// A packet of the bytes from begin to end of a stream.
inline Ptr<const Packet>
Cut(const Bytes& stream, std::size_t begin, std::size_t end)
{
    return Create<Packet>(stream.data() + begin, static_cast<uint32_t>(end - begin));
}

/// Writes down what is reported, e.g. "data 0+30; eof 1; eod;". Pieces that adjoin are joined.
class Recorder : public BlockReader::Sink
{
  public:
    void OnData(uint64_t offset, uint64_t length) override
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

    void OnEndOfFile(uint64_t eodCount) override
    {
        Flush();
        m_text += "eof " + std::to_string(eodCount) + "; ";
    }

    void OnEndOfData() override
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

    uint32_t calls{0};            //!< of OnData
    uint32_t emptyPieces{0};      //!< of OnData, with length 0
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
