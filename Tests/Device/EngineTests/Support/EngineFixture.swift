import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

/// A store in a folder of its own, in Paris, with ids that are the same in every run.
final class EngineFixture {
    let folder: TemporaryFolder
    let store: DeviceStore
    private(set) var moment: Moment

    init(_ now: String = "2026-11-20T10:00:00Z", isPremium: Bool = true, seed: UInt64 = 1) throws {
        folder = try TemporaryFolder()
        moment = try Self.moment(now)
        store = try Self.open(folder.file("store.sqlite"), now: moment.now, isPremium: isPremium, seed: seed)
    }

    static func moment(_ now: String, zone: String = "Europe/Paris") throws -> Moment {
        let instant = now.contains("T") ? now : now + "T10:00:00Z"
        return Moment(
            now: try #require(UTCInstant(rfc3339: instant)), zone: try #require(TimeZone(identifier: zone)))
    }

    static func open(
        _ path: String, now: UTCInstant, isPremium: Bool = true, seed: UInt64 = 1
    ) throws -> DeviceStore {
        let random = LockedRandom(seed: seed)
        return try DeviceStore(
            path: path, now: now, entitlement: isPremium ? .premium(until: nil) : .free, random: { random.next() })
    }

    /// Goes to another day, forward or back.
    func go(to now: String) throws { moment = try Self.moment(now) }

    @discardableResult
    func add(_ name: String = "Netflix", _ changes: SubscriptionDraft = [:]) throws -> UUID {
        var draft: SubscriptionDraft = [
            .name: name, .amount: "13.49", .currency: "EUR", .cycle: "monthly", .nextBillingOn: "2026-11-25",
        ]
        draft.merge(changes) { $1 }
        return try store.subscriptions.add(draft, at: moment).id
    }

    func day(_ text: String) throws -> CalendarDay { try #require(CalendarDay(iso: text)) }

    func occurrence(_ id: UUID, _ text: String) throws -> OccurrenceID {
        OccurrenceID(subscriptionID: id, billingOn: try day(text))
    }

    func backup() throws -> [UInt8] { try store.backups.make(at: moment) }
}
