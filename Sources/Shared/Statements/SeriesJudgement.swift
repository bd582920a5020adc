import SubGuardDomain
import TextCoding

/// Judges a series: how certain it is, its prices, whether it has ended, and why.
struct SeriesJudgement {
    private let series: RecurringSeries
    private let group: RecurringCharges.Group
    /// Charges of the payee that are in no series.
    private let others: Int
    /// The last day that is known of the accounts it was charged to: of a subscription that moved, the later one.
    private let lastDay: CalendarDay
    private let pattern: AmountPattern

    init(_ series: RecurringSeries, group: RecurringCharges.Group, others: Int) {
        self.series = series
        self.group = group
        self.others = others
        lastDay = series.charges.map(\.knownUntil).max() ?? .earliest
        pattern = AmountPattern(series.charges.map(\.units))
    }

    func proposal(number: Int) -> StatementProposal? {
        guard var confidence, let last = series.charges.last else { return nil }
        let schedule = BookingRhythm.schedule(series.charges.map(\.on), cycle: series.rhythm.cycle)
        let ended = ended(schedule, after: last.on)
        // Two charges of long ago are no subscription of today.
        if ended != nil, series.charges.count < 3 || confidence == .unsure { return nil }
        if ended != nil { confidence = min(confidence, .likely) }
        let prices = prices
        var why = reasons
        if let ended { why.append("No charge since \(last.on.iso), though one was due on \(ended.iso).") }
        let (id, amount) = (Self.id(group, series.rhythm.cycle, number), prices.last?.amount ?? money(last.units))
        let name = Self.name(group, amount)
        let charges = series.charges + series.aside.filter { $0.reason == .extra }.map(\.charge)
        return StatementProposal(
            id: id, name: name, payee: group.payee, item: group.item, cycle: series.rhythm.cycle, schedule: schedule,
            amount: amount, prices: prices, isVariable: isVariable, confidence: confidence,
            charges: series.charges.map(group.found), setAside: setAside,
            refunds: Self.refunds(of: charges, group, id, name, isFirst: number == 0), endedOn: ended, why: why)
    }

    // MARK: Confidence

    private var isDirectDebit: Bool { group.payee.kind == .directDebit }
    private var isKnown: Bool { group.item.map { !Self.sellsGoods($0) } ?? false }

    private var isYearly: Bool {
        if case .months(let count) = series.rhythm.cycle.step { return count >= 12 }
        return false
    }

    private var isShort: Bool {
        if case .days(let count) = series.rhythm.cycle.step { return count < 28 }
        return false
    }

    /// Nil for what is no more than chance.
    private var confidence: StatementConfidence? {
        guard let found = unlimited, series.charges.contains(where: { !$0.isRefunded }) else { return nil }
        switch group.payee.kind {
        // Savings, rent and loans are regular too.
        case .transfer, .obligation, .cash: return isKnown ? .unsure : nil
        // Which service it is, is unknown.
        case .card, .directDebit:
            if group.isUnnamed { return .unsure }
            return group.payee.isService ? min(found, .likely) : found
        }
    }

    private var unlimited: StatementConfidence? {
        let (count, rhythm) = (series.charges.count, series.rhythm)
        // Charges that other payments to the same payee surround may be chance.
        let isCrowded = others > count
        switch count {
        case ..<3: return isCrowded ? nil : pair
        default: break
        }
        let isTight = rhythm.coverage >= 0.8 && (rhythm.gaps <= 1 || rhythm.gaps * 6 <= rhythm.span)
        switch pattern {
        case .steady:
            if isShort {
                // In a short cycle, many charges beside it are visits.
                guard count >= 4, isTight, series.aside.count <= 1 + count / 30 else { return nil }
                return count >= 6 && (isKnown || isDirectDebit) ? .sure : count >= 6 ? .likely : .unsure
            }
            if isCrowded, !isKnown { return count >= 5 && isTight ? .likely : nil }
            guard isTight || count >= 4 && rhythm.coverage >= 0.6 else { return isCrowded ? nil : .unsure }
            if isTight, count >= 4 || isKnown || isDirectDebit || rhythm.meanDistance <= 2.5 { return .sure }
            return .likely
        case .close:
            guard isTight, !isShort else { return isDirectDebit || isKnown ? .unsure : nil }
            if count >= 4, isKnown || isDirectDebit { return .sure }
            return count >= 6 ? .likely : isKnown || isDirectDebit ? .likely : count >= 4 ? .unsure : nil
        case .variable, .scattered:
            guard isTight, !isShort, count >= 4 else { return isDirectDebit && isTight && !isShort ? .unsure : nil }
            if isDirectDebit { return .sure }
            if isKnown { return pattern == .variable ? .likely : .unsure }
            return count >= 8 && rhythm.meanDistance <= 2 ? .unsure : nil
        }
    }

