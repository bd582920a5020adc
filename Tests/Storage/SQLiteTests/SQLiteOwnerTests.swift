import FileAccess
import Foundation
import SQLDatabase
import SQLiteDatabase
import TestKit
import Testing

/// In a folder in which others may make files, theirs are not used as a database: they could read what is written
/// there.
@Suite(.enabled(if: geteuid() == 0, "only root can make files of another user"))
struct SQLiteOwnerTests {
    private static let neighbour: uid_t = 65_534
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try #require(chmod(folder.path, 0o755) == 0)
        // Of a group, and not sticky.
        try #require(mkdir(folder["group"], 0o777) == 0 && chown(folder["group"], 0, Self.neighbour) == 0)
        try #require(chmod(folder["group"], 0o2770) == 0)
    }

    private func giveAway(_ name: String, mode: mode_t = 0o666) throws {
        try #require(lchown(folder[name], Self.neighbour, Self.neighbour) == 0)
        var status = stat()
        if lstat(folder[name], &status) == 0, status.st_mode & S_IFMT == S_IFREG {
            try #require(chmod(folder[name], mode) == 0)
        }
    }

    /// Makes a database that was closed.
    private func make(_ name: String) throws {
        let store = try SQLiteStore(path: folder[name])
        try store.write { try $0.execute("CREATE TABLE schema_migrations (a INTEGER)") }
        try store.close()
    }

    private static func options(followsLinks: Bool = true) -> SQLiteOptions {
        var options = SQLiteOptions()
        options.followsLinks = followsLinks
        return options
    }

    private func refusal(_ name: String, followsLinks: Bool = true) -> FileFailure? {
        do {
            try SQLiteStore(path: folder[name], options: Self.options(followsLinks: followsLinks)).close()
            return nil
        } catch {
            #expect(error is FileFailure, "\(error)")
            return error as? FileFailure
        }
    }

    @Test func aFileOfANeighbourIsRefusedEvenIfItIsEmpty() throws {
        try folder.write([], to: "group/empty")
        try giveAway("group/empty")
        try make("group/full")
        try giveAway("group/full")
        for name in ["group/full", "group/empty"] {
            let reason = try #require(refusal(name), "\(name)")
            #expect(reason.description.hasPrefix("\(folder[name]) belongs to another user (nobody)"), "\(reason)")
            #expect(try folder.bytes(of: "group/empty").isEmpty)
            // A service trusts the group to which root gave its folder, and not everybody.
            #expect(chmod(folder["group"], 0o2777) == 0)
            #expect(refusal(name, followsLinks: false) == reason)
            #expect(chmod(folder["group"], 0o2770) == 0)
            #expect(refusal(name, followsLinks: false) == nil)
        }
        // Nothing is written into what is only copied, such as the database of another user that is merged.
        let copy = try SQLiteStore.temporary(copyOf: folder["group/full"], options: Self.options())
        #expect(try copy.read { try $0.query("SELECT a FROM schema_migrations") { try $0.integer(0) } } == [])
        try copy.close()
        // A folder of root, in which no other user can make files: root or its owner has put it there.
        try make("own")
        try giveAway("own")
        #expect(refusal("own") == nil)
    }

    @Test func aLinkOfANeighbourAndALinkToAFileOfANeighbourAreRefused() throws {
        try #require(mkdir(folder["theirs"], 0o777) == 0 && chmod(folder["theirs"], 0o777) == 0)
        try make("theirs/trap")
        try giveAway("theirs/trap")
        try make("mine")
        for (link, target, owner) in [
            ("group/a", "theirs/trap", Self.neighbour), ("group/b", "mine", Self.neighbour),
            ("group/c", "theirs/nothing", Self.neighbour), ("group/d", "theirs/trap", 0),
        ] {
            try #require(symlink(folder[target], folder[link]) == 0)
            try #require(lchown(folder[link], owner, owner) == 0)
            #expect(refusal(link) != nil, "\(link)")
        }
        try #require(symlink(folder["mine"], folder["group/e"]) == 0)
        #expect(refusal("group/e") == nil)
        #expect(!FileManager.default.fileExists(atPath: folder["theirs/nothing"]))
    }

    @Test(arguments: ["-wal", "-shm", "-journal"])
    func whatANeighbourPutBesideTheFileIsRefused(_ suffix: String) throws {
        try make("group/store")
        #expect(refusal("group/store") == nil)
        try folder.write([], to: "group/store" + suffix)
        try giveAway("group/store" + suffix)
        #expect(refusal("group/store")?.path == folder["group/store"] + suffix)
        #expect(unlink(folder["group/store"] + suffix) == 0)
        // Where SQLite follows links.
        try folder.write([], to: "trap")
        try #require(symlink(folder["trap"], folder["group/store"] + suffix) == 0)
        try giveAway("group/store" + suffix)
        #expect(refusal("group/store")?.path == folder["group/store"] + suffix)
    }

    /// As the operators in the group of a service use it.
    @Test func aServiceOwnsTheFilesOfItsFolder() throws {
        try make("group/store")
        try giveAway("group/store", mode: 0o660)
        try #require(chown(folder["group"], Self.neighbour, Self.neighbour) == 0)
        #expect(refusal("group/store", followsLinks: false) == nil)
        #expect(refusal("group/store") != nil, "a device's folder can belong to a neighbour")
    }

    /// A database whose log was not merged, behind one's own link on a disk that takes no writes.
    @Test func aCopyThroughALinkHasTheLog() throws {
        let store = try SQLiteStore(path: folder["store"])
        try store.write { try $0.execute("CREATE TABLE t (a INTEGER)") }
        try #require(symlink(folder["store"], folder["link"]) == 0)
        let copy = try SQLiteStore.temporary(copyOf: folder["link"], options: Self.options())
        #expect(try copy.read { try $0.query("SELECT a FROM t") { try $0.integer(0) } } == [])
        try copy.close()
        try store.close()
    }
}
