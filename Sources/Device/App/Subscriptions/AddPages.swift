import DeviceWords
import Foundation
import HTML
import HTTPServer
import HTTPTypes
import SubGuardDomain
import SubGuardEngine

/// Adding a subscription: a name, what the catalogue knows of it, the rest.
enum AddPages {
    /// The field with the address that the script keeps what was typed under.
    private static let draftName = "draft"

    static func routes(_ gate: AppGate) -> [Route] {
        [
            gate.page("/add") { visit in
                let slug = visit.parameter("item")
                let item = try slug.flatMap { try visit.store.catalogue.item($0) }
                guard item != nil || visit.parameter("name") != nil else {
                    return AppResponse.page(try find(visit))
                }
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
                return AppResponse.page(
                    page(visit, values, [], draft: HTMLLink("add", query: [chosen]).text, assumed: assumed))
            },
            gate.form(
                "/add",
                refill: { visit, form in
                    page(visit, SubscriptionForm.draft(form), [], draft: form[draftName], form: form)
                }
            ) { visit, form in
                var typed = SubscriptionForm.draft(form).filter { !$0.value.isEmpty }
                do throws(Fault) {
                    if let next = try nextCharge(form, visit) { typed[.nextBillingOn] = next }
                } catch {
                    return AppResponse.page(
                        page(visit, typed, [error], draft: form[draftName], form: form), .unprocessableContent)
                }
                do {
                    let draft = try visit.store.subscriptions.wireForm(adding: typed, at: visit.moment)
                    let added = try visit.store.subscriptions.add(draft, at: visit.moment)
                    return AppResponse.seeOther(try visit.added(added.id))
                } catch let error as DeviceStoreError {
                    // What is missing too, with its own fields.
                    let missing = NewSubscription.missing(in: typed).filter { field in
                        !error.faults.contains { $0.pointer == field.rawValue }
                    }
                    let faults =
                        error.faults.isEmpty
                        ? [] : error.faults + missing.map { Fault($0.rawValue, .required, "Is required.") }
                    return AppResponse.page(
                        page(
                            visit, typed, faults, error: faults.isEmpty ? error : nil, draft: form[draftName],
                            form: form),
                        .unprocessableContent)
                }
            },
        ]
    }

    // MARK: The first charge

    /// The fields that say when it was charged last; the next charge follows from them.
    static let lastChargeName = "last_charge"
    static let dayOfMonthName = "day_of_month"

    /// The next charge of a sent form: as entered, else one cycle after the last charge, else on a day of the month.
    private static func nextCharge(_ form: FormFields, _ visit: AppVisit) throws(Fault) -> String? {
        let today = visit.moment.today
        let cycle = form[SubscriptionField.cycle.rawValue].flatMap { BillingCycle(wire: $0) } ?? .monthly
        let last = (form[lastChargeName] ?? "").trimmingBlanks
        if !last.isEmpty {
            guard let day = CalendarDay(iso: last), day <= today else {
                throw Fault(lastChargeName, .invalidDay, "Must be today or a day before.")
            }
            return NewSubscription.nextCharge(after: day, cycle: cycle, today: today)?.iso
        }
        let text = (form[dayOfMonthName] ?? "").trimmingBlanks
        guard !text.isEmpty else { return nil }
        guard let number = Int(text), (1...31).contains(number) else {
            throw Fault(dayOfMonthName, .outOfRange, "Must be a day of the month, from 1 to 31.")
        }
        return NewSubscription.nextCharge(onDayOfMonth: number, today: today)?.iso
    }

