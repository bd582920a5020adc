import SubGuardDomain

/// Charges that repeat another one within days: a payee that charged twice.
enum RepeatedCharges {
    typealias Charge = RecurringCharges.Charge

    /// The most days between a charge and its double.
    static let reach = 3

    /// Whether a charge may be the double of another: about the same amount within days.
    static func isRepeat(_ charge: (on: CalendarDay, units: Int64), of other: (on: CalendarDay, units: Int64)) -> Bool {
        abs(charge.on.days(until: other.on)) <= reach
            && abs(charge.units - other.units) * 50 <= max(charge.units, other.units)
    }

    /// Takes out single doubles. Where most charges of an amount come twice, they are two contracts, and where a payee
    /// is paid at any time, they are purchases: both stay.
    ///
    /// - Parameter charges: by day.
    /// - Returns: what is left, and each double with the charge that stays. Of two, the one that came back is the
    ///   double.
    static func split(_ charges: [Charge]) -> (charges: [Charge], repeats: [(charge: Charge, first: Charge)]) {
        guard charges.count >= 3 else { return (charges, []) }
        var places: [Int64: [Int]] = [:]
        for (place, charge) in charges.enumerated() { places[charge.units, default: []].append(place) }
        var firsts: [Int: Int] = [:]
        for places in places.values where places.count >= 2 {
            var events: [[Int]] = []
            for place in places {
                if let begin = events.last?.first, charges[begin].on.days(until: charges[place].on) <= reach {
                    events[events.count - 1].append(place)
                } else {
                    events.append([place])
                }
            }
            let multiple = events.filter { $0.count > 1 }
            // Alone, a pair may be two contracts as well; other amounts of the payee tell.
            guard multiple.count * 2 < events.count || events.count == 1 && places.count == 2 else { continue }
            for event in multiple {
                let first = event.first { !charges[$0].isRefunded } ?? event[0]
                for place in event where place != first { firsts[place] = first }
            }
        }
        guard !firsts.isEmpty, firsts.count * 3 <= charges.count else { return (charges, []) }
        let repeats = firsts.keys.sorted().compactMap { place in
            firsts[place].map { (charge: charges[place], first: charges[$0]) }
        }
        return (charges.indices.filter { firsts[$0] == nil }.map { charges[$0] }, repeats)
    }
}

/// Several contracts of one payee that are charged in the same months.
enum ParallelCharges {
    typealias Charge = RecurringCharges.Charge

    private static let most = 4
    /// More charges at one payee are purchases.
    private static let maximumCharges = 400

    /// By amount where amounts differ, else by the day of the month. Nil unless every part has a rhythm of a month or
    /// more.
    static func split(_ charges: [Charge], known: BillingCycle?) -> [RecurringSeries]? {
        byAmount(charges, known: known) ?? byPhase(charges, known: known, isCertain: true)
    }

    /// Parts with a step in the amounts between them.
    private static func byAmount(_ charges: [Charge], known: BillingCycle?) -> [RecurringSeries]? {
        guard charges.count >= 6, charges.count <= maximumCharges else { return nil }
        let sorted = charges.sorted { ($0.units, $0.on) < ($1.units, $1.on) }
        let steps = sorted.indices.dropFirst().map { place in
            (place: place, ratio: Double(sorted[place].units) / Double(max(sorted[place - 1].units, 1)))
        }
        .sorted { ($0.ratio, $1.place) > ($1.ratio, $0.place) }
        for count in 2...most {
            let cuts = steps.prefix(count - 1)
            guard cuts.count == count - 1, cuts.allSatisfy({ $0.ratio >= 1.15 }) else { return nil }
            let bounds = [0] + cuts.map(\.place).sorted() + [sorted.count]
            let parts = zip(bounds, bounds.dropFirst()).map {
                sorted[$0..<$1].sorted { ($0.on, $0.units) < ($1.on, $1.units) }
            }
            if let series = fitted(parts, known: known) { return series }
        }
        return nil
    }

    /// The first, second and further charge of each month, where most months have the same number of them.
    ///
    /// - Parameter isCertain: whether the payee has subscriptions; purchases would pass for them by chance.
    static func byPhase(_ charges: [Charge], known: BillingCycle?, isCertain: Bool) -> [RecurringSeries]? {
        guard charges.count >= 6, charges.count <= maximumCharges else { return nil }
        let places = charges.map { BookingRhythm.monthPlace($0.on) }
        let month = BookingRhythm.monthDays
        let phases = places.map { $0.truncatingRemainder(dividingBy: month) }.sorted()
        // A month begins where nothing is charged.
        var (gap, cut) = (phases[0] + month - phases[phases.count - 1], phases[0])
        for (before, after) in zip(phases, phases.dropFirst()) where after - before > gap {
            (gap, cut) = (after - before, after)
        }
        cut -= min(gap / 2, 3)
        var months: [Int: [Charge]] = [:]
        for (charge, place) in zip(charges, places) {
            months[Int(((place - cut) / month).rounded(.down)), default: []].append(charge)
        }
        let counts = Dictionary(grouping: months.values) { $0.count }.mapValues(\.count)
        guard let usual = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
            (2...(isCertain ? most : 2)).contains(usual.key),
            usual.value * 5 >= months.count * 3
        else { return nil }
        var parts = Array(repeating: [Charge](), count: usual.key)
        for number in months.keys.sorted() {
            guard let charges = months[number], charges.count == usual.key else { continue }
            for (place, charge) in charges.enumerated() { parts[place].append(charge) }
        }
        // The rest goes where it is nearest.
        let days = parts.map { part in
            part.map { BookingRhythm.monthPlace($0.on) - cut }.map { $0 - (($0 / month).rounded(.down)) * month }
                .sorted()[part.count / 2]
        }
        for number in months.keys.sorted() {
            guard let charges = months[number], charges.count != usual.key else { continue }
            var free = Set(parts.indices)
            for charge in charges {
                let place = BookingRhythm.monthPlace(charge.on) - cut
                let day = place - (place / month).rounded(.down) * month
                guard let part = free.min(by: { (abs(days[$0] - day), $0) < (abs(days[$1] - day), $1) }) else { break }
                free.remove(part)
                parts[part].append(charge)
            }
        }
        return fitted(
            parts.map { $0.sorted { ($0.on, $0.units) < ($1.on, $1.units) } }, known: known,
            distance: isCertain ? 2.5 : 1.5)
    }

    /// Nil unless each part is charged monthly or less often, at days that are near.
    private static func fitted(
        _ parts: [[Charge]], known: BillingCycle?, distance: Double = 2.5
    ) -> [RecurringSeries]? {
        var series: [RecurringSeries] = []
        for part in parts {
            guard part.count >= 3, let found = RecurringSeries.best(part, known: known, minimumCoverage: 0.75),
                found.rhythm.meanDistance <= distance, AmountPattern(found.charges.map(\.units)) != .scattered
            else { return nil }
            if case .days(let count) = found.rhythm.cycle.step, count < 28 { return nil }
            series.append(found)
        }
        return series.sorted { ($0.charges[0].on, $0.charges[0].units) < ($1.charges[0].on, $1.charges[0].units) }
    }
}
