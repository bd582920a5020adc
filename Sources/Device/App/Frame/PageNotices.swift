import DeviceWords
import Foundation
import HTML
import HTTPServer
import SubGuardDomain
import SubGuardEngine
import TextCoding

/// What a page says about the last change, about what was typed and not sent, and about a server that is away.
extension AppVisit {
    /// The last change and the way to take it back: the address names its number in the journal.
    func writeNotice(to html: inout HTMLWriter) {
        if isRefill {
            return html.notice(
                .warning, hasFocus: true, text: text("Not sent yet. Check what you typed, and send it again."))
        }
        let wanted = parameter("done") ?? parameter("undone")
        if wanted == Self.nothing { return html.notice(.plain, hasFocus: true, text: text("Nothing was changed.")) }
        guard let number = wanted.flatMap({ Int64($0) }),
            let entry = try? store.journal.entries(limit: 20, at: moment).first(where: { $0.id == number }),
            entry.isUndone == (parameter("undone") != nil)
        else { return }
        let what = words.spaced(entry.displayText(words))
        html.add(.div, .class("notice good done"), .role("status"), .tabindex(-1), .data("focus")) { html in
            html.paragraph(entry.isUndone ? text("The change “\(what)” is undone.") : what)
            if !entry.isUndone, let twin = parameter("twin").flatMap({ UUID(uuidString: $0) }),
                let twin = try? store.subscriptions.summary(twin, at: moment)
            {
                html.paragraph(text("There was already \(twin.name), with the same price and charges."))
            }
            if !entry.isUndone, let parts = chargedAlone(freed) { html.paragraph(text(parts)) }
            html.button(
                entry.isUndone ? text("Redo") : text("Undo"), post: HTMLLink(entry.isUndone ? "redo" : "undo"),
                ["number": "\(entry.id)", "back": here.text])
        }
    }

    /// Shown by the script, once for each form whose text it has kept.
    func writeOffer(to html: inout HTMLWriter) {
        html.add(.div, .class("notice done"), .data("draft-offer"), .hidden) { html in
            html.add(.p) { html in
                html.text(text("Not sent yet, kept in this browser:") + " ")
                html.add(.b, .data("draft-name")) { _ in }
            }
            html.add(.div, .class("actions")) { html in
                html.add(.a, .class("button"), .href(here), .data("draft-go"), text: text("Continue"))
                html.add(.button, .type("button"), .data("draft-discard"), text: text("Discard"))
            }
        }
    }

    /// Shown by the script while the server does not answer, or would not let this browser in.
    func writeAway(to html: inout HTMLWriter) {
        html.add(.div, .class("notice warn away"), .id("away"), .role("status"), .tabindex(-1), .hidden) { html in
            html.add(.p) { html in
                for (state, words) in [
                    ("away", text("SubGuard is not running. In a terminal, run:")),
                    ("locked", text("The session of this browser has ended. In a terminal, run:")),
                ] { html.add(.span, .data("when", state), text: words) }
                html.text(" ")
                html.add(.code, text: "subguard open")
            }
            html.paragraph(text("What you typed stays here, and can be sent afterwards."))
        }
    }

    // MARK: Addresses

    private static let nothing = "nothing"
    /// More ids make too long an address.
    private static let mostParts = 50
    /// What a page shows, as opposed to what was done before it.
    private static let lasting = ["q", "sort", "status", "scope", "category", "month", "year"]

    /// The address of this page, without what was done.
    var here: HTMLLink { Self.link(request.path, query) }

    private static func link(_ path: String, _ query: [(name: String, value: String)]) -> HTMLLink {
        let items = query.filter { lasting.contains($0.name) && !$0.value.isEmpty }
        return HTMLLink(checking: items.isEmpty ? path : "\(path)?\(PercentCoding.encode(pairs: items))") ?? HTMLLink()
    }

    /// The address that a form goes back to: a page of this server, nothing else.
    static func back(_ text: String?) -> HTMLLink {
        guard let text, text.hasPrefix("/"), !text.contains("#") else { return HTMLLink() }
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = parts.first, HTMLLink(checking: String(path)) != nil else { return HTMLLink() }
        let query = parts.dropFirst().first.flatMap { try? FormFields(urlencoded: Array($0.utf8)) } ?? FormFields()
        return link(String(path), query.fields.map { ($0.name, $0.value) })
    }