    /// Asks for what people know: when it was charged last. What is assumed without an answer is said.
    private static func writeLastCharge(
        _ visit: AppVisit, _ typed: FormFields?, _ faults: [Fault], to html: inout HTMLWriter
    ) {
        html.add(.fieldset, .class("fields")) { html in
            html.add(.legend, text: visit.text("When was it charged last?"))
            visit.field(
                lastChargeName, visit.text("Last charge"), value: typed?[lastChargeName] ?? "", type: "date",
                faults: faults, to: &html)
            visit.field(
                dayOfMonthName, visit.text("or day of the month"), value: typed?[dayOfMonthName] ?? "",
                hint: visit.text("Without either, the next charge above is assumed."), faults: faults, to: &html)
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
            html.add(.div, .class("top")) { $0.add(.h1, text: visit.text("Add a subscription")) }
            writeLimit(visit, to: &html)
            html.add(.form, .class("filters"), .action(HTMLLink("add")), .data("search", "results")) { html in
                html.add(.div, .class("field grow")) { html in
                    html.add(.label, .for("q"), text: visit.text("Name of the service"))
                    html.add(
                        .input, .type("search"), .id("q"), .name("q"), .value(typed), .autocomplete("off"),
                        .maxLength(200), .autofocus)
                }
                html.add(.button, .type("submit"), text: visit.text("Search"))
            }
            html.add(.p, .class("after")) { html in
                html.add(.a, .href(ImportPages.link), text: visit.text("Import a bank statement"))
            }
            html.add(.div, .id("results")) { html in
                html.add(.ul, .class("subscriptions")) { html in
                    for hit in hits { write(hit.item, marks, visit, to: &html) }
                    guard !typed.isEmpty else { return }
                    html.add(.li) { html in
                        html.add(.a, .href(HTMLLink("add", query: [("name", typed)]))) { html in
                            let mark = CatalogueMark(name: typed, category: "other")
                            LetterMark(letters: mark.initials, colour: mark.colour).write(to: &html)
                            html.add(.span, .class("entry")) { html in
                                html.add(.b, text: typed)
                                html.add(.small, .class("muted"), text: visit.text("enter everything by hand"))
                            }
                        }
                    }
                }
                if let starter {
                    html.add(
                        .p, .class("hint"),
                        text: visit.text(
                            "From the catalogue built in, of \(visit.day(starter.day)). Prices may have changed."))
                }
            }
        }
    }

    /// Says before anything is typed that one more needs premium, and how to get it.
    private static func writeLimit(_ visit: AppVisit, to html: inout HTMLWriter) {
        guard (try? visit.store.premium.isActive(at: visit.moment)) == false,
            let used = try? visit.store.subscriptions.list(at: visit.moment).count,
            used >= PremiumGate.freeSubscriptions
        else { return }
        html.add(.div, .class("notice warn"), .role("status")) { html in
            html.add(
                .p, text: visit.text("You have \(used) subscriptions: another one needs premium, or one deleted."))
            html.add(.p) { $0.add(.a, .href(PremiumPages.link), text: visit.text("How to get premium")) }
        }
    }

    private static func write(
        _ item: CatalogueItem, _ marks: ServiceMarks, _ visit: AppVisit, to html: inout HTMLWriter
    ) {
        html.add(.li) { html in
            html.add(.a, .href(HTMLLink("add", query: [("item", item.slug)]))) { html in
                marks.write(item, to: &html)
                html.add(.span, .class("entry")) { html in
                    html.add(.b, text: item.name)
                    html.add(
                        .small, .class("muted"),
                        text: SubscriptionCategory(catalogue: item.category).displayName(visit.words))
                }
                html.add(.span, .class("price")) { html in
                    html.add(.b, .class("amount"), text: visit.money(item.typicalAmount))
                    html.add(.small, .class("muted"), text: visit.cycle(item.billingCycle))
                }
            }
        }
    }

    private static func page(
        _ visit: AppVisit, _ values: SubscriptionDraft, _ faults: [Fault], error: (any Error)? = nil, draft: String?,
        form: FormFields? = nil, assumed: SubscriptionDraft? = nil
    ) -> [UInt8] {
        visit.page(.subscriptions, title: visit.text("Add a subscription")) { html in
            html.crumb(HTMLLink("add"), visit.text("Another service"))
            html.add(.div, .class("top")) { $0.add(.h1, text: visit.text("Add a subscription")) }
            if error == nil { writeLimit(visit, to: &html) }
            if let error {
                html.add(
                    .p, .class("notice bad"), .role("alert"), .tabindex(-1), .data("focus"),
                    text: visit.text(of: error))
            }
            html.add(.form, .class("form"), .methodPost, .action(HTMLLink("add")), .data("draft")) { html in
                if let draft { html.hidden(draftName, draft) }
                SubscriptionForm(
                    visit: visit, values: values, faults: faults,
                    assumed: assumed ?? form.map { SubscriptionForm.shown($0) } ?? [:]
                ).write(to: &html) { html in
                    writeLastCharge(visit, form, faults, to: &html)
                }
                html.add(.p, .class("actions")) { html in
                    html.add(.button, .type("submit"), .class("primary"), text: visit.text("Add"))
                    html.add(.a, .class("button"), .href(HTMLLink()), text: visit.text("Back"))
                }
            }
        }
    }
}
