import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

extension Session {
    /// Reads a split from its flags. `parts` holds a percentage, an amount or a number per person, depending on the
    /// kind.
    func split(
        _ kind: SplitKind, between people: [UUID], parts: [(person: UUID, value: String)]?, currency: Currency
    ) throws -> Split {
        guard let values = parts else { return Split(kind: kind, people: people) }
        let weights = try values.map { _, text in
            let weight: Int64? =
                switch kind {
                case .percent: Split.percentage(text.replacing(",", with: "."))
                case .exact: (try? money(text, currency.code, field: "parts"))?.minorUnits
                case .shares: Int64(text)
                case .even, .free: nil
                }
            guard let weight else {
                throw Fault(
                    "parts", .invalidFormat, "Must be percentages, amounts or whole numbers, depending on --split.")
            }
            return weight
        }
        return Split(kind: kind, people: values.map(\.person), weights: weights)
    }

    /// Each person's part of a subscription's price today; nil when it is not shared today.
    func shareParts(of subscription: Subscription) throws -> ShareParts? {
        guard let share = try store.sharing.plan(of: subscription.id, at: moment).current else { return nil }
        return try shareParts(share, of: subscription.price(on: moment.today))
    }

    /// The splits of a subscription that begin after today, with the parts of the price of their day.
    func laterParts(of subscription: Subscription) throws -> [(from: CalendarDay, shares: ShareParts)] {
        try store.sharing.plan(of: subscription.id, at: moment).later.map { period in
            let price = subscription.price(on: period.from)
            let share = period.split.map { SubscriptionShare(subscriptionID: subscription.id, split: $0) }
            return (period.from, try share.map { try shareParts($0, of: price) } ?? ShareParts(price: price))
        }
    }

    /// Each person's part of a price.
    func shareParts(_ share: SubscriptionShare, of price: Money) throws -> ShareParts {
        let names = try personNames()
        // Fixed parts may exceed a price that has fallen; they are then shown as agreed.
        let exceedsPrice = share.exceeds(price)
        let others =
            exceedsPrice
            ? zip(share.split.people, share.split.weights).map { PersonAmount(personID: $0, minorUnits: $1) }
            : try share.parts(of: price).others
        return ShareParts(
            price: price, exceedsPrice: exceedsPrice, isAccepted: share.isAccepted, notes: share.notes,
            // The owner bears the parts of people who were deleted.
            parts: others.compactMap { part in
                names[part.personID].map { name in
                    (part.personID.lowercased, name, Money(minorUnits: part.minorUnits, currency: price.currency))
                }
            })
    }
}

/// Who pays which part of a price.
struct ShareParts {
    let price: Money
    /// Whether the fixed parts exceed the price, so that the split has to be renewed.
    var exceedsPrice = false
    /// Whether the other people agreed.
    var isAccepted = false
    /// Notes on the share.
    var notes = ""
    var parts: [(person: String, name: String, amount: Money)] = []

    /// The owner's part; negative when the other parts exceed the price.
    var owner: Money {
        Money(minorUnits: price.minorUnits - parts.reduce(0) { $0 + $1.amount.minorUnits }, currency: price.currency)
    }

    func write(to json: inout JSONWriter, later: [(from: CalendarDay, shares: ShareParts)] = []) {
        writeParts(to: &json)
        json.array("shares_later", later) { json, period in
            json.field("from", period.from.iso)
            json.money(period.shares.price)
            period.shares.writeParts(to: &json)
        }
    }

    private func writeParts(to json: inout JSONWriter) {
        json.array("shares", parts) { json, part in
            json.field("person_id", part.person)
            json.field("name", part.name)
            json.money(part.amount)
        }
    }

    /// `Zoé €4.33, Ana €4.33`.
    func text(_ session: Session) -> String {
        guard !parts.isEmpty else { return session.text("you pay everything") }
        return parts.map { "\($0.name) \(session.money($0.amount))" }.joined(separator: ", ")
    }

    func warning(_ session: Session) -> Sentence {
        let (sum, price) = (
            Money(minorUnits: self.price.minorUnits - owner.minorUnits, currency: price.currency), price
        )
        return """
            the shares add up to \(session.money(sum)), more than the price of \(session.money(price)); run \
            `subguard share`
            """
    }
}
