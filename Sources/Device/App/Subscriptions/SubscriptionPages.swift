import DeviceWords
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import SubGuardDomain
import SubGuardEngine

/// The list of subscriptions with the annual cost, and what can be done with one.
enum SubscriptionPages {
    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/") { visit in
                AppResponse.page(try SubscriptionListPage(visit).page())
            },
            gate.page("/subscriptions/{id:uuid}") { visit in
                AppResponse.page(try SubscriptionPage(visit, try visit.request.parameters.uuid()).page())
            },
            change(
                gate, "edit",
                refill: { visit, id, form in
                    let shown = SubscriptionForm.shown(form)
                    return try SubscriptionPage(visit, id).page(
                        typed: SubscriptionForm.draft(form), shown: shown.isEmpty ? nil : shown)
                }
            ) { visit, id, form in
                let page = try SubscriptionPage(visit, id)
                let (typed, shown) = (SubscriptionForm.draft(form), SubscriptionForm.shown(form))
                do {
                    let draft = try page.changes(typed, shown: shown)
                    guard !draft.isEmpty else { return AppResponse.seeOther(visit.nothingDone(link(id))) }
                    _ = try visit.store.subscriptions.edit(id, draft, at: visit.moment)
                    return AppResponse.seeOther(try visit.done(link(id)))
                } catch let error as DeviceStoreError {
                    let faults = error.faults
                    return AppResponse.page(
                        page.page(
                            typed: typed, shown: shown.isEmpty ? nil : shown, faults: faults,
                            error: faults.isEmpty ? error : nil),
                        .unprocessableContent)
                }
            },
            change(gate, "pause") { visit, id, form in
                _ = try visit.store.subscriptions.setState(
                    id, .paused, from: visit.moment.today, at: visit.moment)
                return AppResponse.seeOther(try visit.done(back(form, id)))
            },
            change(gate, "resume") { visit, id, form in
                _ = try visit.store.subscriptions.setState(
                    id, .active, from: visit.moment.today, at: visit.moment)
                return AppResponse.seeOther(try visit.done(back(form, id)))
            },
            gate.page("/subscriptions/{id:uuid}/cancel") { visit in
                let id = try visit.request.parameters.uuid()
                return AppResponse.page(try CancelPage(visit, id, back: visit.parameter("back")).page())
            },
            change(
                gate, "cancel",
                refill: { visit, id, form in
                    try CancelPage(visit, id, back: form["back"], typed: form["from"]).page()
                }
            ) { visit, id, form in
                let typed = (form["from"] ?? "").trimmingBlanks
                let day = CalendarDay(iso: typed)
                do {
                    guard typed.isEmpty || day != nil else {
                        throw DeviceStoreError.invalid(
                            Fault("from", .invalidDay, "Must be a date such as 2027-01-15."))
                    }
                    _ = try visit.store.subscriptions.cancel(id, on: day, at: visit.moment)
                    return AppResponse.seeOther(try visit.done(back(form, id)))
                } catch let error as DeviceStoreError where !error.faults.isEmpty {
                    let page = try CancelPage(visit, id, back: form["back"], typed: typed, faults: error.faults)
                    return AppResponse.page(page.page(), .unprocessableContent)
                }
            },
            change(
                gate, "share",
                refill: { visit, id, form in
                    let share = try ShareSection(visit, try visit.store.subscriptions.load(id), typed: form)
                    return try SubscriptionPage(visit, id, share: share).page()
                }
            ) { visit, id, form in
                let subscription = try visit.store.subscriptions.load(id)
                do {
                    try ShareSection(visit, subscription).save(form)
                    return AppResponse.seeOther(try visit.done(link(id)))
                } catch let error as DeviceStoreError where !error.faults.isEmpty {
                    let share = try ShareSection(visit, subscription, typed: form, faults: error.faults)
                    return AppResponse.page(
                        try SubscriptionPage(visit, id, share: share).page(), .unprocessableContent)
                }
            },
            change(gate, "suggest") { visit, id, _ in
                let name = try visit.store.subscriptions.load(id).name
                try visit.store.suggestions.add(name, at: visit.moment)
                return AppResponse.seeOther(link(id).text)
            },
            change(gate, "delete") { visit, id, form in
                try visit.store.subscriptions.delete(id, at: visit.moment)
                return AppResponse.seeOther(try visit.done(list(form) ?? HTMLLink()))
            },
        ]
    }

    /// The list, for what was done there, else the page of the subscription.
    private static func back(_ form: FormFields, _ id: UUID) -> HTMLLink { list(form) ?? link(id) }

    /// The list that a form was in, as it was searched and filtered.
    private static func list(_ form: FormFields) -> HTMLLink? {
        guard let text = form["back"], text == HTMLLink().text || text.hasPrefix("/?") else { return nil }
        return AppVisit.back(text)
    }

    static func link(_ id: UUID) -> HTMLLink { HTMLLink("subscriptions", id.lowercased) }

    private static func change(
        _ gate: AppGate, _ name: String,
        refill: (@Sendable (AppVisit, UUID, FormFields) throws -> [UInt8])? = nil,
        _ handler: @escaping @Sendable (AppVisit, UUID, FormFields) throws -> Response
    ) -> Route {
        var shown: (@Sendable (AppVisit, FormFields) throws -> [UInt8])?
        if let refill {
            shown = { visit, form in try refill(visit, try visit.request.parameters.uuid(), form) }
        }
        return gate.form("/subscriptions/{id:uuid}/\(name)", refill: shown) { visit, form in
            try handler(visit, try visit.request.parameters.uuid(), form)
        }
    }
}
