import CFileStatus
import FileAccess
import Foundation

/// The folder of a demo. It is locked while this value exists. Only a folder that a demo of this user made is used or
/// removed, and no link in it is followed: others may have put one there if they may write to the folder above.
final class DemoFolder {
    /// Absolute.
    let path: String
    private let name: String
    private var folder: OpenFolder?
    private var lock: Int32 = -1

    private static let mark = ".subguard-demo"
    private static let filled = "filled"
    private static let page = "open.html"

    init(_ path: String) throws {
        self.path = URL(fileURLWithPath: path).path
        name = FilePath.split(self.path).name
        guard !name.isEmpty else { throw DemoFault("\(path) cannot be the folder of a demo") }
        guard let above = try? OpenFolder(FilePath.split(self.path).folder), above.contains(name) else { return }
        try use(try above.folder(name))
    }

    deinit { if lock >= 0 { close(lock) } }

    /// Whether a demo was sent to its end.
    var isFilled: Bool { folder?.contains(Self.filled) ?? false }

    /// Makes the folder; a demo that was not filled to its end begins again. Returns the path of its database.
    func prepare() throws -> String {
        if !isFilled {
            try remove()
            let above = try OpenFolder.making(FilePath.split(path).folder)
            // It would belong to the owner of the folder above.
            guard try geteuid() != 0 || above.status().owner == 0 else {
                throw DemoFault("root cannot make a demo in the folder of another user; use --folder")
            }
            let made = try above.makeFolder(name)
            // Another user may have been quicker.
            guard made.names().isEmpty else { throw notOurs }
            try made.finish(made.create(Self.mark))
            try use(made)
        }
        return path + "/subguard.sqlite"
    }

    func markFilled() throws { try folder.map { try $0.finish($0.create(Self.filled)) } }

    /// Does nothing if there is no demo.
    func remove() throws {
        guard let folder else { return }
        for entry in folder.names() { folder.removeTree(entry) }
        try OpenFolder(FilePath.split(path).folder).removeTree(name)
        self.folder = nil
    }

    /// The path of a page that leads to the link. Other users see the command lines of this user's programs, but not
    /// this page. Nil where they could put another one in its place.
    func writePage(leadingTo link: String) throws -> String? {
        guard FilePath.isOutOfReach(ofOthers: path) else { return nil }
        try folder.map { folder in
            folder.remove(Self.page)
            let file = try folder.create(Self.page)
            try file.write(Array("<meta http-equiv=\"refresh\" content=\"0; url=\(link)\">\n".utf8))
            try folder.finish(file)
        }
        return path + "/" + Self.page
    }

    private var notOurs: DemoFault { DemoFault("\(path) is not the folder of a demo of yours; it is left as it is") }

    private func use(_ folder: OpenFolder) throws {
        let status = try folder.status()
        guard status.owner == geteuid(), status.permissions & 0o022 == 0, folder.contains(Self.mark) else {
            throw notOurs
        }
        if lock >= 0 { close(lock) }
        lock = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            throw DemoFault("the demo in \(path) is running; stop it with Ctrl-C first")
        }
        self.folder = folder
    }
}
