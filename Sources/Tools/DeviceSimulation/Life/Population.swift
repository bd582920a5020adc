import SubGuardDomain

/// When devices join, and how often their owners open the app.
protocol Population: Sendable {
    /// The number of simulated days.
    var days: Int { get }

    /// The time of a device's first visit, in simulated milliseconds.
    func joinsAt(_ random: inout SplitMix64) -> Int64

    /// The probability that the owner opens the app `age` days after the first visit.
    func openProbability(_ owner: Owner, age: Int) -> Double
}

/// Devices for load: all join within the first eighth of the days, at least the first day, and stay. Most are active
/// nearly all the time, and they are not synchronised.
struct Fleet: Population {
    let days: Int

    init(days: Int) { self.days = days }

    /// In simulated milliseconds.
    var joiningPeriod: Int64 { max(DeviceLife.day, Int64(days) * DeviceLife.day / 8) }

    func joinsAt(_ random: inout SplitMix64) -> Int64 { Int64(random.below(Int(joiningPeriod))) }

    func openProbability(_ owner: Owner, age: Int) -> Double { owner.habit }
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
        habit = random.pick([(0.97, 1), (0.8, 1), (0.5, 1), (0.2, 1)])
        engagement = 0.45 + 0.55 * random.fraction()
        // Days until the app is deleted; 0 means never.
        let stay = random.pick([(1...2, 14), (3...14, 20), (15...60, 22), (0...0, 44)])
        let day = stay.lowerBound + random.below(stay.count)
        leavesOnDay = day > 0 ? day : nil
        wantedSubscriptions = random.pick([
            (0, 22), (1, 10), (2, 12), (3, 14), (4, 15), (5, 17), (6, 3), (7, 3), (8, 2), (10, 1.5), (12, 0.5),
        ])
        priceTier = random.pick([("monthly", 55), ("yearly", 38), ("lifetime", 7)])
    }
}
