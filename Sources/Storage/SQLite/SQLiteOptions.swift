/// How an SQLite file is opened. The defaults suit a server that must not lose what it has answered for and stays small.
package struct SQLiteOptions: Sendable {
    /// What a commit waits for.
    package enum Synchronous: String, Sendable {
        /// Each commit is on disk before it returns: it survives a power cut.
        case full = "FULL"
        /// A commit survives the end of the process, but a power cut may take the last ones away.
        /// For stores that can be filled again.
        case normal = "NORMAL"
    }

    /// How many threads may read at the same time; the next one waits. Default 4; values below 1 count as 1.
    package var readerCount = 4

    /// How long a call waits for another process to let go of a lock before it throws ``SQLError/Code/busy``.
    /// Default 5 s, in steps of a millisecond.
    package var busyTimeout = Duration.seconds(5)

    /// Default ``Synchronous/full``.
    package var synchronous = Synchronous.full

    /// The page cache of the one writing connection. Default 32 MiB: the busy indexes of a million users; taken as it is
    /// needed.
    package var writerCacheKibibytes = 32_768

    /// The page cache of each reading connection. Default 1 MiB; the kernel's own cache stands behind it.
    package var readerCacheKibibytes = 1024

    /// A checkpoint cuts the write-ahead log back to this size. Default 64 MiB.
    package var journalSizeLimitBytes: Int64 = 64 << 20

    /// How much of the file is read through a memory map. Default 0: mapped pages count as resident memory, and a bad
    /// disk block under a map kills the process where a plain read would have answered with an error.
    package var memoryMapBytes: Int64 = 0

    /// Whether the file may be a symbolic link. Default false: then the file, its log, its index and its journal must be
    /// regular files with one name, or missing, and opening throws `FileFailure` for anything else.
    package var followsLinks = false

    package init() {}
}
