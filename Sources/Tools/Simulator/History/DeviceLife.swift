import Crypto
import Foundation
import JSONWire
import SubGuardContract
import SubGuardDomain

/// What one device goes through, from the download to the end of the history.
///
/// Which events there are depends on the seed, the device and the number of days alone: neither the end of the history
/// nor the weekday on which it falls may add or drop one, or a later run would not find its events known.
struct DeviceLife {
    let plan: HistoryPlan
    let choice: CatalogueChoice
    let clock: DayClock
    let traits: DeviceTraits
    /// Days that are lived, the day of the sign-up among them.
    let age: Int
    let signedUpAt: UTCInstant
    /// When the last event happened: none may come before it.
    private(set) var lastAt: UTCInstant
    var numbers: SeededNumbers
    var events: [EventReport] = []
    /// Added and not removed, in the order in which they were added; nil for one that is not in the catalogue.
    var subscriptions: [Int?] = []
    var addedCount = 0
    /// Ids have numbers of their own, so that one more choice in a life leaves them as they are.
    private var identities: SeededNumbers
    private let userID: String
    /// The day of the sign-up, in days before the end of the history.
    private let firstDay: Int

    init(plan: HistoryPlan, device: Int, signups: SignupCurve, choice: CatalogueChoice) {
        self.plan = plan
        self.choice = choice
        clock = DayClock(endsAt: plan.endsAt)
        numbers = SeededNumbers(seed: plan.seed, device: device, purpose: 1)
        identities = SeededNumbers(seed: plan.seed, device: device, purpose: 2)
        userID = Self.hash(of: Self.id(&identities))
        traits = DeviceTraits(&numbers)
        age = signups.daysBeforeEnd(&numbers)
        let moment = clock.moment(daysBeforeEnd: age, &numbers)
        let shift = clock.weekendShift(moment, probability: 0.4, &numbers)
        firstDay = age + shift
        signedUpAt = moment.adding(days: -shift)
        lastAt = signedUpAt
    }

    /// The events in the order of time.
    mutating func live() -> [EventReport] {
        note("app_downloaded", at: signedUpAt)
        for day in 0..<age where day == 0 || numbers.chance(traits.openProbability(onDay: day)) {
            note("app_opened", at: openingTime(onDay: day))
            if let milestone = Self.retentionMilestones[day] { note(milestone, at: lastAt) }
            tendSubscriptions(onDay: day)
        }
        return events
    }

    /// A moment after the last event.
    mutating func soon(seconds: ClosedRange<Int>) -> UTCInstant {
        min(plan.endsAt, lastAt.adding(milliseconds: Int64(numbers.integer(in: seconds)) * 1000 + 137))
    }

    mutating func note(_ name: String, at timestamp: UTCInstant, more: [(name: String, value: JSONValue)] = []) {
        let properties: [(name: String, value: JSONValue)] = [
            ("app_version", .string(appVersion(at: timestamp))), ("os_version", .string(traits.systemVersion)),
            ("platform", .string(traits.platform)), ("locale", .string(traits.locale)),
        ]
        lastAt = timestamp
        events.append(
            EventReport(
                id: Self.id(&identities), name: name, userID: userID, timestamp: timestamp,
                properties: JSONObject(properties + more)))
    }

    private static let retentionMilestones = [1: "retention_d1", 7: "retention_d7", 30: "retention_d30"]

    private mutating func openingTime(onDay day: Int) -> UTCInstant {
        guard day > 0 else { return soon(seconds: 4...90) }
        let moment = clock.moment(daysBeforeEnd: firstDay - day, &numbers)
        let shift = clock.weekendShift(moment, probability: 0.25, &numbers)
        let moved = moment.adding(days: -shift)
        // A day that is a milestone stays the day that it is.
        let isMovable = Self.retentionMilestones[day] == nil && moved > lastAt
        return max(isMovable ? moved : moment, lastAt)
    }

    /// A release every three weeks.
    private func appVersion(at moment: UTCInstant) -> String {
        let start = plan.endsAt.adding(days: -plan.dayCount)
        let days = start.milliseconds(until: moment) / 86_400_000 - Int64(traits.updateLagDays)
        return "1.\(max(0, days) / 21).\(max(0, days) % 21 > 10 ? 1 : 0)"
    }

    /// A random id in the form of version 4 (RFC 9562 section 5.4).
    private static func id(_ numbers: inout SeededNumbers) -> UUID {
        let high = numbers.next() & ~0xF000 | 0x4000
        let low = numbers.next() & ~(0b11 << 62) | 0b10 << 62
        let bytes = [high, low].flatMap { part in (0..<8).map { UInt8(truncatingIfNeeded: part >> (56 - 8 * $0)) } }
        return UUID(rawBytes: bytes) ?? UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }

    /// What a device sends in place of its anonymous id.
    private static func hash(of anonymousID: UUID) -> String {
        SHA256.hash(data: Array(anonymousID.lowercased.utf8)).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
