/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gridftp-folder-lookup.h"

#include "gridftp-control-text.h"

#include <cerrno>
#include <fcntl.h>
#include <string_view>
#include <sys/syscall.h>
#include <unistd.h>

#if __has_include(<linux/openat2.h>)
#include <linux/openat2.h>
#endif

namespace ns3::gridftp
{

namespace
{

constexpr int FLAGS = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

/// As OpenFolderBeneath(), FolderLookup::OPENAT2.
FileDescriptor
OpenByKernel([[maybe_unused]] int root, [[maybe_unused]] const std::string& path)
{
#if defined(SYS_openat2) && defined(RESOLVE_BENEATH)
    open_how how{};
    how.flags = FLAGS;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
    return FileDescriptor(
        static_cast<int>(syscall(SYS_openat2, root, path.c_str(), &how, sizeof(how))));
#else
    errno = ENOSYS; // the C library is older than the call
    return {};
#endif
}

/// As OpenFolderBeneath(), FolderLookup::COMPONENTS.
FileDescriptor
OpenComponents(int root, const std::string& path)
{
    FileDescriptor folder(openat(root, ".", FLAGS));
    for (std::string_view rest = path; !rest.empty() && folder.IsOpen();)
    {
        const std::string component(TakeUntil(rest, '/'));
        if (component == "..")
        {
            errno = EXDEV; // as openat2()
            return {};
        }
        folder = FileDescriptor(openat(folder.Get(), component.c_str(), FLAGS));
    }
    return folder;
}

} // namespace

FileDescriptor
OpenFolderBeneath(int root, const std::string& path, FolderLookup lookup)
{
    if (lookup != FolderLookup::COMPONENTS)
    {
        FileDescriptor folder = OpenByKernel(root, path);
        // Kernels before 5.6 report ENOSYS; a filter of system calls (seccomp) reports EPERM
        const bool isRefused = !folder.IsOpen() && (errno == ENOSYS || errno == EPERM);
        if (!isRefused || lookup == FolderLookup::OPENAT2)
        {
            return folder;
        }
    }
    return OpenComponents(root, path);
}

} // namespace ns3::gridftp
