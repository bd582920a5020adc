import DeviceWords
import Foundation
import HTML
import HTTPServer
import SubGuardDomain
import SubGuardEngine

/// Backups: the list and a download.
enum BackupPages {
    static let link = HTMLLink("backups")

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/backups") { try list($0) },
            // The document itself: where it is kept is up to the browser, so it is in no list.
            gate.form("/backups/download") { visit, form in
                let bytes = try visit.store.backups.make(passphrase: form.passphrase(), at: visit.moment)
                return .answer(AppResponse.download(bytes, named: "subguard-\(visit.moment.today.iso).json"))
            },
        ]
    }

    // MARK: Pages

    private static func list(_ visit: AppVisit) throws -> [UInt8] {
        let backups = try visit.store.backups.list()
        let age = try visit.store.backups.age(at: visit.moment)
        return visit.subpage(visit.text("Backups")) { html in
            if age.isOverdue {
                html.hint(
                    age.days.map { visit.text("The last backup is \($0) days old.") }
                        ?? visit.text(
                            age.last == nil ? "There is no backup yet." : "The last backup is dated ahead."),
                    "notice warn")
            }
            html.post(HTMLLink("backups", "download")) { html in
                passphrase(visit, hint: visit.text("Optional: the file can then be read with it only."), to: &html)
                html.submit(visit.text("Download a backup"), "primary")
            }
            RestorePages.form(visit).write(visit, to: &html)
            MergePages.form(visit).write(visit, to: &html)
            html.section(visit.text("On this device")) { html in
                visit.list(backups, empty: visit.text("No backups yet."), to: &html) { backup, html in
                    html.add(.span) { html in
                        html.text("\(visit.time(backup.madeAt)) · \(visit.text(backup.kind.phrase))")
                        guard let count = backup.subscriptions else { return }
                        html.text(" · " + visit.text("\(count) subscription|\(count) subscriptions"))
                    }
                    html.linkButton(visit.text("Restore"), RestorePages.link(backup))
                }
            }
        }
    }

    /// A page below the backups.
    static func document(_ visit: AppVisit, _ title: String, _ body: (inout HTMLWriter) -> Void) -> [UInt8] {
        visit.page(.settings, title, below: link, named: visit.text("Backups"), body: body)
    }

    static func passphrase(_ visit: AppVisit, hint: String?, to html: inout HTMLWriter) {
        visit.field("passphrase", visit.text("Passphrase"), value: "", hint: hint, type: "password", to: &html)
    }
}

/// A section with a form that sends the file of a backup, with its passphrase if it has one.
struct BackupFileForm {
    /// Begins the ids of the fields.
    let name: String
    let title: String
    let explanation: String
    let action: HTMLLink

    /// The page of the form alone.
    ///
    /// - Parameter error: why a file was refused.
    func page(_ visit: AppVisit, _ error: DeviceStoreError?) -> [UInt8] {
        BackupPages.document(visit, title) { html in
            if let error { Self.write(error, visit, to: &html) }
            writeForm(visit, to: &html)
        }
    }

    static func write(_ error: DeviceStoreError, _ visit: AppVisit, to html: inout HTMLWriter) {
        html.refusal(visit.sentence(String("\(error)".prefix(600))))
    }

    func write(_ visit: AppVisit, to html: inout HTMLWriter) {
        html.section(title) { writeForm(visit, to: &$0) }
    }

    private func writeForm(_ visit: AppVisit, to html: inout HTMLWriter) {
        html.paragraph(explanation)
        FileForm(
            visit: visit, link: action, prefix: "\(name)-", label: visit.text("File"), most: ImportDesk.maximumBytes,
            submit: visit.text("Preview"), style: "panel stack after"
        ).write(to: &html) { html in
            visit.field(
                "passphrase", visit.text("Passphrase, if it has one"), id: "\(name)-passphrase", value: "",
                type: "password", to: &html)
        }
    }
}
