import DeviceWords
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import SubGuardDomain
import SubGuardEngine

/// Backups: the list, a download, and restoring one after a comparison with what is there.
enum BackupPages {
    static let link = HTMLLink("backups")

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/backups") { visit in AppResponse.page(try list(visit)) },
            gate.form("/backups/download") { visit, form in try download(visit, form["passphrase"] ?? "") },
            gate.page("/backups/restore") { visit in
                guard let backup = try visit.parameter("name").flatMap({ try visit.store.backups.named($0) }) else {
                    throw AppRefusal.notFound
                }
                return AppResponse.page(try confirm(visit, backup))
            },
            gate.form("/backups/restore") { visit, form in
                guard let backup = try form["name"].flatMap({ try visit.store.backups.named($0) }) else {
                    throw AppRefusal.notFound
                }
                let typed = form["passphrase"] ?? ""
                do {
                    try visit.store.backups.restore(
                        try WholeFile.read(backup.path), passphrase: typed.isEmpty ? nil : Passphrase(typed),
                        at: visit.moment)
                    return AppResponse.seeOther(try visit.done(HTMLLink()))
                } catch let error as DeviceStoreError {
                    return AppResponse.page(try confirm(visit, backup, error: error), .unprocessableContent)
                }
            },
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
            html.add(.p, .class("crumb")) { html in
                html.add(.a, .href(AppSection.settings.link), text: visit.text("Settings"))
            }
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
                .a, .class("button"), .href(HTMLLink("backups", "restore", query: [("name", backup.path)])),
                text: visit.text("Restore"))
        }
    }

    /// What would be replaced by what.
    private static func confirm(
        _ visit: AppVisit, _ backup: StoredBackup, error: DeviceStoreError? = nil
    ) throws -> [UInt8] {
        let present = try visit.store.subscriptions.list(at: visit.moment).count
        return visit.page(.settings, title: visit.text("Restore")) { html in
            html.add(.p, .class("crumb")) { html in
                html.add(.a, .href(link), text: visit.text("Backups"))
            }
            html.add(.div, .class("top")) { $0.add(.h1, text: visit.text("Restore this backup?")) }
            if let error {
                html.add(
                    .p, .class("notice bad"), .role("alert"), .tabindex(-1), .data("focus"),
                    text: visit.words.sentence("\(error)"))
            }
            html.add(.ul, .class("waits")) { html in
                html.add(.li) { html in
                    html.add(.b, text: visit.text("Now"))
                    html.add(.span, text: visit.text("\(present) subscription|\(present) subscriptions"))
                }
                html.add(.li) { html in
                    html.add(.b, text: visit.time(backup.madeAt))
                    html.add(
                        .span,
                        text: backup.subscriptions.map { visit.text("\($0) subscription|\($0) subscriptions") } ?? "–")
                }
            }
            html.add(
                .p, .class("after"),
                text: visit.text("What is there now is kept as a backup; the restore can be undone."))
            html.add(
                .form, .methodPost, .action(HTMLLink("backups", "restore")), .class("stack after confirm")
            ) { html in
                visit.hidden("name", backup.path, to: &html)
                if backup.isSealed { passphrase(visit, hint: nil, to: &html) }
                html.add(.p, .class("actions")) { html in
                    html.add(.button, .type("submit"), .class("danger"), text: visit.text("Restore"))
                    html.add(.a, .class("button"), .href(link), text: visit.text("Back"))
                }
            }
        }
    }

    private static func passphrase(_ visit: AppVisit, hint: String?, to html: inout HTMLWriter) {
        html.add(.div, .class("field")) { html in
            html.add(.label, .for("passphrase"), text: visit.text("Passphrase"))
            html.add(
                .input, .type("password"), .id("passphrase"), .name("passphrase"), .autocomplete("off"),
                hint == nil ? nil : .aria("describedby", "passphrase-hint"))
            if let hint { html.add(.p, .class("hint"), .id("passphrase-hint"), text: hint) }
        }
    }
}
