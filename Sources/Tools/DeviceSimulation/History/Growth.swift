import SubGuardDomain

/// Devices for a history: they join at a growing rate over all days, many at the launch, and many lose interest.
struct Growth: Population {
    private static let launchFactor = 1.6
    /// A history moves sign-ups from weekends to preceding days. The last week loses some to the week before it and
    /// gains none from a later week.
    private static let lastWeekFactor = 1.06

    let days: Int
    private let startHour: Int
    /// Cumulative weights of the sign-ups of each day, oldest first.
    private let sums: [Double]

    /// - Parameter startHour: the hour of the day (UTC) at which each simulated day begins.
    init(days: Int, startHour: Int) {
        self.days = days
        self.startHour = startHour
        var sum = 0.0
        sums = (0..<days).map { day in
            let time = Double(day) / Double(days)
            let growth = 1 + 1.2 * time + 2.4 * time * time
            sum += growth * (day < 7 ? Self.launchFactor : day >= days - 7 ? Self.lastWeekFactor : 1)
            return sum
        }
    }

    func joinsAt(_ random: inout SplitMix64) -> Int64 {
        let day = day(random.fraction())
        let hour = (random.pick(Self.hours) - startHour + 24) % 24
        return Int64(day) * DeviceLife.day + Int64(hour) * 3_600_000 + Int64(random.below(3_600_000))
    }

    func openProbability(_ owner: Owner, age: Int) -> Double {
        guard age < owner.leavesOnDay ?? .max else { return 0 }
        // Falls steeply at first and flattens after some weeks.
        return owner.engagement * (0.3 + 0.7 / (1 + 0.25 * Double(age)))
    }

    /// The day by which this share of all devices has signed up; 0 is the oldest.
    private func day(_ share: Double) -> Int {
        let target = share * (sums.last ?? 0)
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] > target { high = middle } else { low = middle + 1 }
        }
        return max(0, low)
    }

    /// Hours (UTC) at which people use their phones; most live one or two hours east of it.
    private static let hours: [(choice: Int, weight: Double)] = zip(
        0..<24, [2, 1, 1, 1, 2, 6, 14, 18, 14, 11, 12, 16, 15, 12, 11, 12, 15, 19, 22, 24, 20, 14, 8, 4]
    ).map { ($0, $1) }
}
