import SubGuardDomain

/// Charges of one payee at a rhythm.
struct RecurringSeries: Sendable {
    typealias Charge = RecurringCharges.Charge

    var rhythm: BookingRhythm
    /// By day.
    var charges: [Charge]
    /// Charges beside the rhythm that belong to it: doubled ones and single extra ones.
    var aside: [SetAside] = []
    /// Whether the payee has no other charges.
    var isWholeGroup = false

    /// A charge that is left out of the rhythm.
    struct SetAside: Sendable, Hashable {
        var charge: Charge
        var reason: StatementSetAside.Reason
    }

    /// The largest group that is searched for rhythms of single amounts.
    private static let maximumCharges = 4000
    /// How many charges may be fitted to a rhythm while series are joined and completed, for each charge of the group:
    /// a hostile file costs in proportion to its length. Statements of banks need less than ten.
    private static let workPerCharge = 50

    /// The series of a group, the first charged first.
    static func all(in group: RecurringCharges.Group) -> [RecurringSeries] {
        guard group.charges.count >= 2, group.charges.count <= maximumCharges else { return [] }
        let (charges, repeats) = RepeatedCharges.split(group.charges)
        var series = found(charges, in: group)
        for (charge, first) in repeats {
            guard let place = series.firstIndex(where: { $0.charges.contains(first) }) else { continue }
            series[place].aside.append(SetAside(charge: charge, reason: .doubled))
        }
        for place in series.indices {
            series[place].aside.sort { ($0.charge.on, $0.charge.units) < ($1.charge.on, $1.charge.units) }
        }
        return series
    }

    private static func found(_ charges: [Charge], in group: RecurringCharges.Group) -> [RecurringSeries] {
        let known = group.item?.billingCycle
        if var whole = best(charges, known: known, minimumCoverage: 0.7) {
            let amounts = AmountPattern(whole.charges.map(\.units))
            if amounts != .scattered || group.payee.kind == .directDebit || charges.count < 4 {
                whole.isWholeGroup = true
                // Two amounts that do not belong together are no price and its rise.
                if charges.count > 2 || amounts == .steady || amounts == .close { return [whole] }
            }
        }
        if group.payee.kind == .directDebit || group.item.map({ !SeriesJudgement.sellsGoods($0) }) ?? false,
            let parts = ParallelCharges.split(charges, known: known)
        {
            return parts
        }
        var byAmount: [Int64: [Charge]] = [:]
        for charge in charges { byAmount[charge.units, default: []].append(charge) }
        var series: [RecurringSeries] = []
        for units in byAmount.keys.sorted() {
            guard let charges = byAmount[units], charges.count >= 2 else { continue }
            series += chains(charges, known: known)
        }
        series.sort { $0.charges[0].on < $1.charges[0].on }
        var work = workPerCharge * charges.count
        series = joined(series, &work)
        let used = Set(series.flatMap(\.charges))
        absorb(charges.filter { !used.contains($0) }, into: &series, &work)
        return series
    }

    /// The rhythm that fits best: nearly all charges, few gaps, near the expected days. Of five charges, one may be
    /// extra.
    static func best(_ charges: [Charge], known: BillingCycle?, minimumCoverage: Double) -> RecurringSeries? {
        guard charges.count >= 2 else { return nil }
        let days = charges.map(\.on)
        var best: (cost: Double, rhythm: BookingRhythm)?
        var cycles = BookingRhythm.cycles
        if let known, known.step != .once, !cycles.contains(where: { $0.cycle == known }) {
            cycles.append((known, BookingRhythm.tolerance(of: known)))
        }
        var counts: [Int64: Int] = [:]
        for charge in charges { counts[charge.units, default: 0] += 1 }
        let ranks = charges.map { (counts[$0.units] ?? 0 > 1 ? 0 : 1) + ($0.isRefunded ? 2 : 0) }
        let strays = max(days.count / 10, days.count >= 5 ? 1 : 0)
        for (place, candidate) in cycles.enumerated() {
            let rhythm = BookingRhythm(
                days, cycle: candidate.cycle, tolerance: candidate.tolerance, ranks: ranks)
            guard rhythm.hits >= 2, rhythm.strays <= strays, rhythm.coverage >= minimumCoverage,
                rhythm.punctuality >= 0.65
            else { continue }
            // Two charges show a rhythm only when no period is missing.
            guard rhythm.hits > 2 || rhythm.gaps == 0 else { continue }
            let cost =
                Double(rhythm.strays) / Double(days.count) * 2 + (1 - rhythm.coverage)
                + rhythm.meanDistance / (4 * candidate.tolerance) + Double(place) * 0.004
                - (candidate.cycle == known ? 0.1 : 0)
            if best.map({ cost < $0.cost }) ?? true { best = (cost, rhythm) }
        }
        guard let rhythm = best?.rhythm else { return nil }
        let kept = zip(charges, rhythm.periods).filter { $0.1 != nil }.map(\.0)
        let left = zip(charges, rhythm.periods).filter { $0.1 == nil }.map(\.0)
        return RecurringSeries(
            rhythm: rhythm, charges: kept,
            aside: left.map { charge in
                let isDouble = kept.contains {
                    RepeatedCharges.isRepeat((charge.on, charge.units), of: ($0.on, $0.units))
                }
                return SetAside(charge: charge, reason: isDouble ? .doubled : .extra)
            })
    }

