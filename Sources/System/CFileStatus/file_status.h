#pragma once
// The status of a file.
//
// `struct stat` is impractical in Swift: several modules export it (Glibc, CoreFoundation, Dispatch), and the one to
// import for its members depends on the build.
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#else
#include <errno.h>
#endif

typedef struct {
    // Device and number together identify a file.
    uint64_t device;
    uint64_t number;
    int64_t byte_count;
    int64_t modified_seconds;
    int64_t modified_nanoseconds;
    uint32_t owner;
    uint32_t group;
    // The lower twelve bits of the mode.
    uint32_t permissions;
    // The number of hard links.
    uint64_t link_count;
    bool is_regular;
    bool is_folder;
    bool is_symbolic_link;
} file_status;

static inline bool file_status_copy(const struct stat *from, file_status *to) {
#ifdef __APPLE__
    const struct timespec modified = from->st_mtimespec;
#else
    const struct timespec modified = from->st_mtim;
#endif
    *to = (file_status){
        .device = (uint64_t)from->st_dev,
        .number = (uint64_t)from->st_ino,
        .byte_count = (int64_t)from->st_size,
        .modified_seconds = (int64_t)modified.tv_sec,
        .modified_nanoseconds = (int64_t)modified.tv_nsec,
        .owner = from->st_uid,
        .group = from->st_gid,
        .permissions = from->st_mode & 07777,
        .link_count = (uint64_t)from->st_nlink,
        .is_folder = S_ISDIR(from->st_mode),
        .is_regular = S_ISREG(from->st_mode),
        .is_symbolic_link = S_ISLNK(from->st_mode),
    };
    return true;
}

// Each returns false and sets errno on failure. The first follows symbolic links, the second does not.
static inline bool file_status_at(const char *path, file_status *status) {
    struct stat found;
    return stat(path, &found) == 0 && file_status_copy(&found, status);
}

static inline bool file_status_of_link(const char *path, file_status *status) {
    struct stat found;
    return lstat(path, &found) == 0 && file_status_copy(&found, status);
}

static inline bool file_status_of_descriptor(int descriptor, file_status *status) {
    struct stat found;
    return fstat(descriptor, &found) == 0 && file_status_copy(&found, status);
}

// Reads a name in an open folder without following symbolic links.
static inline bool file_status_in(int folder, const char *name, file_status *status) {
    struct stat found;
    return fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW) == 0 && file_status_copy(&found, status);
}

// Gives two names in an open folder each other's files at once. Returns -1 and sets errno on failure: not every file
// system can do that.
static inline int file_exchange(int folder, const char *name, const char *other) {
#ifdef __linux__
    // RENAME_EXCHANGE, which glibc declares only with _GNU_SOURCE.
    return (int)syscall(SYS_renameat2, folder, name, folder, other, 2);
#else
    errno = ENOTSUP;
    return -1;
#endif
}
