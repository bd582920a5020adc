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
                    InvalidField(field: "parts", code: "invalid_format", detail: "A part does not fit the split."))
            }
            return weight
        }
        return Split(kind: kind, people: values.map(\.person), weights: weights)
    }

    /// What each person bears of a subscription's price today.
    func shareParts(of subscription: Subscription) throws -> [(person: String, name: String, amount: Money)] {
        guard let share = try store.share(of: subscription.id) else { return [] }
        let names = try personNames()
        let price = subscription.price(on: moment.today)
        // A price that has fallen below fixed parts leaves nothing to tell.
        guard let parts = try? share.parts(of: price) else { return [] }
        return parts.others.map { part in
            (
                part.personID.lowercased, names[part.personID] ?? text("(deleted)", "(supprimé)"),
                Money(minorUnits: part.minorUnits, currency: price.currency)
            )
        }
    }
}
