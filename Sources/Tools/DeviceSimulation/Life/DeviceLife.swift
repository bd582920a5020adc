import SubGuardDomain

/// The actions of one device's owner, visit by visit: a pure function of the seed, the device's number and the
/// population, without server or clock. Times are milliseconds of simulated time since the start of the first day.
struct DeviceLife: Sendable {
    /// One opening of the app.
    struct Visit: Sendable, Equatable {
        let at: Int64
        /// Whether there is a network; otherwise events and suggestions wait on the device.
        let isOnline: Bool
        let acts: [Act]
    }

    enum Act: Sendable, Equatable {
        /// Adds a subscription to the item at this position of the catalogue's popularity, 0 ..< 1; nil for one entered
        /// by hand.
        case add(popularity: Double?)
        /// Removes the subscription at this index.
        case remove(Int)
        case suggest(String)
        /// Buys premium.
        case convert(tier: String)
    }

    static let day: Int64 = 86_400_000
    /// Maximum number of subscriptions without premium.
    private static let freeSubscriptions = 5
    /// Percentage of online days on which a device loses the network, and the maximum number of days of the outage.
    private static let outagePercent = 5
    private static let longestOutageDays = 4

    /// The time of the first visit.
    let joinsAt: Int64
    private let population: any Population
    private let owner: Owner
    private var random: SplitMix64
    private var nextDay: Int64
    private var offlineThrough: Int64 = -1
    private var subscriptions = 0
    private var added = 0
    private var isPremium = false

    init(seed: UInt64, number: Int, population: any Population) {
        self.population = population
        random = SplitMix64(seed: seed, stream: number)
        joinsAt = population.joinsAt(&random)
        owner = Owner(&random)
        nextDay = joinsAt / Self.day
    }

    /// The number of simulated days, including the one on which it joins.
    var days: Int { population.days - Int(joinsAt / Self.day) }

    /// The end of the last day.
    var end: Int64 { Int64(population.days) * Self.day }

    /// The next visit in order of time; nil after the last day.
    mutating func next() -> Visit? {
        while nextDay < Int64(population.days) {
            let day = nextDay
            nextDay += 1
            let age = Int(day - joinsAt / Self.day)
            if age == 0 { return visit(at: joinsAt, age: age, isOnline: true) }
            if day > offlineThrough, random.below(100) < Self.outagePercent {
                offlineThrough = day + Int64(random.below(Self.longestOutageDays))
            }
            guard random.chance(population.openProbability(owner, age: age)) else { continue }
            // Within an hour of the first visit's time of day: sometimes more and sometimes less than 24 hours after
            // the previous visit.
            let moment = min(max(0, joinsAt % Self.day + Int64(random.below(7_200_000)) - 3_600_000), Self.day - 1)
            return visit(at: day * Self.day + moment, age: age, isOnline: day > offlineThrough)
        }
        return nil
    }

    private mutating func visit(at moment: Int64, age: Int, isOnline: Bool) -> Visit {
        var acts: [Act] = []
        if age >= 3, subscriptions > 0, random.chance(0.05) {
            acts.append(.remove(random.below(subscriptions)))
            subscriptions -= 1
        }
        if added < owner.wantedSubscriptions, random.chance(age == 0 ? 0.8 : 0.55) {
            let most = 1 + random.below(age == 0 ? 4 : 2)
            for _ in 0..<min(most, owner.wantedSubscriptions - added) { add(&acts) }
        }
        if random.below(100) == 0 { acts.append(.suggest(Self.missing(random.below(1 << 20)))) }
        return Visit(at: moment, isOnline: isOnline, acts: acts)
    }

    private mutating func add(_ acts: inout [Act]) {
        if subscriptions == Self.freeSubscriptions, !isPremium {
            isPremium = true
            acts.append(.convert(tier: owner.priceTier))
        }
        let popularity = random.fraction()
        acts.append(.add(popularity: random.chance(0.92) ? popularity : nil))
        subscriptions += 1
        added += 1
    }

    /// Names missing in the catalogue: few services, in many spellings.
    private static func missing(_ chance: Int) -> String {
        let names = [
            "Club d’échecs", "PIANO \"LIVE\"", "yoga 🧘 daily", "Čeština za 5 minut", "Brot & Butter", "寿司の会",
            "O'Reilly Learning", "Straße 12,34",
        ]
        return names[chance % names.count] + (chance.isMultiple(of: 3) ? "" : " \(chance / 8 % 40)")
    }
}
