import Cryptography
import DeviceWords
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import SubGuardDomain
import SubGuardEngine

/// Restoring a backup of the list or a file: what would change is shown before it is done.
enum RestorePages {
    private static let base = HTMLLink("backups", "restore")

    /// Where a backup comes from.
    struct Source: Sendable {
        /// The path of one of the list, whose bytes are not kept meanwhile.
        var path: String?
        var passphrase: Passphrase?
        /// When it was made, or the name of its file.
        var title = ""
        /// Of the bytes that were compared: the file may be another one by now.
        var digest: [UInt8] = []
    }

    typealias Desk = FileDesk<Source>

    static func link(_ backup: StoredBackup) -> HTMLLink {
        HTMLLink("backups", "restore", query: [("name", backup.path)])
    }

    static func routes(_ gate: AppGate) -> [Route] {
        let desk = Desk()
        return [
            gate.answer("/backups/restore") { visit in
                guard let name = visit.parameter("name") else { return AppResponse.page(page(visit)) }
                let backup = try stored(visit, name)
                if backup.isSealed { return AppResponse.page(locked(visit, backup)) }
                return try compare(visit, backup, nil, desk)
            },
            gate.form("/backups/restore/look", isChange: false) { visit, form in
                .answer(try compare(visit, stored(visit, form["name"] ?? ""), form.passphrase(), desk))
            },
            gate.files("/backups/restore", maximumBytes: ImportDesk.maximumBytes) { visit, form in
                try HeldFile.take(form, visit, again: { page(visit, error: $0) }) { held in
                    var held = held
                    let report = try visit.store.backups.restorePreview(
                        held.bytes, passphrase: held.kind.passphrase, at: visit.moment)
                    held.kind.title = report.madeAt.map { visit.time($0) } ?? held.name
                    desk.put(held, now: visit.moment.now)
                    return RestorePreview(visit: visit, id: held.id, backup: held.kind.title, report: report).page()
                } kind: {
                    Source(passphrase: $0)
                }
            },
            // Without the weekly backup: what was there before is kept anyway, and a repeated comparison must stay the
            // last change.
            gate.form(
                "/backups/restore/accept", isChange: false, saysAll: true, isKept: false,
                again: { page($0, error: $0.sent?.error) }
            ) { visit, form in try accept(visit, form["id"], desk) },
        ]
    }

    private static func stored(_ visit: AppVisit, _ name: String) throws -> StoredBackup {
        guard let backup = try visit.store.backups.named(name) else { throw AppRefusal.notFound }
        return backup
    }

    // MARK: Looking at it

    private static func compare(
        _ visit: AppVisit, _ backup: StoredBackup, _ passphrase: Passphrase?, _ desk: Desk
    ) throws -> Response {
        guard let session = visit.session else { throw AppRefusal.notFound }
        do {
            let bytes = try WholeFile.read(backup.path)
            let source = Source(
                path: backup.path, passphrase: passphrase, title: visit.time(backup.madeAt),
                digest: Array(SHA256.hash(of: bytes)))
            let held = HeldFile(backup.name, [], source, of: session, visit)
            let report = try visit.store.backups.restorePreview(bytes, passphrase: passphrase, at: visit.moment)
            desk.put(held, now: visit.moment.now)
            return AppResponse.page(
                RestorePreview(visit: visit, id: held.id, backup: source.title, report: report).page())
        } catch let error as DeviceStoreError {
            let isLocked = backup.isSealed
            return AppResponse.page(
                isLocked ? locked(visit, backup, error: error) : page(visit, error: error), .unprocessableContent)
        }
    }

    private static func accept(_ visit: AppVisit, _ id: String?, _ desk: Desk) throws -> FormEnd {
        var file = try desk.file(id, visit)
        let bytes = try file.kind.path.map { try WholeFile.read($0) } ?? file.bytes
        let digest = Array(SHA256.hash(of: bytes))
        do {
            guard file.kind.path == nil || file.kind.digest == digest else { throw ChangedSinceShown() }
            try visit.store.backups.restore(
                bytes, passphrase: file.kind.passphrase, of: file.shown, at: visit.moment)
        } catch is ChangedSinceShown {
            // What was changed since, here or in the file, would be lost or come without having been shown.
            file.shown = ShownState(revision: try visit.store.revision(), at: visit.moment.now)
            let report = try visit.store.backups.restorePreview(
                bytes, passphrase: file.kind.passphrase, at: visit.moment)
            file.kind.digest = digest
            desk.put(file, now: visit.moment.now)
            let preview = RestorePreview(
                visit: visit, id: file.id, backup: file.kind.title, report: report, isRepeated: true)
            return .answer(AppResponse.page(preview.page(), .conflict))
        }
        desk.remove(file.id)
        return .done(HTMLLink())
    }

    // MARK: Pages

    /// The part of the page of backups.
    static func form(_ visit: AppVisit) -> BackupFileForm {
        BackupFileForm(
            name: "restore", title: visit.text("Restore a backup file"),
            explanation: visit.text("You see what would change before anything does."), action: base)
    }

    private static func page(_ visit: AppVisit, error: DeviceStoreError? = nil) -> [UInt8] {
        form(visit).page(visit, error)
    }

    /// Asks for the passphrase of a backup of the list.
    private static func locked(_ visit: AppVisit, _ backup: StoredBackup, error: DeviceStoreError? = nil) -> [UInt8] {
        BackupPages.document(visit, visit.text("Restore")) { html in
            if let error { BackupFileForm.write(error, visit, to: &html) }
            html.paragraph("\(visit.time(backup.madeAt)) · \(visit.text(backup.kind.phrase))")
            html.post(HTMLLink("backups", "restore", "look"), "panel stack after") { html in
                html.hidden("name", backup.path)
                BackupPages.passphrase(visit, hint: nil, to: &html)
                html.submit(visit.text("Preview"), "primary")
            }
        }
    }
}
