import FileAccess
import Foundation
import TestKit
import Testing

/// Links in folders where others may make files lead to any file of the user, so theirs are not followed.
@Suite struct LinkTests {
    private let temporary: TemporaryFolder

    init() throws { temporary = try TemporaryFolder() }

    private func replaces(_ path: String) -> Bool {
        (try? DurableFile.write(Array("new".utf8), to: path, followsLinks: true)) != nil
    }

    @Test func followsOnesOwnLinks() throws {
        try temporary.write("old", to: "target")
        try #require(mkdir(temporary.file("shared"), 0o777) == 0)
        try #require(chmod(temporary.file("shared"), 0o1777) == 0)
        try #require(symlink(temporary.file("target"), temporary.file("shared/own")) == 0)
        #expect(replaces(temporary.file("shared/own")))
        #expect(try String(contentsOfFile: temporary.file("target"), encoding: .utf8) == "new")
    }

    /// Needs root to make a link of another user; as another user, the link would be one's own.
    @Test(.enabled(if: geteuid() == 0, "only root can make a link of another user"))
    func followsNoLinkOfANeighbour() throws {
        try temporary.write("important", to: "target")
        let folders: [(String, mode_t, owner: uid_t)] = [
            ("sticky", 0o1777, 0), ("open", 0o777, 0), ("group", 0o2775, 0), ("theirs-open", 0o1777, 65_534),
        ]
        for (folder, mode, owner) in folders {
            try #require(mkdir(temporary.file(folder), 0o777) == 0)
            try #require(chown(temporary.file(folder), owner, owner) == 0)
            try #require(chmod(temporary.file(folder), mode) == 0)
            let link = temporary.file("\(folder)/backup.json")
            try #require(symlink(temporary.file("target"), link) == 0)
            try #require(lchown(link, 65_534, 65_534) == 0)
            #expect(!replaces(link), "\(folder)")
        }
        #expect(try String(contentsOfFile: temporary.file("target"), encoding: .utf8) == "important")
        // A folder of the neighbour, in which no other user can make files: the link is as good as the folder.
        try #require(mkdir(temporary.file("theirs"), 0o755) == 0)
        try #require(symlink(temporary.file("target"), temporary.file("theirs/link")) == 0)
        try #require(lchown(temporary.file("theirs/link"), 65_534, 65_534) == 0)
        try #require(chown(temporary.file("theirs"), 65_534, 65_534) == 0)
        #expect(throws: Never.self) { try FilePath.target(of: temporary.file("theirs/link")) }
    }
}
