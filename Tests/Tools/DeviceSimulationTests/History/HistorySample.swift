import Foundation
import SubGuardContract
import SubGuardDomain

@testable import DeviceSimulation

enum HistorySample {
    /// 2024-02-29T21:00:00Z, a leap day and a Thursday.
    static let leapDay = UTCInstant(millisecondsSinceEpoch: 1_709_240_400_000)

    /// Ids in no particular order.
    static let catalogue: [UUID] = {
        var numbers = SplitMix64(seed: 12)
        return (0..<300).map { _ in UUID(version4: (numbers.next(), numbers.next())) }
    }()

    static func make(
        devices: Int = 400, weeks: Int = 14, seed: UInt64 = 7, endsAt: UTCInstant = leapDay,
        catalogue: [UUID] = catalogue
    ) -> History {
        History(HistoryPlan(devices: devices, weeks: weeks, seed: seed, endsAt: endsAt, catalogue: catalogue))
    }
}

extension History {
    var events: [EventReport] { flatMap { $0 } }
}

extension Sequence<EventReport> {
    func count(of name: String) -> Int { reduce(0) { $0 + ($1.name == name ? 1 : 0) } }

    func first(named name: String) -> EventReport? { first { $0.name == name } }
}