    /// The series among charges of one amount: all of them, or several contracts at one price.
    private static func chains(_ charges: [Charge], known: BillingCycle?) -> [RecurringSeries] {
        if let whole = best(charges, known: known, minimumCoverage: 0.6) { return [whole] }
        return ParallelCharges.byPhase(charges, known: known, isCertain: false) ?? []
    }

    /// Joins series of the same rhythm that follow one another: prices before and after a rise.
    private static func joined(_ series: [RecurringSeries], _ work: inout Int) -> [RecurringSeries] {
        var joined: [RecurringSeries] = []
        for next in series {
            // Of several that it may follow, the one that is nearest in price and day of the month.
            let place = joined.indices.filter { place in
                let before = joined[place]
                guard let last = before.charges.last, let first = next.charges.first, last.on < first.on,
                    before.rhythm.cycle == next.rhythm.cycle, isRise(from: last.units, to: first.units),
                    before.rhythm.mayFollow(last.on, first.on)
                else { return false }
                return fits(before.charges + next.charges, before.rhythm.cycle, &work) != nil
            }.min { distance(joined[$0], next) < distance(joined[$1], next) }
            if let place, let rhythm = fits(joined[place].charges + next.charges, next.rhythm.cycle, &work) {
                joined[place].aside += next.aside
                joined[place].charges += next.charges
                joined[place].rhythm = rhythm
            } else {
                joined.append(next)
            }
        }
        return joined
    }

    private static func distance(_ before: RecurringSeries, _ next: RecurringSeries) -> Double {
        guard let last = before.charges.last, let first = next.charges.first else { return .infinity }
        let days = Double(abs(last.on.day - first.on.day))
        return min(days, 31 - days) / 10 + Double(abs(last.units - first.units)) / Double(max(last.units, 1))
    }

    /// Adds single charges that stand where a charge is missing, or before the first or after the last one.
    private static func absorb(_ rest: [Charge], into series: inout [RecurringSeries], _ work: inout Int) {
        for charge in rest {
            for place in series.indices {
                let index = series[place].charges.partitionIndex { $0.on > charge.on }
                let before = index > 0 ? series[place].charges[index - 1] : nil
                let after = index < series[place].charges.count ? series[place].charges[index] : nil
                guard let near = before ?? after, isRise(from: near.units, to: charge.units),
                    before.map({ series[place].rhythm.mayFollow($0.on, charge.on) }) ?? true,
                    after.map({ series[place].rhythm.mayFollow(charge.on, $0.on) }) ?? true
                else { continue }
                var charges = series[place].charges
                charges.insert(charge, at: index)
                guard let rhythm = fits(charges, series[place].rhythm.cycle, &work),
                    rhythm.gaps <= series[place].rhythm.gaps
                else { continue }
                series[place].rhythm = rhythm
                series[place].charges = charges
                break
            }
        }
    }

    /// Nil for charges that do not fit, and once the work is used up.
    private static func fits(_ charges: [Charge], _ cycle: BillingCycle, _ work: inout Int) -> BookingRhythm? {
        guard work >= charges.count else { return nil }
        work -= charges.count
        let rhythm = BookingRhythm(
            charges.map(\.on), cycle: cycle, tolerance: BookingRhythm.tolerance(of: cycle))
        return rhythm.strays == 0 && rhythm.coverage >= 0.6 ? rhythm : nil
    }

    /// Whether one amount may be a later price of the other: from a third less to two thirds more.
    static func isRise(from before: Int64, to after: Int64) -> Bool {
        after * 3 >= before * 2 && after * 3 <= before * 5
    }
}

/// How amounts of a series behave.
enum AmountPattern: Sendable, Hashable {
    /// One price, or a few that hold for a while.
    case steady
    /// Within a quarter of one another, as when converted from another currency.
    case close
    /// Within the threefold of one another, as bills by consumption.
    case variable
    case scattered

    init(_ all: [Int64]) {
        // One that differs between two equal ones is a payment of its own.
        let units = all.enumerated().filter { place, amount in
            place == 0 || place + 1 == all.count || amount == all[place - 1] || all[place - 1] != all[place + 1]
        }
        .map(\.element)
        guard let least = units.min(), let greatest = units.max(), least > 0, units.count * 4 >= all.count * 3 else {
            self = .scattered
            return
        }
        var runs = 1
        for (left, right) in zip(units, units.dropFirst()) where left != right { runs += 1 }
        let common = Dictionary(grouping: units) { $0 }.values.map(\.count).max() ?? 0
        // A first month for one euro is a price too.
        let main = units.dropFirst(units.count > 2 ? 1 : 0)
        let isNear = (main.max() ?? greatest) <= 3 * (main.min() ?? least)
        if runs == 1 {
            self = .steady
        } else if isNear, common >= 2, runs <= 2 + units.count / 6 || common * 5 >= units.count * 4 {
            self = .steady
        } else if greatest * 4 <= least * 5 {
            self = .close
        } else if greatest <= 3 * least {
            self = .variable
        } else {
            self = .scattered
        }
    }
}
