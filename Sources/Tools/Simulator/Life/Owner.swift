/// What stays the same through the life of a device.
struct DeviceTraits: Sendable {
    let platform: String
    let systemVersion: String
    let locale: String
    /// How likely its owner is to open the app on a day, compared with the keenest: 0.45 to 1.
    let engagement: Double
    /// Days after the sign-up on which the app is deleted; nil for one that stays.
    let leavesOnDay: Int?
    /// Days from a release of the app to its installation here.
    let updateLagDays: Int
    /// How many subscriptions its owner has to enter; 0 for those who never enter one.
    let wantedSubscriptions: Int

    init(_ numbers: inout SeededNumbers) {
        platform = numbers.pick([("ios", 84), ("ipados", 12), ("macos", 4)])
        systemVersion = numbers.pick([("26.1", 46), ("26.0.1", 21), ("18.7", 24), ("17.7.2", 9)])
        locale = numbers.pick([
            ("fr_FR", 52), ("fr_BE", 7), ("fr_CH", 4), ("de_DE", 10), ("en_GB", 8), ("es_ES", 6), ("it_IT", 5),
            ("nl_NL", 4), ("pt_PT", 2), ("pl_PL", 2),
        ])
        engagement = 0.45 + 0.55 * numbers.fraction()
        let stay = numbers.pick([(1...2, 14), (3...14, 20), (15...60, 22), (0...0, 44)])
        let day = numbers.integer(in: stay)
        leavesOnDay = day > 0 ? day : nil
        updateLagDays = numbers.integer(in: 0...9)
        wantedSubscriptions = numbers.pick([
            (0, 22), (1, 10), (2, 12), (3, 14), (4, 15), (5, 17), (6, 3), (7, 3), (8, 2), (10, 1.5), (12, 0.5),
        ])
    }

    /// How likely the app is opened so many days after the sign-up: falling steeply at first, flat after some weeks.
    func openProbability(onDay day: Int) -> Double {
        guard day < leavesOnDay ?? .max else { return 0 }
        return engagement * (0.3 + 0.7 / (1 + 0.25 * Double(day)))
    }
}
