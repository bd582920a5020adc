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

    static func routes(_ gate: AppGate) -> [Route] {
        let desk = FileDesk<Passphrase?>()
        return [
            gate.page("/backups/merge") { visit in AppResponse.page(page(visit)) },
            gate.files("/backups/merge", maximumBytes: ImportDesk.maximumBytes) { visit, form in
                try preview(visit, form, desk)
            },
            gate.form("/backups/merge/accept") { visit, form in
                let file = try desk.file(form["id"], visit)
                do {
                    try visit.store.backups.merge(file.bytes, passphrase: file.kind, at: visit.moment)
                } catch let error as DeviceStoreError {
                    return AppResponse.page(page(visit, error: error), .unprocessableContent)
                }
                desk.remove(file.id)
                return AppResponse.seeOther(try visit.done(HTMLLink()))
            },
        ]
    }

    private static func preview(
        _ visit: AppVisit, _ form: MultipartForm, _ desk: FileDesk<Passphrase?>
    ) throws -> Response {
        guard let session = visit.session, let file = form.files.first, !file.content.isEmpty else {
            return AppResponse.page(
                page(visit, error: DeviceStoreError.file("No file was chosen.")), .unprocessableContent)
        }
        let typed = form.texts["passphrase"] ?? ""
        let held = HeldFile(
            file.fileName, file.content, typed.isEmpty ? nil : Passphrase(typed), of: session, visit)
        do {
            let report = try visit.store.backups.mergePreview(
                held.bytes, passphrase: held.kind, at: visit.moment)
            desk.put(held, now: visit.moment.now)
            return AppResponse.page(page(visit, held, report))
        } catch let error as DeviceStoreError {
            return AppResponse.page(page(visit, error: error), .unprocessableContent)
        }
    }

    // MARK: Pages

    /// The part of the page of backups.
    static func writeForm(_ visit: AppVisit, to html: inout HTMLWriter) {
        BackupFileForm(
            name: "merge", title: visit.text("Merge another device"),
            explanation: visit.text("Choose a backup of it. Of two edits, the newer one stays."), action: link
        ).write(visit, to: &html)
    }

    private static func page(_ visit: AppVisit, error: DeviceStoreError? = nil) -> [UInt8] {
        BackupPages.document(visit, visit.text("Merge")) { html in
            if let error { BackupFileForm.write(error, visit, to: &html) }
            writeForm(visit, to: &html)
        }
    }

    private static func page(
        _ visit: AppVisit, _ file: HeldFile<Passphrase?>, _ report: MergeReport
    ) -> [UInt8] {
        let wording = MergeWording(visit.words, visit.moment)
        let added = report.added.sorted { $0.key < $1.key }.map { visit.text(MergeWording.added($0.key, $0.value)) }
        let removed = report.removed.map { wording.line($0) }
        let replaced = report.overridden.filter { !$0.changes.isEmpty }.map { wording.line($0) }
        return BackupPages.document(visit, file.name) { html in
            if added.isEmpty, replaced.isEmpty, removed.isEmpty {
                html.add(.p, .class("empty"), text: visit.text("This backup has nothing that is not here already."))
            }
            write(visit.text("What would come in"), added, visit, to: &html)
            write(visit.text("What a newer edit would replace"), replaced, visit, to: &html)
            write(visit.text("What was undone there"), removed, visit, to: &html)
            write(visit.text("What is left out"), wording.lines(report.refused), visit, to: &html)
            if !report.isEmpty {
                html.add(
                    .p, .class("after"),
                    text: visit.text("What is there now is kept as a backup; the merge can be undone."))
            }
            html.add(
                .form, .methodPost, .action(HTMLLink("backups", "merge", "accept")), .class("actions after")
            ) { html in
                html.hidden("id", file.id.lowercased)
                if !report.isEmpty {
                    html.add(.button, .type("submit"), .class("primary"), text: visit.text("Merge"))
                }
                html.add(.a, .class("button"), .href(BackupPages.link), text: visit.text("Back"))
            }
        }
    }

    private static func write(_ title: String, _ lines: [String], _ visit: AppVisit, to html: inout HTMLWriter) {
        guard !lines.isEmpty else { return }
        let most = 200
        html.add(.section, .class("section")) { html in
            html.add(.h2, text: title)
            html.add(.ul, .class("waits")) { html in
                for line in lines.prefix(most) { html.add(.li, text: line) }
            }
            if lines.count > most { html.add(.p, .class("muted"), text: visit.text("\(lines.count - most) more")) }
        }
    }
}
