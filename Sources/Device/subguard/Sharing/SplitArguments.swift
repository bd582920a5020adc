import ArgumentParser
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

extension Session {
    /// A split from its flags: `parts` are percentages, amounts or numbers beside ids, after the kind.
    func split(
        _ kind: SplitKind, between people: [UUID], parts: String?, currency: Currency
    ) throws -> Split {
        guard let parts else { return Split(kind: kind, people: people) }
        let values = try personValues(parts, field: "parts")
        let weights = try values.map { _, text in
            let weight: Int64? =
                switch kind {
                case .percent: Split.percentage(text)
                case .exact: (try? Money(decimal: text, currency: currency))?.minorUnits
                case .shares: Int64(text)
                case .even, .free: nil
                }
            guard let weight else {
                throw DeviceStoreError.invalid(
                    Fault("parts", .invalidFormat, "A part does not fit the split."))
            }
            return weight
        }
        return Split(kind: kind, people: values.map(\.person), weights: weights)
    }

    /// What each person bears of a subscription's price today.
    func shareParts(of subscription: Subscription) throws -> ShareParts? {
        guard let share = try store.sharing.share(of: subscription.id) else { return nil }
        let names = try personNames()
        let price = subscription.price(on: moment.today)
        // Of fixed parts that are more than a price that has fallen, each is shown as it was agreed.
        let exceedsPrice = share.exceeds(price)
        let others =
            exceedsPrice
            ? zip(share.split.people, share.split.weights).map { PersonAmount(personID: $0, minorUnits: $1) }
            : try checked { () throws(Fault) in try share.parts(of: price).others }
        return ShareParts(
            price: price, exceedsPrice: exceedsPrice,
            parts: others.map { part in
                (
                    part.personID.lowercased, names[part.personID] ?? text("(deleted)", "(supprimé)"),
                    Money(minorUnits: part.minorUnits, currency: price.currency)
                )
            })
    }
}

/// Who bears which part of a price.
struct ShareParts {
    let price: Money
    /// Whether the fixed parts of the others are more than the price: somebody has to agree on others.
    let exceedsPrice: Bool
    let parts: [(person: String, name: String, amount: Money)]

    /// What is left for the owner; below zero where the parts are more than the price.
    var owner: Money {
        Money(
            minorUnits: price.minorUnits - parts.reduce(0) { $0 + $1.amount.minorUnits }, currency: price.currency)
    }

    func write(to json: inout JSONWriter) {
        json.key("shares")
        json.beginArray()
        for part in parts {
            json.beginObject()
            json.field("person_id", part.person)
            json.field("name", part.name)
            json.money(part.amount)
            json.endObject()
        }
        json.endArray()
    }

    func warning(_ session: Session) -> String {
        let (sum, price) = (
            Money(minorUnits: self.price.minorUnits - owner.minorUnits, currency: price.currency), price
        )
        return session.text(
            "the shares come to \(session.money(sum)), more than the price of \(session.money(price)): share it anew",
            "les parts font \(session.money(sum)), plus que le prix de \(session.money(price)) : à repartager")
    }
}
