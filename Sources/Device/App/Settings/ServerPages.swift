import DeviceWords
import HTML
import HTTPServer
import SubGuardClient
import SubGuardDomain
import SubGuardEngine

/// The server and the account: what was fetched, what is queued, the last errors in words, and a sync at once.
enum ServerPages {
    static let link = HTMLLink("server")

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/server") { try page($0) },
            gate.form("/server/sync") { visit, _ in
                guard visit.context.server.link != nil else { throw AppRefusal.unreadable("No server is set.") }
                try visit.context.server.sync(visit.store, at: visit.moment)
                return .page(HTMLLink("server", query: [("synced", "1")]))
            },
            gate.form("/server/sign-out") { visit, _ in
                let isNotified: Bool?
                do {
                    isNotified = try visit.context.server.signOut(visit.store, at: visit.moment)
                } catch ClientError.notSignedIn {
                    throw AppRefusal.unreadable("Not signed in to this server.")
                }
                guard let isNotified else { throw AppRefusal.unreadable("No server is set.") }
                return .page(HTMLLink("server", query: [("out", isNotified ? "all" : "here")]))
            },
        ]
    }

    private static func page(_ visit: AppVisit) throws -> [UInt8] {
        let facts = try facts(visit)
        let failures = try visit.store.sync.last().failures(visit.words)
        let desk = visit.context.server
        return visit.subpage(visit.text("Server")) { html in
            writeNotice(visit, desk, to: &html)
            if desk.link == nil {
                html.paragraph(
                    visit.text("No server is set, so nothing is sent or fetched. To use one, start the app so:"))
                html.add(.p) {
                    $0.add(.code, .class("breaks"), text: "subguard open --server https://subguard.example")
                }
            }
            html.facts(facts, "waits after")
            if !failures.isEmpty {
                html.section(visit.text("Last errors")) { html in
                    html.facts(failures.map { (visit.text($0.part.phrase).capitalisedFirst, $0.reason) }, "waits after")
                }
            }
            if desk.link != nil {
                html.button(visit.text("Sync now"), post: HTMLLink("server", "sync"), style: "primary", form: "after")
            }
            writeAccount(visit, to: &html)
        }
    }

    private static func writeNotice(_ visit: AppVisit, _ desk: ServerDesk, to html: inout HTMLWriter) {
        if desk.isRunning {
            html.notice(.plain, text: visit.text("A sync is running. This page shows its end."))
        } else if visit.parameter("synced") != nil, let report = desk.report {
            html.notice(report.hasFailed ? .bad : .good, role: .status, hasFocus: true) { html in
                html.paragraph(visit.text(report.hasFailed ? "Not everything was synced." : "Everything is synced."))
                html.add(.ul) { html in
                    for part in report.parts where part.hasNews { html.add(.li, text: line(part, visit)) }
                }
            }
        }
        let out: String? =
            switch visit.parameter("out") {
            case "all": visit.text("You are signed out.")
            case "here": visit.text("You are signed out on this device; the server could not be notified.")
            default: nil
            }
        if let out { html.notice(.good, hasFocus: true, text: out) }
    }

    private static func line(_ part: SyncReport.Part, _ visit: AppVisit) -> String {
        let (name, summary) = (visit.text(part.name.phrase).capitalisedFirst, part.summary(visit.words))
        return visit.text("\(name): \(summary)")
    }

    /// Cached server data and pending uploads.
    private static func facts(_ visit: AppVisit) throws -> [(name: String, text: String)] {
        let (store, words) = (visit.store, visit.words)
        let consent = try store.analytics.consent()
        return [
            (visit.text("Address"), visit.context.server.link?.address ?? visit.text("none")),
            (
                visit.text("Last sync"),
                try store.sync.last().succeededAt.map { visit.time($0) } ?? visit.text("never completed")
            ),
            (visit.text("Catalogue"), try visit.catalogue().map { words.list($0) } ?? visit.text("none")),
            (visit.text("Suggestions"), words.list(QueueWording.text(try store.suggestions.counts()))),
            (visit.text("Anonymous events"), words.list(QueueWording.text(try store.analytics.queueCounts()))),
            (visit.text("Sessions and crashes"), words.list(QueueWording.text(store.signals.counts()))),
            (
                visit.text("Consent"),
                words.list(QueueWording.text(consent, erasures: try store.analytics.pendingErasures()))
            ),
        ]
    }

    // MARK: Account

    private static func writeAccount(_ visit: AppVisit, to html: inout HTMLWriter) {
        // Beside the database, as for the command line.
        let account: String?
        var problem: ClientError?
        do throws(ClientError) {
            account = try CredentialFile(path: visit.store.path + ".session").load()?.server
        } catch {
            account = nil
            problem = error
        }
        html.section(visit.text("Account")) { html in
            if let problem { html.add(.p, .class("notice bad"), text: visit.sentence("\(problem)")) }
            html.paragraph(
                account.map { visit.text("Signed in to \($0).") }
                    ?? visit.text("Not signed in. Only premium needs an account."))
            guard account != nil || problem != nil else {
                return html.sentence(visit.text("To sign in:"), "subguard account sign-in", style: "hint after")
            }
            let isHere = visit.context.server.link.map { $0.account.otherServer == nil } ?? false
            let server = isHere ? "" : account.map { " --server \($0)" } ?? ""
            html.sentence(visit.text("To erase the account:"), "subguard account erase\(server)", style: "hint after")
            guard isHere else {
                return html.sentence(visit.text("To sign out:"), "subguard account sign-out\(server)", style: "hint")
            }
            html.button(visit.text("Sign out"), post: HTMLLink("server", "sign-out"), form: "after")
            html.hint(visit.text("Premium then ends on this device."))
        }
    }
}
