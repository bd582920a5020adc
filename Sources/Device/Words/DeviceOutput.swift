package import SubGuardDomain
package import SubGuardEngine
package import SubGuardStatements

/// What says something of a store in a language: a page or a command.
package protocol DeviceOutput {
    var store: DeviceStore { get }
    var moment: Moment { get }
    var language: DisplayLanguage { get }
    /// How amounts are written.
    var amountStyle: AmountStyle { get }
}

extension DeviceOutput {
    package var amountStyle: AmountStyle { AmountStyle(language) }

    package func money(_ amount: Money) -> String { amount.formatted(amountStyle) }

    /// Sums of several currencies: `€12.34 + $5.00`; empty for none.
    package func money(_ sums: [Money]) -> String { sums.map { money($0) }.joined(separator: " + ") }

    /// A decimal number with the mark of the language: `5.00`, in French `5,00`.
    package func number(_ decimal: String) -> String {
        language == .french ? decimal.replacing(".", with: ",") : decimal
    }

    /// `2027-01-15`, in French `15/01/2027`; a dash for nil.
    package func day(_ day: CalendarDay?) -> String { day.map { $0.displayName(language) } ?? "–" }

    /// Day and time in the zone of the moment: `2027-01-15 11:00`, in French `15/01/2027 11:00`.
    package func time(_ instant: UTCInstant) -> String { moment.text(of: instant, language) }

    // MARK: People

    /// Names by id, those of deleted people included. The owner's own is in the language, unless edited.
    package func names() throws -> [Person.ID: String] {
        var names = try store.sharing.names()
        names[Person.me] = names[Person.me].map { Person.myName($0, language) } ?? Person.myName(language)
        return names
    }

    /// The owner as a person, before the first use of it.
    package func makeMe() throws { try store.sharing.makeMe(named: Person.myName(language), at: moment) }

    /// `Zoé → Me CHF 66.67`: who owes whom.
    ///
    /// - Parameter amount: positive when the first person owes.
    package func arrow(_ amount: Money, _ one: Person.ID, _ other: Person.ID, _ names: [Person.ID: String]) -> String {
        let name = { (id: Person.ID) in names[id] ?? Sentence("(deleted)").text(language) }
        let (from, to) = amount.minorUnits > 0 ? (one, other) : (other, one)
        let absolute = amount.magnitude
        return "\(String.arrow(name(from), name(to))) \(money(absolute))"
    }

    /// What is open between the same two people outside of the group that a payment is to settle, so that nothing is
    /// paid twice; nil for nothing.
    package func elsewhere(
        _ transfer: Transfer, in currency: Currency, of group: PersonGroup.ID, _ debts: [Debt],
        _ names: [Person.ID: String]
    ) -> Sentence? {
        let (from, to) = (transfer.from, transfer.to)
        let elsewhere = debts.open(from: from, to: to, besides: group, in: currency)
        guard elsewhere.minorUnits != 0 else { return nil }
        let both = Money(minorUnits: [elsewhere.minorUnits, transfer.minorUnits].clampedSum, currency: currency)
        let outside = arrow(elsewhere, from, to, names)
        let sum = both.minorUnits == 0 ? Sentence("nothing").text(language) : arrow(both, from, to, names)
        return "outside of this group: \(outside); both together: \(sum)"
    }

    /// `Zoé belongs to it from 2026-11-05 on`.
    package func sentence(_ change: MembershipChange, _ names: [Person.ID: String]) -> Sentence {
        let (name, day) = (names[change.personID] ?? Sentence("(deleted)").text(language), day(change.from))
        return change.isMember
            ? "\(name) belongs to it from \(day) on" : "\(name) no longer belongs to it from \(day) on"
    }

    /// `Zoé €4.33, Ana €4.33`.
    package func parts(_ shares: ShareParts) -> String {
        guard !shares.others.isEmpty else { return Sentence("you pay everything").text(language) }
        return shares.others.map { "\($0.name) \(money($0.amount))" }.joined(separator: ", ")
    }

    // MARK: Bundles

    /// `ended with Prime`, of a subscription that is over with what includes it; nil for others.
    package func ended(_ summary: SubscriptionSummary, _ subscription: Subscription, with bundle: String?) -> String? {
        guard let bundle, summary.status != subscription.status(on: moment.today) else { return nil }
        return Sentence("ended with \(bundle)").text(language)
    }

    /// What ends with a bundle that is cancelled; nil for nothing.
    package func ending(_ parts: [SubscriptionSummary]) -> Sentence? {
        guard !parts.isEmpty else { return nil }
        let (count, names) = (parts.count, parts.map(\.name).joined(separator: ", "))
        return """
            \(count) included subscription ends with it: \(names)|\
            \(count) included subscriptions end with it: \(names)
            """
    }

