import BackendTestKit
import FileAccess
import Foundation
import SQLDatabase
import SQLiteDatabase
import SubGuardDomain
import Synchronization
import TestKit
import Testing

@testable import Catalogue
@testable import Operations

extension FileOwner {
    fileprivate static func device(of path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.systemNumber] as? Int
    }
}

/// Files restored by root must still belong to the service.
struct RestoreOwnerTests {
    private let fixture: BackendFixture
    private let folder: TemporaryFolder
    private let png = [UInt8]("\u{89}PNG 29".utf8)
    private let logoName = String(repeating: "0f", count: 32) + ".png"
    /// The user of the container image if the tests may change owners; else the current user.
    private let user: uid_t = geteuid() == 0 ? 10001 : geteuid()

    init() throws {
        folder = try TemporaryFolder()
        fixture = try BackendFixture(path: folder.file("made/store.sqlite"))
    }

    private func backup() throws -> String {
        let logos = LogoFolder(path: folder.file("old/logos"))
        _ = try OpenFolder.making(logos.path)
        try Data(png).write(to: URL(fileURLWithPath: logos.path + "/" + logoName))
        return try BackupWriter(store: fixture.file, logos: logos, program: "test")
            .write(to: BackupFolder(path: folder.file("backups")), at: fixture.now).path
    }

    private func restore(_ backup: String, to storePath: String, logos: String? = nil) throws -> String? {
        let now = fixture.now
        return try Restore(
            storePath: storePath, logos: LogoFolder(path: logos ?? FilePath.split(storePath).folder + "/logos"),
            now: { now }, random: { 29 }
        ).run(backup, by: .editor).kept
    }

    /// A folder on another file system than that of the tests; nil if the machine has none.
    private static let volume =
        FileOwner.device(of: "/dev/shm") == FileOwner.device(of: NSTemporaryDirectory())
        ? nil : FileOwner.device(of: "/dev/shm").map { _ in "/dev/shm" }

    @Test(.enabled(if: volume != nil, "This machine has one file system only."))
    func restoresLogosIntoAnotherFileSystem() throws {
        let backup = try backup()
        let logos = try #require(Self.volume) + "/subguard-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: logos) }
        _ = try OpenFolder.making(logos)
        let storePath = folder.file("data/subguard.sqlite")
        _ = try restore(backup, to: storePath, logos: logos)
        #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: logos + "/" + logoName))) == png)
        #expect(try FileManager.default.contentsOfDirectory(atPath: logos) == [logoName])
        try SQLiteStore(path: storePath).close()
    }

    @Test func theDrillTriesTheFoldersOfTheRestore() throws {
        _ = try backup()
        let logos = folder.file("data/logos")
        func drill() throws {
            _ = try RestoreDrill(
                folder: BackupFolder(path: folder.file("backups")), targets: [folder.file("data"), logos],
                random: { 29 }
            ).run(at: fixture.now)
        }
        // Neither folder exists yet: the restore creates them.
        try drill()
        _ = try OpenFolder.making(logos)
        try drill()
        #expect(try FileManager.default.contentsOfDirectory(atPath: logos).isEmpty)
        try FileManager.default.removeItem(atPath: logos)
        try folder.write("no folder", to: "data/logos")
        let error = #expect(throws: FileFailure.self) { try drill() }
        #expect(error?.path == logos)
    }

    private func give(_ path: String, mode: mode_t) throws {
        try #require(chown(path, user, getegid()) == 0)
        try #require(chmod(path, mode) == 0)
    }

    private func expect(_ path: String, mode: UInt32, sourceLocation: SourceLocation = #_sourceLocation) {
        let owner = FileOwner(of: path)
        #expect(owner?.user == user, "\(path)", sourceLocation: sourceLocation)
        #expect(owner?.mode == mode, "\(path)", sourceLocation: sourceLocation)
    }

    @Test func keepsOwnerAndModeOfWhatItReplaces() throws {
        let backup = try backup()
        let storePath = folder.file("data/subguard.sqlite")
        _ = try OpenFolder.making(folder.file("data/logos"))
        try folder.write("damaged, l'été “29” 🎬", to: "data/subguard.sqlite")
        try give(folder.file("data"), mode: 0o750)
        try give(folder.file("data/logos"), mode: 0o711)
        try give(storePath, mode: 0o640)
        let kept = try #require(try restore(backup, to: storePath))
        expect(storePath, mode: 0o640)
        expect(kept, mode: 0o640)
        expect(folder.file("data"), mode: 0o750)
        expect(folder.file("data/logos"), mode: 0o711)
        expect(folder.file("data/logos/" + logoName), mode: 0o644)
        #expect(!FileManager.default.fileExists(atPath: storePath + ".lock"))
        #expect(!FileManager.default.fileExists(atPath: storePath + "-wal"))
        try SQLiteStore(path: storePath).close()
    }

    /// A server that starts without a database makes an empty one.
    @Test func atNoTimeIsThereNoDatabase() throws {
        let backup = try backup()
        let storePath = folder.file("data/subguard.sqlite")
        _ = try restore(backup, to: storePath)
        let isDone = Atomic(false)
        let watch = OwnThread {
            var misses = 0
            while !isDone.load(ordering: .relaxed) { misses += access(storePath, F_OK) == 0 ? 0 : 1 }
            return misses
        }
        for _ in 0..<3 { #expect(try restore(backup, to: storePath) != nil) }
        isDone.store(true, ordering: .relaxed)
        #expect(try watch.value() == 0)
    }

    @Test func whatAKilledRestoreLeftIsRemovedIfThereIsADatabase() throws {
        let backup = try backup()
        let storePath = folder.file("data/subguard.sqlite")
        let remains = storePath + ".restoring-01a1fcfd"
        _ = try OpenFolder.making(remains)
        #expect(try !Restore.removeRemains(of: storePath))
        #expect(FileManager.default.fileExists(atPath: remains))
        _ = try restore(backup, to: storePath)
        #expect(try Restore.removeRemains(of: storePath))
        #expect(!FileManager.default.fileExists(atPath: remains))
        _ = try OpenFolder.making(remains)
        _ = try restore(backup, to: storePath)
        #expect(!FileManager.default.fileExists(atPath: remains), "the next restore removes it too")
    }

    @Test func takesTheOwnerOfTheFolderWhereNothingWas() throws {
        let backup = try backup()
        _ = try OpenFolder.making(folder.file("data"))
        try give(folder.file("data"), mode: 0o750)
        let storePath = folder.file("data/new/subguard.sqlite")
        #expect(try restore(backup, to: storePath) == nil)
        expect(folder.file("data/new"), mode: 0o700)
        expect(storePath, mode: 0o600)
        expect(folder.file("data/new/logos"), mode: 0o700)
        expect(folder.file("data/new/logos/" + logoName), mode: 0o644)
        expect(folder.file("data"), mode: 0o750)
    }
}
