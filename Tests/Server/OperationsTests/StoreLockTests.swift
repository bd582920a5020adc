import FileAccess
import Foundation
import TestKit
import Testing

@testable import Operations

/// What root may find if the service replaces the lock file.
struct StoreLockTests {
    private let folder: TemporaryFolder
    private let storePath: String
    private var lockPath: String { storePath + ".lock" }

    init() throws {
        folder = try TemporaryFolder()
        storePath = folder.file("data/l'été “29”.sqlite")
        _ = try OpenFolder.making(folder.file("data"))
        try folder.write("root:*:29", to: "secret")
        try #require(chmod(folder.file("secret"), 0o600) == 0)
        if geteuid() == 0 { try #require(chown(folder.file("data"), 10_029, 10_029) == 0) }
    }

    private func refusal() -> FileFailure.Reason? {
        do {
            for alone in [true, false] { _ = try StoreLock(store: storePath, alone: alone) }
            return nil
        } catch {
            return (error as? FileFailure)?.reason
        }
    }

    private func expectUntouched() throws {
        let owner = try #require(FileOwner(of: folder.file("secret")))
        #expect(owner.user == geteuid() && owner.mode == 0o600)
        #expect(try String(contentsOfFile: folder.file("secret"), encoding: .utf8) == "root:*:29")
    }

    @Test func refusesALink() throws {
        try #require(symlink("../secret", lockPath) == 0)
        #expect(refusal() == .symbolicLink)
        try expectUntouched()
        unlink(lockPath)
        try #require(symlink("nowhere", lockPath) == 0)
        #expect(refusal() == .symbolicLink)
        #expect(!FileManager.default.fileExists(atPath: folder.file("data/nowhere")))
    }

    @Test func refusesASecondName() throws {
        try #require(link(folder.file("secret"), lockPath) == 0)
        #expect(refusal() == .hardLinks(2))
        try expectUntouched()
    }

    @Test func refusesWhatIsNoFile() throws {
        try #require(mkfifo(lockPath, 0o666) == 0)
        #expect(refusal() == .notAFile)
        unlink(lockPath)
        try #require(mkdir(lockPath, 0o777) == 0)
        #expect(refusal() == .notAFile)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can make devices")) func refusesADevice() throws {
        try #require(mknod(lockPath, S_IFCHR | 0o666, 0x103) == 0)
        #expect(refusal() == .notAFile)
    }

    /// Processes that replace the file continuously cause an error or a short delay, nothing worse.
    @Test func endsWhileOthersReplaceTheFile() throws {
        let (lockPath, secret) = (lockPath, folder.file("secret"))
        let thread = Thread {
            while !Thread.current.isCancelled {
                unlink(lockPath)
                symlink(secret, lockPath)
                unlink(lockPath)
                close(open(lockPath, O_CREAT | O_RDWR, 0o666))
            }
        }
        thread.start()
        defer { thread.cancel() }
        for _ in 0..<200 { _ = try? StoreLock(store: storePath, alone: true) }
        try expectUntouched()
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away")) func belongsToTheService() throws {
        let lock = try #require(try StoreLock(store: storePath, alone: true))
        #expect(FileOwner(of: lockPath)?.user == 10_029)
        withExtendedLifetime(lock) {}
        // A file that is not empty may contain data.
        try Data("29".utf8).write(to: URL(fileURLWithPath: lockPath))
        _ = try StoreLock(store: storePath, alone: true).map { lock in
            #expect(FileOwner(of: lockPath)?.user == 0)
            withExtendedLifetime(lock) {}
        }
    }
}
