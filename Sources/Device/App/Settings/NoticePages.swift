import DeviceWords
import HTML
import HTTPServer
import JSONWire
import SubGuardClient
import SubGuardDomain
import SubGuardEngine

/// Due reminders as notifications of the browser, while a page of the app is open.
///
/// They share the memory of `subguard remind`: each reminder is shown once on this device, by the first of them.
enum NoticePages {
    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.form("/reminders/due", isChange: false) { visit, _ in
                .answer(AppResponse.json(try take(visit).map { json($0, visit) }))
            }
        ]
    }

    /// The reminders that are due, recorded as told. Empty while another program tells them.
    private static func take(_ visit: AppVisit) throws -> [DueReminder] {
        // The lock of `subguard remind`, so that two at once do not tell the same.
        let path = visit.store.path + ".remind-lock"
        guard let lock = try Waiting.value({ try await FileLock.take(path, timeout: .seconds(2)) }) else { return [] }
        defer { withExtendedLifetime(lock) {} }
        try visit.store.reminders.begin(at: visit.moment)
        let due = try visit.store.reminders.due(language: visit.words, at: visit.moment)
        // Nothing is written for nothing: open pages would be told of a change, and would ask again.
        if !due.isEmpty { try visit.store.reminders.noteTold(due, isAll: true, at: visit.moment) }
        return due
    }

    private static func json(_ reminder: DueReminder, _ visit: AppVisit) -> JSONValue {
        let link = reminder.subscriptionID.map { SubscriptionPages.link($0) } ?? AppSection.calendar.link
        return [
            "id": .string(reminder.id), "title": .string(reminder.name),
            // What it says may have an amount.
            "text": .string(visit.look.isVeiled ? visit.when(reminder.on) : reminder.message),
            "link": .string(link.text),
        ]
    }

    /// The switch on the page of reminders. Hidden until the script has found that the browser can do it.
    static func write(_ visit: AppVisit, to html: inout HTMLWriter) {
        html.add(.div, .class("stack after"), .data("notify"), .hidden) { html in
            html.add(.div, .class("actions")) { html in
                html.add(
                    .button, .type("button"), .data("notify-on"), text: visit.text("Show notifications from this page"))
                html.add(
                    .button, .type("button"), .data("notify-off"), .hidden,
                    text: visit.text("Stop notifications from this page"))
            }
            html.add(
                .p, .class("notice warn"), .role("status"), .data("notify-blocked"), .hidden,
                text: visit.text("The browser blocks notifications of this address. Allow them in its settings."))
            html.add(
                .p, .class("hint"),
                text: visit.text(
                    "Shown while a page of the app is open. Each reminder is shown once, here or by subguard remind."))
        }
    }
}