    /// Seen twice.
    private var pair: StatementConfidence? {
        guard !isShort, pattern == .steady || pattern == .close && (isKnown || isDirectDebit || isYearly) else {
            return nil
        }
        if isYearly { return isKnown || isDirectDebit || series.isWholeGroup ? .unsure : nil }
        let isCycleOfItem = group.item?.billingCycle == series.rhythm.cycle
        if pattern == .steady, isKnown && isCycleOfItem || isDirectDebit && series.rhythm.cycle == .monthly {
            return .likely
        }
        // Of something older there would be more.
        return series.rhythm.cycle == .monthly || isKnown || isDirectDebit ? .unsure : nil
    }

    /// Categories whose services are also paid by the visit or the order.
    static func sellsGoods(_ item: CatalogueItem) -> Bool {
        ["shopping", "food", "transport", "home", "pets", "health", "books"].contains(item.category)
    }

    // MARK: Prices

    private var isVariable: Bool {
        switch pattern {
        case .steady: false
        case .close, .variable, .scattered: true
        }
    }

    private func money(_ units: Int64) -> Money { Money(minorUnits: units, currency: group.currency) }

    /// Whether a last charge of another amount may be a fee, and not the next price: one of a month or so will tell.
    private var isLastOpen: Bool {
        guard !series.rhythm.cycle.isLong, series.charges.count >= 3 else { return false }
        let last = Array(series.charges.suffix(3)).map(\.units)
        return last[0] == last[1] && last[1] != last[2]
    }

    /// An amount that differs once, between two equal ones or at the end, is a payment of its own and no price.
    private var prices: [DatedPrice] {
        let charges = series.charges
        if isVariable {
            // An estimate: the median of the last year.
            let recent = charges.suffix(12).map(\.units).sorted()
            return charges.first.map { [DatedPrice(from: $0.on, amount: money(recent[recent.count / 2]))] } ?? []
        }
        var prices: [DatedPrice] = []
        for (index, charge) in charges.enumerated() where prices.last?.minorUnits != charge.units {
            let isOnce =
                index > 0 && index + 1 < charges.count && charges[index + 1].units == prices.last?.minorUnits
                || index + 1 == charges.count && isLastOpen
            if !isOnce { prices.append(DatedPrice(from: charge.on, amount: money(charge.units))) }
        }
        return prices
    }

    private var setAside: [StatementSetAside] {
        let beside = series.aside.map { StatementSetAside(group.found($0.charge), $0.reason) }
        let back = series.charges.filter(\.isRefunded).map { StatementSetAside(group.found($0), .refunded) }
        return (beside + back).sorted { ($0.charge.on, $0.reason.rawValue) < ($1.charge.on, $1.reason.rawValue) }
    }

    // MARK: End

    /// The first day on which a charge was due and none came, when two are missing or the delay is long over.
    private func ended(_ schedule: BillingSchedule, after last: CalendarDay) -> CalendarDay? {
        let grace = Int(BookingRhythm.tolerance(of: series.rhythm.cycle)) + 10
        let after = last.adding(days: grace / 2)
        guard let due = schedule.next(onOrAfter: after) else { return nil }
        return due.adding(days: grace) < lastDay ? due : nil
    }

    // MARK: Reasons

