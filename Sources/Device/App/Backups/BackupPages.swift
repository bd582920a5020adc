import DeviceWords
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import SubGuardDomain
import SubGuardEngine

/// Backups: the list and a download.
enum BackupPages {
    static let link = HTMLLink("backups")

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/backups") { visit in AppResponse.page(try list(visit)) },
            gate.form("/backups/download") { visit, form in try download(visit, form["passphrase"] ?? "") },
        ]
    }

    /// The document itself: where it is kept is up to the browser, so it is in no list.
    private static func download(_ visit: AppVisit, _ passphrase: String) throws -> Response {
        let bytes = try visit.store.backups.make(
            passphrase: passphrase.isEmpty ? nil : Passphrase(passphrase), at: visit.moment)
        return AppResponse.download(bytes, named: "subguard-\(visit.moment.today.iso).json")
    }

    // MARK: Pages

    private static func list(_ visit: AppVisit) throws -> [UInt8] {
        let backups = try visit.store.backups.list()
        let age = try visit.store.backups.age(at: visit.moment)
        return visit.page(.settings, title: visit.text("Backups")) { html in
            html.crumb(AppSection.settings.link, visit.text("Settings"))
            html.add(.div, .class("top")) { $0.add(.h1, text: visit.text("Backups")) }
            if age.isOverdue {
                html.add(
                    .p, .class("notice warn"),
                    text: age.days.map { visit.text("The last backup is \($0) days old.") }
                        ?? visit.text("There is no backup yet."))
            }
            html.add(
                .form, .methodPost, .action(HTMLLink("backups", "download")), .class("panel stack")
            ) { html in
                passphrase(visit, hint: visit.text("Optional: the file can then be read with it only."), to: &html)
                html.add(.button, .type("submit"), .class("primary"), text: visit.text("Download a backup"))
            }
            RestorePages.writeForm(visit, to: &html)
            MergePages.writeForm(visit, to: &html)
            html.add(.section, .class("section")) { html in
                html.add(.h2, text: visit.text("On this device"))
                if backups.isEmpty { html.add(.p, .class("muted"), text: visit.text("No backups yet.")) }
                html.add(.ul, .class("waits")) { html in
                    for backup in backups { write(backup, visit, to: &html) }
                }
            }
        }
    }

    private static func write(_ backup: StoredBackup, _ visit: AppVisit, to html: inout HTMLWriter) {
        html.add(.li) { html in
            html.add(.span) { html in
                html.text("\(visit.time(backup.madeAt)) · \(visit.text(backup.kind.phrase))")
                if let count = backup.subscriptions {
                    html.text(" · " + visit.text("\(count) subscription|\(count) subscriptions"))
                }
            }
            html.add(
                .a, .class("button"), .href(RestorePages.link(backup)),
                text: visit.text("Restore"))
        }
    }

    /// A page below the backups.
    static func document(_ visit: AppVisit, _ title: String, _ body: (inout HTMLWriter) -> Void) -> [UInt8] {
        visit.page(.settings, title: title) { html in
            html.crumb(link, visit.text("Backups"))
            html.add(.div, .class("top")) { $0.add(.h1, text: title) }
            body(&html)
        }
    }

    static func passphrase(_ visit: AppVisit, hint: String?, to html: inout HTMLWriter) {
        html.add(.div, .class("field")) { html in
            html.add(.label, .for("passphrase"), text: visit.text("Passphrase"))
            html.add(
                .input, .type("password"), .id("passphrase"), .name("passphrase"), .autocomplete("off"),
                hint == nil ? nil : .aria("describedby", "passphrase-hint"))
            if let hint { html.add(.p, .class("hint"), .id("passphrase-hint"), text: hint) }
        }
    }
}
