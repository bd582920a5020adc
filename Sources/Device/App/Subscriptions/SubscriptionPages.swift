import Foundation
import HTML
import HTTPServer
import SubGuardDomain
import SubGuardEngine

/// The list of subscriptions with the annual cost, and what can be done with one.
enum SubscriptionPages {
    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/") { try SubscriptionListPage($0).page() },
            gate.page("/subscriptions/{id:uuid}", page),
            gate.form(path("edit"), saysAll: true, again: page) { visit, form in
                let page = try SubscriptionPage(visit)
                let id = page.subscription.id
                let draft = try page.changes(SubscriptionForm.draft(form), shown: SubscriptionForm.shown(form))
                guard !draft.isEmpty else { return .unchanged(link(id)) }
                _ = try visit.store.subscriptions.edit(id, draft, at: visit.moment)
                return .done(link(id))
            },
            gate.form(path("pause")) { visit, form in try set(.paused, form, visit) },
            gate.form(path("resume")) { visit, form in try set(.active, form, visit) },
            gate.page(path("cancel")) { try CancelPage($0).page() },
            gate.form(path("cancel"), again: { try CancelPage($0).page() }) { visit, form in
                let day = form.trimmed("from").isEmpty ? nil : try form.day("from")
                _ = try visit.store.subscriptions.cancel(visit.id(), on: day, at: visit.moment)
                return .done(try back(form, visit))
            },
            gate.form(path("share"), again: page) { visit, form in
                let subscription = try visit.store.subscriptions.load(visit.id())
                try ShareSection(visit, subscription).save(form)
                return .done(link(subscription.id))
            },
            gate.form(path("suggest")) { visit, _ in
                let subscription = try visit.store.subscriptions.load(visit.id())
                try visit.store.suggestions.add(subscription.name, at: visit.moment)
                return .page(link(subscription.id))
            },
            gate.form(path("delete")) { visit, form in
                let parts = try visit.store.subscriptions.delete(visit.id(), at: visit.moment)
                return .answer(AppResponse.seeOther(try visit.deleted(list(form) ?? HTMLLink(), parts)))
            },
        ]
    }

    static func link(_ id: UUID) -> HTMLLink { HTMLLink("subscriptions", id.lowercased) }

    private static func page(_ visit: AppVisit) throws -> [UInt8] { try SubscriptionPage(visit).page() }

    private static func path(_ name: String) -> String { "/subscriptions/{id:uuid}/\(name)" }

    private static func set(_ state: SubscriptionState, _ form: FormFields, _ visit: AppVisit) throws -> FormEnd {
        _ = try visit.store.subscriptions.setState(visit.id(), state, from: visit.moment.today, at: visit.moment)
        return .done(try back(form, visit))
    }

    /// The list, for what was done there, else the page of the subscription.
    private static func back(_ form: FormFields, _ visit: AppVisit) throws -> HTMLLink {
        try list(form) ?? link(visit.id())
    }

    /// The list that a form was in, as it was searched and filtered.
    private static func list(_ form: FormFields) -> HTMLLink? {
        guard let text = form["back"], text == HTMLLink().text || text.hasPrefix("/?") else { return nil }
        return AppVisit.back(text)
    }
}

/// What can be done with a subscription at once.
enum SubscriptionAction {
    case pause, resume, cancel
    /// Takes back a cancellation.
    case keep
    case delete

    /// Whether a page asks before it is done.
    var hasPage: Bool { self == .cancel }

    /// The last part of its address, and what its button says.
    fileprivate var words: (path: String, name: Sentence) {
        switch self {
        case .pause: ("pause", "Pause")
        case .resume: ("resume", "Resume")
        case .cancel: ("cancel", "Cancel subscription…")
        case .keep: ("resume", "Keep it")
        case .delete: ("delete", "Delete")
        }
    }

    /// - Parameter back: the list that it is done from, for an action with a page.
    func link(_ id: UUID, back: HTMLLink? = nil) -> HTMLLink {
        guard hasPage, let back, back != HTMLLink() else { return HTMLLink("subscriptions", id.lowercased, words.path) }
        return HTMLLink("subscriptions", id.lowercased, words.path, query: [("back", back.text)])
    }
}

extension SubscriptionSummary {
    /// What can be done in its state.
    var actions: [SubscriptionAction] {
        var actions: [SubscriptionAction] = []
        if status == .paused {
            actions.append(.resume)
        } else if status.isCharged || status == .trial {
            actions.append(.pause)
        }
        if ![.cancelled, .ended].contains(status), cancelsOn == nil {
            actions.append(.cancel)
        } else if status == .cancelled || cancelsOn != nil {
            actions.append(.keep)
        }
        return actions + [.delete]
    }
}

extension AppVisit {
    func name(_ action: SubscriptionAction) -> String { text(action.words.name) }
}
