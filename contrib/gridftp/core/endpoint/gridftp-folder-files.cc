/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-folder-files.h"

#include "gridftp-descriptor-checksum.h"

#include <utility>

namespace ns3::gridftp
{

TextResult<uint64_t>
FolderFiles::FindSize(const std::string& path)
{
    return m_folder.FindSize(path);
}

TextResult<uint64_t>
FolderFiles::OpenSource(const std::string& path)
{
    DropFiles();
    auto opened = m_folder.OpenForSending(path);
    if (!opened)
    {
        return opened.GetError();
    }
    m_source = std::move(*opened);
    m_sender.SetSource(m_source.file.Get());
    return m_source.size;
}

std::optional<TextError>
FolderFiles::OpenSink(const Upload& upload)
{
    DropFiles();
    auto opened = upload.isPart
                      ? m_folder.OpenPart(upload.path, upload.offset, upload.bytes)
                      : m_folder.OpenForStoring(upload.path, upload.bytes, upload.continues);
    if (!opened)
    {
        return opened.GetError();
    }
    m_stored = std::move(*opened);
    m_receiver->SetFile(m_stored.get());
    return std::nullopt;
}

std::optional<TextError>
FolderFiles::CompleteSink(uint64_t end)
{
    if (m_stored)
    {
        m_stored->SetSize(end);
    }
    auto error = m_stored ? CommitUpload(*m_stored) : std::nullopt;
    DropFiles();
    return error;
}

TextResult<std::unique_ptr<FileChecksum>>
FolderFiles::MakeChecksum(const std::string& path, uint64_t offset, std::optional<uint64_t> length)
{
    auto opened = m_folder.OpenForSending(path);
    if (!opened)
    {
        return opened.GetError();
    }
    return std::unique_ptr<FileChecksum>(
        std::make_unique<DescriptorChecksum>(std::move(opened->file),
                                             path,
                                             offset,
                                             ClipLength(offset, length, opened->size)));
}

void
FolderFiles::DropFiles()
{
    m_sender.SetSource(-1);
    m_source = {};
    if (m_receiver)
    {
        m_receiver->SetFile(nullptr);
    }
    m_stored.reset();
}

} // namespace ns3::gridftp
