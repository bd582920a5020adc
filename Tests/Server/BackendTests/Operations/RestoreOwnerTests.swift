import BackendTestKit
import FileAccess
import Foundation
import SQLDatabase
import SQLiteDatabase
import SubGuardDomain
import TestKit
import Testing

@testable import Backend

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

    private func restore(_ backup: String, to storePath: String) throws -> String? {
        let now = fixture.now
        return try Restore(
            storePath: storePath, logos: LogoFolder(path: FilePath.split(storePath).folder + "/logos"), now: { now },
            random: { 29 }
        ).run(backup, by: .editor).kept
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
