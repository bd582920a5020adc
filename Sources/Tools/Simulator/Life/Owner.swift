import SubGuardDomain

/// What stays the same about a device's owner.
struct Owner: Sendable {
    /// The probability of opening the app on a day, for owners who never lose interest.
    let habit: Double
    /// How likely the app is opened on a day, compared with the keenest owner: 0.45 to 1.
    let engagement: Double
    /// Days after the sign-up on which the app is deleted; nil when it stays.
    let leavesOnDay: Int?
    /// How many subscriptions the owner has to enter; 0 for those who never enter one.
    let wantedSubscriptions: Int
    /// What the owner buys when the free version is full.
    let priceTier: String

    init(_ random: inout SplitMix64) {
        habit = random.pick([(0.97, 1), (0.8, 1), (0.5, 1), (0.2, 1)])
        engagement = 0.45 + 0.55 * random.fraction()
        let stay = random.pick([(1...2, 14), (3...14, 20), (15...60, 22), (0...0, 44)])
        let day = stay.lowerBound + random.below(stay.count)
        leavesOnDay = day > 0 ? day : nil
        wantedSubscriptions = random.pick([
            (0, 22), (1, 10), (2, 12), (3, 14), (4, 15), (5, 17), (6, 3), (7, 3), (8, 2), (10, 1.5), (12, 0.5),
        ])
        priceTier = random.pick([("monthly", 55), ("yearly", 38), ("lifetime", 7)])
    }
}
