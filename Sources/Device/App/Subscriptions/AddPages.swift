import DeviceWords
import Foundation
import HTML
import HTTPServer
import SubGuardDomain
import SubGuardEngine

/// Adding a subscription: a name, its values in the catalogue, the rest.
enum AddPages {
    /// The field with the address that the script keeps what was typed under.
    private static let draftName = "draft"

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/add") { visit in
                let slug = visit.parameter("item")
                let item = try slug.flatMap { try visit.store.catalogue.item($0) }
                guard item != nil || visit.parameter("name") != nil else { return try find(visit) }
                var values = try defaults(visit)
                if let item {
                    values.merge(item.subscriptionDraft) { $1 }
                } else if let name = visit.parameter("name") {
                    values[.name] = String(name.prefix(200))
                }
                // Each service has a draft of its own.
                let chosen = item.map { ("item", $0.slug) } ?? ("name", visit.parameter("name") ?? "")
                var assumed = values
                assumed[.name] = nil
                return page(visit, values, draft: HTMLLink("add", query: [chosen]).text, assumed: assumed)
            },
            gate.form("/add", saysAll: true, again: again) { visit, form in
                // Its faults come before those of other fields.
                let typed = completed(form, try billingDay(form, visit))
                let draft = try visit.store.subscriptions.wireForm(adding: typed, at: visit.moment)
                let added = try visit.store.subscriptions.add(draft, id: visit.newID(form), at: visit.moment)
                // The charge of today that its day of the month is kept in.
                let today = visit.moment.today
                if added.schedule.anchor == today, added.schedule.next(onOrAfter: today.adding(days: 1)) != nil,
                    try lastCharge(form, today) == today
                {
                    try visit.store.ledger.confirm(
                        OccurrenceID(subscriptionID: added.id, billingOn: today), at: visit.moment)
                }
                return .answer(AppResponse.seeOther(try visit.added(added.id)))
            },
        ]
    }

    /// What was typed; of a sent form only what is not empty.
    private static func draft(_ form: FormFields, isSent: Bool) -> SubscriptionDraft {
        let typed = SubscriptionForm.draft(form)
        return isSent ? typed.filter { !$0.value.isEmpty } : typed
    }

    /// What was sent, with the billing day that follows from the last charge; nil for none.
    private static func completed(_ form: FormFields, _ billingDay: String?) -> SubscriptionDraft {
        var typed = draft(form, isSent: true)
        typed[.nextBillingOn] = billingDay ?? typed[.nextBillingOn]
        return typed
    }

    /// The fields that must be corrected, those among them that are missing.
    private static func faults(_ error: DeviceStoreError?, in typed: SubscriptionDraft) -> [Fault] {
        let faults = error.faults
        // The day of the next charge is looked at before anything else.
        guard let first = faults.first, SubscriptionField(rawValue: first.pointer) != nil else { return faults }
        return faults
            + NewSubscription.missing(in: typed).map(\.rawValue)
            .filter { name in !faults.contains { $0.pointer == name } }
            .map { Fault($0, .required, "Is required.") }
    }

    // MARK: The first charge

    /// The fields that say when it was charged last; the next charge follows from them.
    static let lastChargeName = "last_charge"
    static let dayOfMonthName = "day_of_month"

    /// The billing day of a sent form: one that leads on from the last charge, else to a day of the month; nil without
    /// both. Throws a fault of those that contradict each other or the next charge.
    private static func billingDay(_ form: FormFields, _ visit: AppVisit) throws(Fault) -> String? {
        let today = visit.moment.today
        let cycle = form[SubscriptionField.cycle.rawValue].flatMap { BillingCycle(wire: $0) } ?? .monthly
        let (last, dayOfMonth) = (try lastCharge(form, today), try dayOfMonth(form))
        let day: CalendarDay
        if let last {
            if let dayOfMonth, last.adding(months: 0, anchorDay: dayOfMonth) != last {
                throw Fault(dayOfMonthName, .outOfRange, "Must be the day of the last charge, or empty.")
            }
            day = NewSubscription.billingDay(after: last, dayOfMonth: dayOfMonth, cycle: cycle, today: today)
        } else if let number = dayOfMonth,
            let found = NewSubscription.billingDay(onDayOfMonth: number, cycle: cycle, today: today)
        {
            day = found
        } else {
            return nil
        }
        let nextName = SubscriptionField.nextBillingOn.rawValue
        // What was assumed gives way to what was typed.
        if let typed = form.edited(nextName), !typed.isEmpty {
            guard let typed = DayText.iso(typed) else { return nil }
            let next = BillingSchedule(anchor: day, cycle: cycle)
                .next(onOrAfter: max(today, last?.adding(days: 1) ?? today))
            guard typed == next?.iso else {
                throw Fault(
                    last == nil ? dayOfMonthName : lastChargeName, .invalidDay,
                    "Must lead to the next charge above, or be empty.")
            }
        }
        return day.iso
    }

    private static func lastCharge(_ form: FormFields, _ today: CalendarDay) throws(Fault) -> CalendarDay? {
        let text = form.trimmed(lastChargeName)
        guard !text.isEmpty else { return nil }
        guard let day = CalendarDay(iso: text), day <= today else {
            throw Fault(lastChargeName, .invalidDay, "Must be today or a day before.")
        }
        return day
    }

    private static func dayOfMonth(_ form: FormFields) throws(Fault) -> Int? {
        let text = form.trimmed(dayOfMonthName)
        guard !text.isEmpty else { return nil }
        guard let number = Int(text), (1...31).contains(number) else {
            throw Fault(dayOfMonthName, .outOfRange, "Must be a day of the month, from 1 to 31.")
        }
        return number
    }

    /// Asks for what people know: when it was charged last. What is assumed without an answer is said.
    private static func writeLastCharge(_ visit: AppVisit, to html: inout HTMLWriter) {
        html.add(.fieldset, .class("fields")) { html in
            html.add(.legend, text: visit.text("When was it charged last?"))
            let fields = FieldWriter(visit, HTMLLink("add"))
            fields.line(lastChargeName, visit.text("Last charge"), type: "date", to: &html)
            fields.line(
                dayOfMonthName, visit.text("or day of the month"),
                hint: visit.text("Without either, the next charge above is assumed."), to: &html)
        }
    }

    /// The usual currency, monthly, one month from today.
    private static func defaults(_ visit: AppVisit) throws -> SubscriptionDraft {
        var values: SubscriptionDraft = [
            .cycle: BillingCycle.monthly.wire, .scope: SubscriptionScope.personal.rawValue,
        ]
        values[.currency] = try visit.usualCurrency()
        values[.nextBillingOn] = NewSubscription.assumedNextCharge(of: values, today: visit.moment.today)?.iso
        return values
    }

    // MARK: Pages

    /// Typing a name finds services of the catalogue, with typing errors too.
    private static func find(_ visit: AppVisit) throws -> [UInt8] {
        let typed = visit.parameter("q").map { String($0.prefix(200)) } ?? ""
        let hits = typed.isEmpty ? [] : try visit.store.catalogue.search(typed, limit: 8)
        let marks = try ServiceMarks(visit)
        let starter = hits.isEmpty ? nil : try visit.store.catalogue.starter()
        return visit.page(.subscriptions, title: visit.text("Add a subscription")) { html in
            html.top(visit.text("Add a subscription"))
            writeLimit(visit, to: &html)
            FilterForm(HTMLLink("add"), title: "", submit: visit.text("Search"), results: "results")
                .write([], to: &html) { html in
                    visit.field(
                        "q", visit.text("Name of the service"), value: typed, type: "search", style: "field grow",
                        .autofocus, to: &html)
                }
            html.add(.div, .id("results")) { html in
                html.add(.ul, .class("subscriptions")) { html in
                    for hit in hits {
                        let item = hit.item
                        row(("item", item.slug), to: &html) { html in
                            marks.write(item, to: &html)
                            html.entry(
                                item.name, SubscriptionCategory(catalogue: item.category).displayName(visit.words))
                            html.price(visit.money(item.typicalAmount), visit.cycle(item.billingCycle))
                        }
                    }
                    guard !typed.isEmpty else { return }
                    row(("name", typed), to: &html) { html in
                        let mark = CatalogueMark(name: typed, category: "other")
                        LetterMark(letters: mark.initials, colour: mark.colour).write(to: &html)
                        html.entry(typed, visit.text("enter everything by hand"))
                    }
                }
                if let starter {
                    html.hint(
                        visit.text(
                            "From the catalogue built in, of \(visit.day(starter.day)). Prices may have changed."))
                }
            }
            html.add(.p, .class("after")) { html in
                html.add(.a, .href(ImportPages.link), text: visit.text("Import a bank statement"))
            }
        }
    }

    private static func row(
        _ chosen: (name: String, value: String), to html: inout HTMLWriter, content: (inout HTMLWriter) -> Void
    ) {
        html.add(.li) { html in html.add(.a, .href(HTMLLink("add", query: [chosen]))) { content(&$0) } }
    }

    /// Says before anything is typed that one more needs premium, and how to get it.
    private static func writeLimit(_ visit: AppVisit, to html: inout HTMLWriter) {
        guard (try? visit.store.premium.isActive(at: visit.moment)) == false,
            let used = try? visit.store.subscriptions.list(at: visit.moment).count,
            used >= PremiumGate.freeSubscriptions
        else { return }
        html.notice(.warning) { html in
            html.paragraph(visit.text("You have \(used) subscriptions: another one needs premium, or one deleted."))
            html.add(.p) { $0.add(.a, .href(PremiumPages.link), text: visit.text("How to get premium")) }
        }
    }

    /// The form as it was sent.
    private static func again(_ visit: AppVisit) throws -> [UInt8] {
        guard let sent = visit.sent else { throw AppRefusal.notFound }
        let (form, isRefused) = (sent.fields, sent.error != nil)
        return page(
            visit, draft(form, isSent: isRefused), draft: form[draftName], assumed: SubscriptionForm.shown(form))
    }

    private static func page(
        _ visit: AppVisit, _ values: SubscriptionDraft, draft: String?, assumed: SubscriptionDraft
    ) -> [UInt8] {
        let (form, error) = (visit.sent?.fields, visit.sent?.error)
        let faults = faults(error, in: form.map { completed($0, try? billingDay($0, visit)) } ?? values)
        return visit.page(
            .subscriptions, visit.text("Add a subscription"), below: HTMLLink("add"),
            named: visit.text("Another service")
        ) { html in
            if let error, faults.isEmpty {
                html.refusal(visit.text(of: error))
            } else {
                writeLimit(visit, to: &html)
            }
            html.adding(visit, HTMLLink("add"), "form", .data("draft")) { html in
                if let draft { html.hidden(draftName, draft) }
                SubscriptionForm(visit: visit, values: values, faults: faults, assumed: assumed)
                    .write(to: &html) { writeLastCharge(visit, to: &$0) }
                html.add(.p, .class("actions")) { html in
                    html.submit(visit.text("Add"), "primary")
                    html.linkButton(visit.text("Back"), HTMLLink())
                }
            }
        }
    }
}
