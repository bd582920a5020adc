import DeviceWords
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import SubGuardDomain
import SubGuardEngine

/// Merging the backup of another device: what would change is shown before it is done.
enum MergePages {
    private static let link = HTMLLink("backups", "merge")

    /// How a file is read.
    struct Source: Sendable { var passphrase: Passphrase? }

    typealias Desk = FileDesk<Source>

    static func routes(_ gate: AppGate) -> [Route] {
        let desk = Desk()
        return [
            gate.page("/backups/merge") { page($0) },
            gate.files("/backups/merge", maximumBytes: ImportDesk.maximumBytes) { visit, form in
                try HeldFile.take(form, visit, again: { page(visit, error: $0) }) { held in
                    let report = try preview(held, visit)
                    desk.put(held, now: visit.moment.now)
                    return page(visit, held, report)
                } kind: {
                    Source(passphrase: $0)
                }
            },
            // Without the weekly backup, as with a restore: a repeated comparison must stay the last change.
            gate.form(
                "/backups/merge/accept", isChange: false, saysAll: true, isKept: false,
                again: { page($0, error: $0.sent?.error) }
            ) { visit, form in try accept(visit, form["id"], desk) },
        ]
    }

    private static func preview(_ file: HeldFile<Source>, _ visit: AppVisit) throws -> MergeReport {
        try visit.store.backups.mergePreview(file.bytes, passphrase: file.kind.passphrase, at: visit.moment)
    }

    private static func accept(_ visit: AppVisit, _ id: String?, _ desk: Desk) throws -> FormEnd {
        var file = try desk.file(id, visit)
        do {
            try visit.store.backups.merge(
                file.bytes, passphrase: file.kind.passphrase, of: file.shown, at: visit.moment)
        } catch is ChangedSinceShown {
            // What was changed since could be replaced without having been shown.
            file.shown = ShownState(revision: try visit.store.revision(), at: visit.moment.now)
            let report = try preview(file, visit)
            desk.put(file, now: visit.moment.now)
            return .answer(AppResponse.page(page(visit, file, report, isRepeated: true), .conflict))
        }
        desk.remove(file.id)
        return .done(HTMLLink())
    }

    // MARK: Pages

    /// The part of the page of backups.
    static func form(_ visit: AppVisit) -> BackupFileForm {
        BackupFileForm(
            name: "merge", title: visit.text("Merge another device"),
            explanation: visit.text("Choose a backup of it. Of two edits, the newer one stays."), action: link)
    }

    private static func page(_ visit: AppVisit, error: DeviceStoreError? = nil) -> [UInt8] {
        form(visit).page(visit, error)
    }

    /// - Parameter isRepeated: whether something has changed since the comparison that was accepted.
    private static func page(
        _ visit: AppVisit, _ file: HeldFile<Source>, _ report: MergeReport, isRepeated: Bool = false
    ) -> [UInt8] {
        let wording = MergeWording(visit.words, visit.moment)
        let added = report.added.sorted { $0.key < $1.key }.map { visit.text(MergeWording.added($0.key, $0.value)) }
        let removed = report.removed.map { wording.line($0) }
        let replaced = report.overridden.filter { !$0.changes.isEmpty }.map { wording.line($0) }
        return BackupPages.document(visit, file.name) { html in
            if isRepeated {
                html.refusal(visit.text("Something was changed since you looked. Nothing was merged; look again."))
            }
            if added.isEmpty, replaced.isEmpty, removed.isEmpty {
                html.hint(visit.text("This backup has nothing that is not here already."), "empty")
            }
            write(visit.text("What would come in"), added, visit, to: &html)
            write(visit.text("What a newer edit would replace"), replaced, visit, to: &html)
            write(visit.text("What was undone there"), removed, visit, to: &html)
            write(visit.text("What is left out"), wording.lines(report.refused), visit, to: &html)
            if !report.isEmpty {
                html.hint(visit.text("What is there now is kept as a backup; the merge can be undone."), "after")
            }
            html.post(HTMLLink("backups", "merge", "accept"), "actions after") { html in
                html.hidden("id", file.id.lowercased)
                if !report.isEmpty { html.submit(visit.text("Merge"), "primary") }
                html.linkButton(visit.text("Back"), BackupPages.link)
            }
        }
    }

    private static func write(_ title: String, _ lines: [String], _ visit: AppVisit, to html: inout HTMLWriter) {
        guard !lines.isEmpty else { return }
        html.section(title) { html in
            visit.list(lines, most: 200, to: &html) { line, html in html.text(line) }
        }
    }
}