    /// What is charged by itself since its bundle was deleted; nil for nothing.
    package func chargedAlone(_ parts: [SubscriptionSummary]) -> Sentence? {
        guard !parts.isEmpty else { return nil }
        let named = parts.map { part in Sentence("\(part.name) from \(day(part.nextBillingOn))").text(language) }
        let (count, names) = (parts.count, named.joined(separator: ", "))
        return """
            \(count) included subscription is charged by itself now: \(names)|\
            \(count) included subscriptions are charged by themselves now: \(names)
            """
    }

    // MARK: Catalogue

    /// Where the local catalogue comes from, and what it has; nil without one.
    package func catalogue() throws -> [Sentence]? {
        if let copy = try store.catalogue.copy() {
            return [
                copy.isUpToDate(at: moment.now) ? "up to date" : "stale",
                "\(copy.itemCount) item|\(copy.itemCount) items", "checked \(time(copy.checkedAt))",
            ]
        }
        return try store.catalogue.starter().map { starter in
            ["built in, of \(day(starter.day))", "\(starter.itemCount) item|\(starter.itemCount) items"]
        }
    }

    // MARK: Statements

    /// `3 payments, last €850.00 on 2026-11-03: Landlord (loan, rent or tax)`.
    package func sentence(_ excluded: StatementExclusion) -> Sentence {
        let (count, amount, day) = (excluded.charges, money(excluded.last.amount), day(excluded.last.on))
        let (name, why) = (excluded.name, excluded.reason.phrase.text(language))
        return """
            \(count) payment, last \(amount) on \(day): \(name) (\(why))|\
            \(count) payments, last \(amount) on \(day): \(name) (\(why))
            """
    }

    /// `Netflix: €13.49 charged on 2026-08-17 came back on 2026-08-20; it counts as not charged`.
    package func sentence(_ refund: StatementRefund) -> Sentence {
        let (name, back, on) = (refund.name, money(refund.amount), day(refund.on))
        guard let charge = refund.charge else {
            return "\(name): \(back) credited on \(on), for no charge that was found"
        }
        let (whole, day, rest) = (money(charge.amount), day(charge.on), money(charge.paid))
        return switch refund.effect {
        case .notCharged: "\(name): \(back) charged on \(day) came back on \(on); it counts as not charged"
        case .reduced: "\(name): \(back) of \(whole) charged on \(day) came back on \(on); \(rest) count"
        case .kept, .unmatched:
            charge.isRefunded
                ? "\(name): \(back) charged on \(day) came back on \(on); the charge stays as you confirmed it"
                : """
                \(name): \(back) of \(whole) charged on \(day) came back on \(on); the charge stays as you \
                confirmed it
                """
        }
    }

    /// `Deezer: €12.29 on 2027-06-02 instead of €11.99; one charge changes no price`.
    package func sentence(_ other: StatementReconciliation.OtherAmount) -> Sentence {
        let (name, paid, price, day) = (other.name, money(other.amount), money(other.usual), day(other.on))
        return other.isOlder
            ? "\(name): \(paid) on \(day); the price of \(price) was entered later and stays"
            : "\(name): \(paid) on \(day) instead of \(price); one charge changes no price"
    }

    /// `Netflix: still charged after cancelling, €13.49 on 2026-11-03`.
    package func sentence(_ charged: StatementReconciliation.ChargeAfterCancelling) -> Sentence {
        let (amount, day) = (money(charged.charge.amount), day(charged.charge.on))
        return "\(charged.name): still charged after cancelling, \(amount) on \(day)"
    }

    /// `Netflix: charged twice, €13.49 again on 2026-11-05`.
    package func sentence(_ twice: StatementReconciliation.ChargeTwice) -> Sentence {
        let (name, amount, day) = (twice.name, money(twice.charge.amount), day(twice.charge.on))
        return twice.charge.isRefunded
            ? "\(name): charged twice, \(amount) again on \(day), which came back"
            : "\(name): charged twice, \(amount) again on \(day)"
    }
}

extension Moment {
    /// Day and time in the zone of this moment.
    func text(of instant: UTCInstant, _ language: DisplayLanguage) -> String {
        let (hour, minute) = time.timeOfDay(at: instant)
        let two = { (number: Int) in (number < 10 ? "0" : "") + String(number) }
        return "\(time.day(at: instant).displayName(language)) \(two(hour)):\(two(minute))"
    }
}

extension PersonGroup {
    /// The emoji and the name.
    package var title: String { emoji.isEmpty ? name : "\(emoji) \(name)" }
}
