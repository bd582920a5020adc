import JSONWire
import SubGuardDomain
import TextCoding

/// The user id of a device, and the properties of its events.
struct DeviceIdentity: Sendable {
    /// 64 lower-case hexadecimal digits, like the hash of a real device's id.
    let userID: String
    private let platform: String
    private let systemVersion: String
    private let locale: String
    /// Days from a release of the app to its installation on this device.
    private let updateLagDays: Int

    init(seed: UInt64, number: Int) {
        var random = SplitMix64(seed: seed &* 0x2545_F491_4F6C_DD1D, stream: number)
        userID = Hexadecimal.text((0..<4).flatMap { _ in withUnsafeBytes(of: random.next().bigEndian) { Array($0) } })
        platform = random.pick([("ios", 84), ("ipados", 12), ("macos", 4)])
        systemVersion = random.pick([("26.1", 46), ("26.0.1", 21), ("18.7", 24), ("17.7.2", 9)])
        locale = random.pick([
            ("fr_FR", 52), ("fr_BE", 7), ("fr_CH", 4), ("de_DE", 10), ("en_GB", 8), ("es_ES", 6), ("it_IT", 5),
            ("nl_NL", 4), ("pt_PT", 2), ("pl_PL", 2),
        ])
        updateLagDays = random.below(10)
    }

    /// The properties of every event at a simulated time.
    func properties(at moment: Int64) -> [(name: String, value: JSONValue)] {
        [
            ("app_version", .string(appVersion(at: moment))), ("os_version", .string(systemVersion)),
            ("platform", .string(platform)), ("locale", .string(locale)),
        ]
    }

    /// The app version at a simulated time; there is a release every three weeks.
    private func appVersion(at moment: Int64) -> String {
        let days = max(0, Int(moment / DeviceLife.day) - updateLagDays)
        return "1.\(days / 21).\(days % 21 > 10 ? 1 : 0)"
    }
}
