import CFileStatus
import FileAccess
import Foundation
import TestKit
import Testing

/// Entries of a folder that others may change are used only if they are plain files.
struct OpenFolderTests {
    private let temporary: TemporaryFolder
    private let folder: OpenFolder

    init() throws {
        temporary = try TemporaryFolder()
        folder = try OpenFolder(temporary.path)
    }

    private func refusal(_ body: () throws -> Void) -> FileFailure.Reason? {
        do {
            try body()
            return nil
        } catch let error as FileFailure {
            return error.reason
        } catch {
            return nil
        }
    }

    @Test func linksPipesFoldersAndSecondNamesAreRefused() throws {
        try temporary.write("outside, l'été “29” 🎬", to: "secret")
        try #require(symlink(temporary.file("secret"), temporary.file("a link")) == 0)
        try #require(symlink(temporary.file("nowhere"), temporary.file("dangling")) == 0)
        try #require(link(temporary.file("secret"), temporary.file("second")) == 0)
        try #require(mkfifo(temporary.file("pipe"), 0o600) == 0)
        try #require(mkdir(temporary.file("inner"), 0o700) == 0)
        let expected: [(String, FileFailure.Reason)] = [
            ("a link", .symbolicLink), ("dangling", .symbolicLink), ("second", .hardLinks(2)),
            ("secret", .hardLinks(2)),
            ("pipe", .notAFile), ("inner", .notAFile),
        ]
        for (name, reason) in expected {
            for writes in [false, true] {
                #expect(refusal { _ = try folder.open(name, writes: writes) } == reason, "\(name)")
            }
            #expect(refusal { try folder.requirePlainFile(name) } == reason, "\(name)")
            #expect(refusal { _ = try folder.create(name) } == .system(EEXIST), "\(name)")
        }
        #expect(refusal { _ = try folder.folder("a link") } == .symbolicLink)
        #expect(refusal { _ = try folder.folder("missing") } == .system(ENOENT))
        #expect(refusal { _ = try folder.open("missing") } == .system(ENOENT))
        #expect(!FileManager.default.fileExists(atPath: temporary.file("nowhere")))
        #expect(FileFailure(path: "/a/b", reason: .symbolicLink).description == "/a/b is a symbolic link")
    }

    @Test func aFolderThatWasReplacedByALinkIsNotUsed() throws {
        try #require(mkdir(temporary.file("inner"), 0o700) == 0)
        try #require(mkdir(temporary.file("trap"), 0o700) == 0)
        let inner = try folder.folder("inner")
        // Replaced between opening and use.
        try #require(rename(temporary.file("inner"), temporary.file("moved")) == 0)
        try #require(symlink(temporary.file("trap"), temporary.file("inner")) == 0)
        let file = try inner.create("été")
        try file.write(Array("29".utf8))
        try inner.finish(file)
        try inner.rename("été", to: inner, as: "done")
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.file("trap")) == [])
        #expect(try inner.open("done").bytes(maximumBytes: 2) == Array("29".utf8))
        #expect(refusal { _ = try inner.open("done").bytes(maximumBytes: 1) } == .tooLarge(maximumBytes: 1))
    }

    @Test func removingATreeLeavesWhatItsLinksLeadTo() throws {
        try #require(mkdir(temporary.file("kept"), 0o700) == 0)
        try temporary.write("29", to: "kept/file")
        _ = try OpenFolder.making(temporary.file("tree/a/b"))
        try temporary.write("1", to: "tree/a/b/file")
        try #require(symlink(temporary.file("kept"), temporary.file("tree/a/link")) == 0)
        folder.removeTree("tree")
        #expect(!folder.contains("tree"))
        #expect(try folder.folder("kept").names() == ["file"])
        try #require(symlink(temporary.file("kept"), temporary.file("tree")) == 0)
        folder.removeTree("tree")
        #expect(!folder.contains("tree"))
        #expect(try folder.folder("kept").names() == ["file"])
    }

    @Test(.enabled(if: geteuid() == 0, "only root can make folders of other users"))
    func rootFollowsItsOwnLinksOnly() throws {
        _ = try OpenFolder.making(temporary.file("service/data"))
        _ = try OpenFolder.making(temporary.file("target"))
        try #require(symlink(temporary.file("target"), temporary.file("own")) == 0)
        #expect(
            try OpenFolder(temporary.file("own")).status().number
                == OpenFolder(temporary.file("target")).status().number)
        try #require(symlink("../target", temporary.file("service/backups")) == 0)
        // Root's link in root's folder is trusted.
        _ = try OpenFolder(temporary.file("service/backups"))
        try #require(chown(temporary.file("service"), 10_029, 10_029) == 0)
        #expect(refusal { _ = try OpenFolder(temporary.file("service/backups")) } == .symbolicLink)
        #expect(refusal { _ = try OpenFolder.making(temporary.file("service/backups/new")) } == .symbolicLink)
        try #require(lchown(temporary.file("service/backups"), 10_029, 10_029) == 0)
        #expect(refusal { _ = try OpenFolder(temporary.file("service/backups")) } == .symbolicLink)
        #expect(try folder.folder("target").names() == [])
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func whatRootMakesBelongsToTheOwnerOfTheFolder() throws {
        try #require(mkdir(temporary.file("service"), 0o750) == 0)
        try #require(chown(temporary.file("service"), 10_029, 10_030) == 0)
        let made = try OpenFolder.making(temporary.file("service/new/inner"))
        #expect(try made.status().owner == 10_029)
        #expect(try made.status().permissions == 0o700)
        let file = try made.create("file")
        #expect(try file.status().owner == 0)
        try made.finish(file)
        #expect(try file.status().owner == 10_029)
        #expect(try file.status().group == 10_030)
    }

    @Test(.enabled(if: geteuid() == 0, "only root takes the rights of others"))
    func theRightsAreThoseOfTheFoldersOwner() throws {
        let (store, missing) = (temporary.file("service/store.sqlite"), temporary.file("service/new/store.sqlite"))
        _ = try OpenFolder.making(temporary.file("service/roots"))
        #expect(try FileRights(ofFile: store).user == 0)
        try #require(chown(temporary.file("service"), 10_029, 10_030) == 0)
        for path in [store, missing] {
            let rights = try FileRights(ofFile: path)
            #expect(rights.user == 10_029 && rights.group == 10_030)
        }
        // The owner of `service` could replace the folder.
        #expect(
            refusal { _ = try FileRights(ofFile: temporary.file("service/roots/store.sqlite")) }
                == .insideFolderOfAnotherUser(folder: temporary.file("service")))
        try #require(symlink("roots", temporary.file("service/link")) == 0)
        #expect(refusal { _ = try FileRights(ofFile: temporary.file("service/link/store.sqlite")) } == .symbolicLink)
        // A folder of root that a group may write to.
        _ = try OpenFolder.making(temporary.file("shared"))
        try #require(chmod(temporary.file("shared"), 0o770) == 0)
        try temporary.write("", to: "shared/store.sqlite")
        try #require(chown(temporary.file("shared/store.sqlite"), 10_031, 10_031) == 0)
        #expect(try FileRights(ofFile: temporary.file("shared/store.sqlite")).user == 10_031)
    }
}