    private var reasons: [Sentence] {
        var reasons: [Sentence] = []
        let (charges, rhythm) = (series.charges, series.rhythm)
        guard let first = charges.first, let last = charges.last else { return [] }
        reasons.append("\(charges.count) charges from \(first.on.iso) to \(last.on.iso).")
        if rhythm.gaps == 1 { reasons.append("One charge is missing.") }
        if rhythm.gaps > 1 { reasons.append("\(rhythm.gaps) charges are missing.") }
        let amounts = charges.map(\.units)
        if isVariable, let least = amounts.min(), let greatest = amounts.max() {
            reasons.append("The amount varies from \(money(least)) to \(money(greatest)).")
        } else {
            let prices = prices
            if prices.count == 1 { reasons.append("The amount is \(prices[0].amount).") }
            for (before, after) in zip(prices, prices.dropFirst()) {
                reasons.append("The amount changed from \(before.amount) to \(after.amount) on \(after.from.iso).")
            }
            if isLastOpen {
                reasons.append("\(money(last.units)) on \(last.on.iso) is no new price yet: it was charged once.")
            }
        }
        for aside in setAside {
            let (amount, day) = (aside.charge.amount, aside.charge.on.iso)
            switch aside.reason {
            case .doubled where aside.charge.isRefunded:
                reasons.append("It was charged twice on \(day), and \(amount) came back.")
            case .doubled: reasons.append("It was charged twice: \(amount) again on \(day).")
            case .extra: reasons.append("Another charge of \(amount) on \(day) is set aside.")
            case .refunded: reasons.append("The charge of \(day) came back.")
            }
        }
        for charge in series.charges.map(group.found) where !charge.isRefunded {
            guard let refund = charge.refund else { continue }
            reasons.append("Of the charge of \(charge.on.iso), \(refund.amount) came back.")
        }
        if let item = group.item { reasons.append("The catalogue has \(item.name).") }
        if isDirectDebit { reasons.append("It is a direct debit.") }
        if group.payee.isService || group.isUnnamed { reasons.append("The statement does not name the merchant.") }
        if group.payee.kind == .transfer { reasons.append("It is a transfer, not a charge.") }
        if group.payee.kind == .obligation { reasons.append("It looks like a loan, rent or tax.") }
        if others > charges.count { reasons.append("\(others) other payments went to the same payee.") }
        if charges.count < 3 { reasons.append("It was seen only twice.") }
        return reasons
    }
}

extension SeriesJudgement {
    /// A service of the catalogue that was charged once: yearly, or too new for a second charge.
    static func single(_ group: RecurringCharges.Group) -> StatementProposal? {
        guard group.charges.count == 1, let charge = group.charges.first, !charge.isRefunded, let item = group.item,
            !sellsGoods(item), group.payee.kind == .card || group.payee.kind == .directDebit
        else { return nil }
        let typical = item.typicalAmount
        let isNear = { (units: Int64, percent: Int64) in
            typical.currency == group.currency
                && abs(charge.units - units) * 100 <= units * percent
        }
        let cycle: BillingCycle
        if isNear(typical.minorUnits, 40), item.billingCycle.step != .once {
            cycle = item.billingCycle
        } else if item.billingCycle == .monthly, (7...13).contains(where: { isNear(typical.minorUnits * $0, 5) }) {
            cycle = .yearly
        } else {
            return nil
        }
        let schedule = BillingSchedule(anchor: charge.on, cycle: cycle)
        // A monthly one would have been charged again.
        guard let next = schedule.day(at: 1), next.adding(days: 15) >= charge.knownUntil else { return nil }
        let amount = Money(minorUnits: charge.units, currency: group.currency)
        let (id, name) = (id(group, cycle, 0), name(group, amount))
        return StatementProposal(
            id: id, name: name, payee: group.payee, item: item, cycle: cycle, schedule: schedule, amount: amount,
            prices: [DatedPrice(from: charge.on, amount: amount)], isVariable: false, confidence: .unsure,
            charges: group.found, refunds: refunds(of: [charge], group, id, name, isFirst: true), endedOn: nil,
            why: [
                "One charge on \(charge.on.iso).", "The catalogue has \(item.name).",
                "The usual price there is \(typical).",
            ])
    }

    /// - Parameter isFirst: whether it is the proposal to which credits belong that fit no charge of the payee.
    private static func refunds(
        of charges: [RecurringCharges.Charge], _ group: RecurringCharges.Group, _ id: String, _ name: String,
        isFirst: Bool
    ) -> [StatementRefund] {
        let back = charges.map(group.found).compactMap { charge in
            StatementRefund(of: charge, proposal: id, name, charge.isRefunded ? .notCharged : .reduced)
        }
        let other = (isFirst ? group.unmatched : []).map {
            StatementRefund(on: $0.on, group.money($0.units), proposal: id, name)
        }
        return (back + other).byDay
    }

    /// The name of the service or of the payee; several at a payment service are told apart by their amounts.
    private static func name(_ group: RecurringCharges.Group, _ amount: Money) -> String {
        if let item = group.item { return item.name }
        return group.payee.isService ? "\(group.payee.display) \(amount.decimal)" : group.payee.display
    }

    /// FNV-1a of what does not change when more statements are read.
    static func id(_ group: RecurringCharges.Group, _ cycle: BillingCycle, _ number: Int) -> String {
        let text = "\(group.item?.slug ?? group.payee.key)|\(group.currency.code)|\(cycle.wire)|\(number)"
        var hash: UInt32 = 0x811C_9DC5
        for byte in text.utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        return Hexadecimal.text(hash)
    }
}
