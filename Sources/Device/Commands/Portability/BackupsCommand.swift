import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct BackupsCommand: ReadCommand {
    static let configuration = CommandConfiguration(
        commandName: "backups", abstract: "List the backups made on this device, newest first.",
        discussion: "`restore` and `merge` take the number or the name of one of them in place of a file.")

    @OptionGroup var options: GlobalOptions

    func run(_ session: Session) throws {
        let all = Array(try session.store.backups.list().enumerated())
        session.print(
            all,
            json: { numbered, json in
                let backup = numbered.element
                json.field("number", numbered.offset + 1)
                json.field("path", backup.path)
                json.field("name", backup.name)
                json.field("made_at", backup.madeAt.rfc3339)
                json.field("day", session.moment.time.day(at: backup.madeAt).iso)
                json.field("bytes", backup.bytes)
                json.field("subscriptions", backup.subscriptions)
                json.field("kind", backup.kind.rawValue)
                json.field("sealed", backup.isSealed)
            }, empty: "No backups yet.",
            [
                .number("", { _ in .grey }) { "\($0.offset + 1)" }, .text("date") { session.time($0.element.madeAt) },
                .text("kind") { session.text($0.element.kind.phrase) },
                .number("subscriptions") { $0.element.subscriptions.map { "\($0)" } ?? "–" },
                .number("size") { session.size($0.element.bytes) },
                .text("file") { session.place($0.element.path) },
            ])
    }
}

extension Session {
    /// The path as it is written from the current folder.
    func place(_ path: String) -> String {
        let folder = FileManager.default.currentDirectoryPath + "/"
        return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
    }

    fileprivate func size(_ bytes: Int) -> String {
        bytes < 10_000_000 ? text("\((bytes + 999) / 1000) kB") : text("\((bytes + 999_999) / 1_000_000) MB")
    }

    /// The file that an argument names: one of that path, or else one of the list of backups.
    func backupFile(_ argument: String) throws -> String {
        if FileManager.default.fileExists(atPath: argument) { return argument }
        return try store.backups.named(argument)?.path ?? argument
    }

    /// Where the copy of what was there before is; nil without one.
    func line(_ copy: StoredBackup?) -> String? {
        copy.map { text("what was there before is kept in \(place($0.path))") }
    }
}
