import SubGuardDomain

/// When devices join, and how often their owners open the app.
package struct Population: Sendable {
    private enum Kind {
        case fleet
        case growth(SignupCurve, startHour: Int)
    }

    /// The number of simulated days.
    package let days: Int
    private let kind: Kind

    /// Devices for load: all join within the first eighth of the days, at least the first day, and stay. Most are
    /// active nearly all the time, and they are not synchronised.
    package static func fleet(days: Int) -> Population { Population(days: days, kind: .fleet) }

    /// Devices for a history: they join at a growing rate over all days, and many lose interest.
    ///
    /// - Parameter startHour: the hour of the day (UTC) at which each simulated day begins.
    package static func growth(days: Int, startHour: Int) -> Population {
        Population(days: days, kind: .growth(SignupCurve(days: days), startHour: startHour))
    }

    /// In simulated milliseconds.
    package static func joiningPeriod(days: Int) -> Int64 { max(DeviceLife.day, Int64(days) * DeviceLife.day / 8) }

    /// The time of a device's first visit, in simulated milliseconds.
    func joinsAt(_ random: inout SplitMix64) -> Int64 {
        switch kind {
        case .fleet: return Int64(random.below(Int(Self.joiningPeriod(days: days))))
        case .growth(let signups, let startHour):
            let day = signups.day(random.fraction())
            let hour = (random.pick(Self.hours) - startHour + 24) % 24
            return Int64(day) * DeviceLife.day + Int64(hour) * 3_600_000 + Int64(random.below(3_600_000))
        }
    }

    /// The probability that the owner opens the app `age` days after the first visit.
    func openProbability(_ owner: Owner, age: Int) -> Double {
        switch kind {
        case .fleet: return owner.habit
        case .growth:
            guard age < owner.leavesOnDay ?? .max else { return 0 }
            // Falls steeply at first and flattens after some weeks.
            return owner.engagement * (0.3 + 0.7 / (1 + 0.25 * Double(age)))
        }
    }

    /// Hours (UTC) at which people use their phones; most live one or two hours east of it.
    private static let hours: [(choice: Int, weight: Double)] = zip(
        0..<24, [2, 1, 1, 1, 2, 6, 14, 18, 14, 11, 12, 16, 15, 12, 11, 12, 15, 19, 22, 24, 20, 14, 8, 4]
    ).map { ($0, $1) }
}

/// The distribution of sign-ups over days: many at the launch, then steady growth.
private struct SignupCurve: Sendable {
    private static let launchFactor = 1.6
    /// A history moves sign-ups from weekends to preceding days. The last week loses some to the week before it and
    /// gains none from a later week.
    private static let lastWeekFactor = 1.06

    /// Cumulative weights, oldest day first.
    private let sums: [Double]

    init(days: Int) {
        var sum = 0.0
        sums = (0..<days).map { day in
            let time = Double(day) / Double(days)
            let growth = 1 + 1.2 * time + 2.4 * time * time
            sum += growth * (day < 7 ? Self.launchFactor : day >= days - 7 ? Self.lastWeekFactor : 1)
            return sum
        }
    }

    /// The day by which this share of all devices has signed up; 0 is the oldest.
    func day(_ share: Double) -> Int {
        let target = share * (sums.last ?? 0)
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] > target { high = middle } else { low = middle + 1 }
        }
        return max(0, low)
    }
}

/// The constant traits of a device's owner.
struct Owner: Sendable {
    /// The daily probability of opening the app, for owners who never lose interest.
    let habit: Double
    /// The probability of opening the app relative to the most engaged owner: 0.45 to 1.
    let engagement: Double
    /// Days after the sign-up on which the app is deleted; nil if it is kept.
    let leavesOnDay: Int?
    /// How many subscriptions the owner wants to enter; may be 0.
    let wantedSubscriptions: Int
    /// What the owner buys when the free version is full.
    let priceTier: String

    init(_ random: inout SplitMix64) {
        habit = random.pick(Self.habits)
        engagement = 0.45 + 0.55 * random.fraction()
        let stay = random.pick(Self.stays)
        let day = stay.lowerBound + random.below(stay.count)
        leavesOnDay = day > 0 ? day : nil
        wantedSubscriptions = random.pick(Self.wanted)
        priceTier = random.pick(Self.tiers)
    }

    private static let habits: [(choice: Double, weight: Double)] = [(0.97, 1), (0.8, 1), (0.5, 1), (0.2, 1)]
    /// Days until the app is deleted; 0 means never.
    private static let stays: [(choice: ClosedRange<Int>, weight: Double)] = [
        (1...2, 14), (3...14, 20), (15...60, 22), (0...0, 44),
    ]
    private static let wanted: [(choice: Int, weight: Double)] = [
        (0, 22), (1, 10), (2, 12), (3, 14), (4, 15), (5, 17), (6, 3), (7, 3), (8, 2), (10, 1.5), (12, 0.5),
    ]
    private static let tiers: [(choice: String, weight: Double)] = [("monthly", 55), ("yearly", 38), ("lifetime", 7)]
}
