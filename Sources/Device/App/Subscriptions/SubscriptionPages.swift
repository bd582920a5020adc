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
            change(gate, "edit") { visit, id, form in
                let page = try SubscriptionPage(visit, id)
                let (typed, shown) = (SubscriptionForm.draft(form), SubscriptionForm.shown(form))
                do {
                    let draft = try page.changes(typed, shown: shown)
                    guard !draft.isEmpty else { return AppResponse.seeOther(link(id).text) }
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
            change(gate, "cancel") { visit, id, form in
                _ = try visit.store.subscriptions.cancel(id, at: visit.moment)
                return AppResponse.seeOther(try visit.done(back(form, id)))
            },
            change(gate, "share") { visit, id, form in
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
            change(gate, "delete") { visit, id, _ in
                try visit.store.subscriptions.delete(id, at: visit.moment)
                return AppResponse.seeOther(try visit.done(HTMLLink()))
            },
        ]
    }

    /// The list, for what was done there, else the page of the subscription.
    private static func back(_ form: FormFields, _ id: UUID) -> HTMLLink {
        form["back"] == HTMLLink().text ? HTMLLink() : link(id)
    }

    static func link(_ id: UUID) -> HTMLLink { HTMLLink("subscriptions", id.lowercased) }

    private static func change(
        _ gate: AppGate, _ name: String,
        _ handler: @escaping @Sendable (AppVisit, UUID, FormFields) throws -> Response
    ) -> Route {
        gate.form("/subscriptions/{id:uuid}/\(name)") { visit, form in
            try handler(visit, try visit.request.parameters.uuid(), form)
        }
    }
}
