import DeviceWords
import Foundation
import HTML
import SubGuardDomain
import SubGuardEngine

/// How a subscription is shared: the form on its page.
struct ShareSection {
    private let visit: AppVisit
    private let subscription: Subscription
    private let people: [Person]
    /// Of today.
    private let share: SubscriptionShare?
    private let parts: ShareParts
    private let later: [(from: CalendarDay, parts: ShareParts)]
    /// Where the form is sent.
    private let link: HTMLLink

    init(_ visit: AppVisit, _ subscription: Subscription) throws {
        self.visit = visit
        self.subscription = subscription
        link = HTMLLink("subscriptions", subscription.id.lowercased, "share")
        people = try visit.store.sharing.people().filter { $0.id != Person.me }
        let sharing = visit.store.sharing
        let plan = try sharing.plan(of: subscription.id, at: visit.moment)
        share = plan.current
        parts = try sharing.parts(of: share, subscription.price(on: visit.moment.today))
        later = try plan.later.map { ($0.from, try sharing.parts(of: $0, subscription)) }
    }

    private var price: Money { subscription.price(on: visit.moment.today) }

    /// Saves what a form says. Throws the faults of its fields.
    func save(_ form: FormFields) throws {
        let newcomer = try newcomer(form)
        let currency = form.shown(Self.currencyName).flatMap { Currency(code: $0) } ?? price.currency
        var split = try SplitForm.split(form, among: people.map(\.id), in: currency)
        if let newcomer { try SplitForm.add(newcomer.id, to: &split, form, in: currency) }
        let typed = split
        let shown = form[Self.shownName]
        // Another window may have changed the currency since; parts that were not touched stay as they are.
        if typed.kind == .exact, currency != price.currency, shown != Self.text(typed) {
            throw Fault(
                "parts", .outOfRange, "The currency is \(price.currency.code) now. Check the amounts.")
        }
        let day = (form["from"] ?? "").isEmpty ? visit.moment.today : try form.day("from")
        let (accepted, notes) = (form.editedTick("accepted"), form.edited("share_notes"))
        do {
            try visit.store.sharing.changeShare(
                of: subscription.id, from: day,
                // The tick that stands beside another split is meant for that one.
                isAccepted: accepted ?? (shown == Self.text(typed) ? nil : form["accepted"] != nil), notes: notes,
                newcomer: newcomer, at: visit.moment
            ) { share in
                let stored = share?.split ?? .unshared
                let split = shown.map { Self.merged(typed, stored, shown: $0) } ?? typed
                // Who bears what from which day on stays when only the notes or the agreement change.
                return share?.split == split && (accepted, notes) != (nil, nil) ? nil : split
            }
        } catch let error as DeviceStoreError {
            guard let fault = error.faults.first, fault.pointer == "notes" else { throw error }
            // The form of the subscription has a field of that name.
            throw fault.at("share_notes")
        }
    }

    /// A person who is not known yet, added with the share; nil if none was named. A known name is refused.
    private func newcomer(_ form: FormFields) throws(Fault) -> Person? {
        let name = form.trimmed(SplitForm.newcomerName)
        guard !name.isEmpty else { return nil }
        if people.contains(where: { TextFolding.fold($0.name) == TextFolding.fold(name) }) {
            throw Fault(SplitForm.newcomerName, .duplicate, "This person is in the list already.")
        }
        let valid = try FieldRules.name(name, field: SplitForm.newcomerName)
        return Person(id: visit.store.makeID(visit.moment), name: valid, createdAt: visit.moment.now)
    }

    // MARK: The split that the page showed

    private static let shownName = "shown_share"
    /// That of exact parts.
    private static let currencyName = "currency"

    private var stored: Split { share?.split ?? .unshared }

    /// The kind and the people with their parts, in no particular order.
    private static func text(_ split: Split) -> String {
        let parts = split.people.enumerated().map { index, id in
            split.weights.indices.contains(index) ? "\(id.lowercased)=\(split.weights[index])" : id.lowercased
        }
        return ([split.kind.rawValue] + parts.sorted()).joined(separator: " ")
    }

    /// A typed split without taking back what another window has changed since the page was shown: a split that was not
    /// touched stays as it is stored, and people who were added or removed elsewhere stay so.
    private static func merged(_ typed: Split, _ stored: Split, shown: String) -> Split {
        guard shown != Self.text(stored) else { return typed }
        guard shown != Self.text(typed) else { return stored }
        guard [typed.kind, stored.kind] == [.even, .even] else { return typed }
        let former = Set(shown.split(separator: " ").dropFirst().compactMap { UUID(uuidString: String($0)) })
        var split = typed
        split.people =
            stored.people.filter { typed.people.contains($0) || !former.contains($0) }
            + typed.people.filter { !former.contains($0) && !stored.people.contains($0) }
        return split
    }

    func write(to html: inout HTMLWriter) {
        html.add(.h2, text: visit.text("Shared with"))
        if parts.others.isEmpty { html.mutedLine(visit.text("Not shared: you pay everything.")) }
        writeParts(to: &html)
        writeLater(to: &html)
        html.fold(
            share == nil ? visit.text("Share it with another person") : visit.text("Change how it is shared"),
            isOpen: visit.sent(to: link) != nil
        ) { writeForm(to: &$0) }
    }

    private func writeForm(to html: inout HTMLWriter) {
        let isAccepted = share?.isAccepted ?? false
        let fields = FieldWriter(visit, link, [("share_notes", share?.notes ?? "")])
        html.post(link, "stack", .data("guard")) { html in
            html.hidden(Self.shownName, fields.typed?[Self.shownName] ?? Self.text(stored))
            // After a fault of the parts, they are for the currency of now.
            let isRefused = fields.faults.contains { $0.pointer == "parts" }
            let currency = isRefused ? nil : fields.typed?.shown(Self.currencyName)
            html.hidden(FormFields.shownName(Self.currencyName), currency ?? price.currency.code)
            fields.writeShown([("accepted", isAccepted ? "on" : "")], to: &html)
            SplitForm(
                fields: fields, people: people.map { ($0.id, $0.name) }, legend: visit.text("The others"),
                split: stored, currency: price.currency, takesNewcomer: true
            ).write(to: &html)
            html.hint(
                visit.text(
                    """
                    You pay the rest. In equal parts and by shares, you have one part. To stop sharing, choose no \
                    person.
                    """
                ))
            visit.field(
                "from", visit.text("From"), value: fields.typed?["from"] ?? visit.moment.today.iso, type: "date",
                faults: fields.faults, to: &html)
            fields.area("share_notes", visit.text("Notes on the share"), to: &html)
            fields.tick("accepted", visit.text("The others agreed"), isOn: isAccepted, to: &html)
            html.submit(visit.text("Share"))
        }
    }

    /// Each one's part of today's price.
    private func writeParts(to html: inout HTMLWriter) {
        guard let share, !parts.exceedsPrice, !parts.others.isEmpty else { return }
        html.add(.ul) { html in
            for (name, amount) in parts.others.map({ ($0.name, $0.amount) }) + [(visit.text("you"), parts.owner)] {
                html.add(.li) { $0.amount(visit.money(amount), of: name) }
            }
        }
        html.hint(
            share.isAccepted ? visit.text("agreed with the others") : visit.text("not agreed with the others yet"))
        if !share.notes.isEmpty { html.add(.p, .class("lines"), text: share.notes) }
    }

    /// The splits that begin on a later day.
    private func writeLater(to html: inout HTMLWriter) {
        for (day, parts) in later {
            html.hint(visit.text("from \(visit.day(day)): \(visit.parts(parts))"))
        }
    }
}
