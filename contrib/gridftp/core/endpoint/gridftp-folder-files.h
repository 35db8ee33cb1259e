/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRIDFTP_FOLDER_FILES_H
#define GRIDFTP_FOLDER_FILES_H

#include "gridftp-block-receiver.h"
#include "gridftp-posix-host.h"
#include "gridftp-served-files.h"
#include "gridftp-served-folder.h"

#include <memory>
#include <optional>
#include <string>

namespace ns3::gridftp
{

/**
 * @ingroup gridftp
 * The files of one session of a real server: opens files of a ServedFolder, and connects them with
 * the data connections of the session.
 *
 * Contract: as ServedFiles. Folder and host outlive it; DropFiles() is called before the receiver
 * is destroyed.
 */
class FolderFiles final : public ServedFiles
{
  public:
    /** @param folder that the server offers @param sender host of the data connections on which the
     * session sends */
    FolderFiles(const ServedFolder& folder, PosixHost& sender)
        : m_folder(folder),
          m_sender(sender)
    {
    }

    /** @param receiver of the session, which writes the files; before the first upload */
    void SetReceiver(BlockReceiver& receiver)
    {
        m_receiver = &receiver;
    }

    // ServedFiles
    TextResult<uint64_t> FindSize(const std::string& path) override;
    TextResult<uint64_t> OpenSource(const std::string& path) override;
    std::optional<TextError> OpenSink(const Upload& upload) override;
    std::optional<TextError> CompleteSink(uint64_t end) override;
    TextResult<std::unique_ptr<FileChecksum>> MakeChecksum(const std::string& path,
                                                           uint64_t offset,
                                                           std::optional<uint64_t> length) override;
    void DropFiles() override;

  private:
    const ServedFolder& m_folder;         //!< that the server offers
    PosixHost& m_sender;                  //!< reads the file that is sent
    BlockReceiver* m_receiver{nullptr};   //!< writes the file that is stored
    SentFile m_source;                    //!< open, or none
    std::unique_ptr<StoredFile> m_stored; //!< open; null: none
};

} // namespace ns3::gridftp

#endif // GRIDFTP_FOLDER_FILES_H