    func place(_ link: HTMLLink, _ item: (name: String, value: String)?) -> String {
        guard let item else { return link.text }
        return link.text + (link.text.contains("?") ? "&" : "?") + "\(item.name)=\(item.value)"
    }

    /// Back to a page after a change, which it names with a way to undo it. Call it after the change.
    func done(_ link: HTMLLink) throws -> String {
        // An older one is not of this request.
        guard let entry = try store.journal.entries(limit: 1, at: moment).first, !entry.isUndone, entry.at >= moment.now
        else { return nothingDone(link) }
        return place(link, ("done", "\(entry.id)"))
    }

    /// As ``done(_:)``, for a subscription that was added. Names one that was there with the same charges.
    func added(_ id: UUID) throws -> String {
        let place = try done(HTMLLink())
        return try store.subscriptions.twins(of: id).first.map { "\(place)&twin=\($0.id.lowercased)" } ?? place
    }

    /// As ``done(_:)``, for a bundle that was deleted. Names those of its parts that are charged by themselves.
    func deleted(_ link: HTMLLink, _ parts: [SubscriptionSummary]) throws -> String {
        try done(link) + parts.prefix(Self.mostParts).map { "&part=\($0.id.lowercased)" }.joined()
    }

    /// The parts that the address names.
    private var freed: [SubscriptionSummary] {
        query.filter { $0.name == "part" }.prefix(Self.mostParts).compactMap { item in
            UUID(uuidString: item.value).flatMap { try? store.subscriptions.summary($0, at: moment) }
        }
    }

    func nothingDone(_ link: HTMLLink) -> String { place(link, ("done", Self.nothing)) }
}

/// Taking a change back, and making it again.
enum UndoPages {
    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.form("/undo") { visit, form in
                let report = try replay(form) { try visit.store.journal.undo(entry: $0, at: visit.moment) }
                return end(visit, form, report, "undone")
            },
            gate.form("/redo") { visit, form in
                let report = try replay(form) { try visit.store.journal.redo(entry: $0, at: visit.moment) }
                return end(visit, form, report, "done")
            },
        ]
    }

    /// Only the change that the page has shown: another one may have come in between.
    private static func replay(_ form: FormFields, _ body: (Int64) throws -> JournalReport) throws -> JournalReport {
        guard let number = form["number"].flatMap({ Int64($0) }) else { throw AppRefusal.stale }
        do {
            return try body(number)
        } catch let error as DeviceStoreError
            where error == .nothingToUndo || error == .nothingToRedo || !error.faults.isEmpty
        {
            throw AppRefusal.stale
        }
    }

    private static func end(_ visit: AppVisit, _ form: FormFields, _ report: JournalReport, _ name: String) -> FormEnd {
        let place = visit.place(back(visit, form), report.entries.first.map { (name, "\($0.id)") })
        return .answer(AppResponse.seeOther(place))
    }

    /// The page of what was undone may no longer exist.
    private static func back(_ visit: AppVisit, _ form: FormFields) -> HTMLLink {
        let link = AppVisit.back(form["back"])
        let parts = link.text.split(separator: "/")
        guard let place = parts.lastIndex(where: { UUID(uuidString: String($0)) != nil }), place > 0,
            let id = UUID(uuidString: String(parts[place]))
        else { return link }
        let (store, sharing) = (visit.store, visit.store.sharing)
        switch parts[place - 1] {
        case "subscriptions": return (try? store.subscriptions.load(id)) == nil ? HTMLLink() : link
        case "groups": return (try? sharing.group(id)) == nil ? TogetherPages.link : link
        case "people": return (try? sharing.person(id)) == nil ? TogetherPages.link : link
        case "expenses": return (try? sharing.expense(id)) == nil ? TogetherPages.link : link
        case "transactions": return (try? store.transactions.load(id)) == nil ? TransactionPages.link : link
        default: return link
        }
    }
}
