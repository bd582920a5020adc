/// What the owner of one device does, visit by visit: a pure function of the seed and the device's number. It knows no
/// server and no clock. Moments are milliseconds of simulated time since the first midnight of the simulation.
package struct DeviceLife: Sendable {
    /// One opening of the app.
    package struct Visit: Sendable, Equatable {
        package let at: Int64
        /// Offline, whatever the visit brings waits on the device.
        package let isOnline: Bool
        package let acts: [Act]
    }

    package enum Act: Sendable, Equatable {
        /// A subscription to the item that stands at this share of the catalogue, 0 ..< 1.
        case add(share: Double)
        /// Of the subscription at this position of the device's.
        case remove(Int)
        case suggest(String)
        /// Buys premium.
        case convert
    }

    package static let day: Int64 = 86_400_000
    /// In how many percent of the days an owner opens the app; each device has one of these habits.
    private static let habits = [97, 80, 50, 20]
    /// Percent of the days on which a device that was online loses the network, and for how many days at most.
    private static let outagePercent = 5
    private static let longestOutageDays = 4
    private static let premiumPercent = 3

    /// The first visit.
    package let joinsAt: Int64
    private let endDay: Int64
    private let habit: Int
    /// When in the day the owner looks.
    private let hour: Int64
    private let convertsAtAge: Int64?
    private var random: LoadRandom
    private var nextDay: Int64
    private var offlineThrough: Int64 = -1
    private var subscriptions = 0

    /// - Parameter days: how long the simulation is. Devices join evenly over its first eighth, over its first day at
    ///   least, so that most of them live for nearly all of it and none in step.
    package init(seed: UInt64, number: Int, days: Int) {
        random = LoadRandom(seed: seed, thread: number)
        joinsAt = Int64(random.below(Int(Self.joiningPeriod(days: days))))
        endDay = Int64(days)
        habit = Self.habits[random.below(Self.habits.count)]
        hour = Int64(random.below(Int(Self.day)))
        convertsAtAge = random.below(100) < Self.premiumPercent ? Int64(random.below(15)) : nil
        nextDay = joinsAt / Self.day
    }

    package static func joiningPeriod(days: Int) -> Int64 { max(day, Int64(days) * day / 8) }

    /// How many days of the simulation it lives, the one on which it joins included.
    package var days: Int { Int(endDay - joinsAt / Self.day) }

    /// The next visit, later than all before; nil once the days are over.
    package mutating func next() -> Visit? {
        while nextDay < endDay {
            let day = nextDay
            nextDay += 1
            let age = day - joinsAt / Self.day
            if age == 0 { return visit(at: joinsAt, age: age, isOnline: true) }
            if day > offlineThrough, random.below(100) < Self.outagePercent {
                offlineThrough = day + Int64(random.below(Self.longestOutageDays))
            }
            guard random.below(100) < habit else { continue }
            // An hour around the usual time, within the day: the next visit is before or after 24 hours by chance.
            let moment = min(max(0, hour + Int64(random.below(7_200_000)) - 3_600_000), Self.day - 1)
            return visit(at: day * Self.day + moment, age: age, isOnline: day > offlineThrough)
        }
        return nil
    }

    private mutating func visit(at moment: Int64, age: Int64, isOnline: Bool) -> Visit {
        var acts: [Act] = []
        let additions = age == 0 ? random.below(4) : random.below(100) < (age < 7 ? 40 : 4) ? 1 : 0
        for _ in 0..<additions {
            acts.append(.add(share: Double(random.below(1 << 32)) / Double(1 << 32)))
            subscriptions += 1
        }
        if subscriptions > 0, age > 0, random.below(100) < 2 {
            acts.append(.remove(random.below(subscriptions)))
            subscriptions -= 1
        }
        if random.below(100) == 0 { acts.append(.suggest(Self.missing(random.below(1 << 20)))) }
        if age == convertsAtAge { acts.append(.convert) }
        return Visit(at: moment, isOnline: isOnline, acts: acts)
    }

    /// Names that people miss: few services, spelled by many hands.
    private static func missing(_ chance: Int) -> String {
        let names = [
            "Club d’échecs", "PIANO \"LIVE\"", "yoga 🧘 daily", "Čeština za 5 minut", "Brot & Butter", "寿司の会",
            "O'Reilly Learning", "Straße 12,34",
        ]
        return names[chance % names.count] + (chance.isMultiple(of: 3) ? "" : " \(chance / 8 % 40)")
    }
}
