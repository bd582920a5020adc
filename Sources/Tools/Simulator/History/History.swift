package import Foundation
package import SubGuardContract
package import SubGuardDomain

/// Parameters of a history. Its end only shifts the times of events; the events themselves depend on the other
/// parameters.
package struct HistoryPlan: Sendable {
    package static let devices = 1...1_000_000
    /// The oldest events must be acceptable to the server, even if a sign-up is moved off a weekend.
    package static let weeks = 1...(AnalyticsLimits.maximumDaysBehind - 8) / 7

    package let deviceCount: Int
    package let dayCount: Int
    package let seed: UInt64
    /// No event is later.
    package let endsAt: UTCInstant
    /// Items to subscribe to, most popular first.
    package let catalogue: [UUID]

    /// Devices and weeks are clamped to their ranges.
    package init(devices: Int, weeks: Int, seed: UInt64, endsAt: UTCInstant, catalogue: [UUID]) {
        deviceCount = min(max(devices, Self.devices.lowerBound), Self.devices.upperBound)
        dayCount = 7 * min(max(weeks, Self.weeks.lowerBound), Self.weeks.upperBound)
        self.seed = seed
        self.endsAt = endsAt
        self.catalogue = catalogue
    }
}

/// The events of all devices, one device after the other. They are generated lazily, so a history of any size takes the
/// memory of one device.
package struct History: Sequence {
    package let plan: HistoryPlan
    private let population: Growth
    private let catalogue: DeviceCatalogue

    package init(_ plan: HistoryPlan) {
        self.plan = plan
        let endHour = Int(plan.endsAt.millisecondsSinceEpoch / 3_600_000 % 24)
        population = Growth(days: plan.dayCount, startHour: endHour)
        let items = plan.catalogue.map(\.lowercased)
        let page = ReceivedPage(ids: items, deleted: [], nextCursor: nil, syncToken: nil)
        catalogue = DeviceCatalogue(pages: [page], token: "", at: 0)
    }

    /// The device's events ordered by time.
    package func events(ofDevice number: Int) -> [EventReport] {
        var life = DeviceLife(seed: plan.seed, number: number, population: population)
        let start = start(ofDevice: number, joinsAt: life.joinsAt)
        var events = DeviceEvents(seed: plan.seed, number: number, start: start, latest: plan.endsAt)
        while let visit = life.next() {
            events.opened(at: visit.at)
            _ = events.act(visit, on: catalogue)
        }
        return events.waiting.map(\.report)
    }

    package func makeIterator() -> some IteratorProtocol<[EventReport]> {
        (0..<plan.deviceCount).lazy.map { events(ofDevice: $0) }.makeIterator()
    }

    /// When the device's simulated time begins: the history's number of days before its end, and a few days earlier for
    /// 40 % of the devices that would sign up on a weekend.
    private func start(ofDevice number: Int, joinsAt: Int64) -> UTCInstant {
        let start = plan.endsAt.adding(days: -plan.dayCount)
        var random = SplitMix64(seed: plan.seed &+ 1, stream: number)
        let (isMoved, distance) = (random.chance(0.4), random.below(3))
        let weekday = start.adding(milliseconds: joinsAt).day.weekday
        return weekday >= 6 && isMoved ? start.adding(days: 5 - weekday - distance) : start
    }
}
