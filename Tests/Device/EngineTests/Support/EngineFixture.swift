import Foundation
import SubGuardDomain
import SubGuardEngine
import Synchronization
import TestKit
import Testing

/// A database in its own folder, in the time zone of Paris, with deterministic ids.
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
        try StoreTemplate.device.place(at: path) { try DeviceStore(path: $0, now: now).close() }
        return try DeviceStore(
            path: path, now: now, entitlement: isPremium ? .premium(until: nil) : .free, random: { random.next() })
    }

    /// Moves the clock to another day, forward or back.
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

/// Items of a small catalogue.
enum CatalogueSample {
    static func id(_ number: Int) -> UUID {
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, UInt8(number)))
    }

    static func item(_ number: Int, _ name: String, aliases: [String] = []) throws -> CatalogueItem {
        CatalogueItem(
            id: id(number),
            CatalogueDraft(
                name: name, slug: CatalogueDraft.slug(from: name), category: "streaming",
                typicalAmount: try Money(decimal: "12.34", currency: #require(Currency(code: "EUR"))),
                billingCycle: .monthly, website: "https://example.com/?q=%C3%A9", noticeDays: 30, aliases: aliases),
            updatedAt: try #require(UTCInstant(rfc3339: "2026-02-28T23:59:59.999Z")), revision: 0)
    }

    static func whole(_ items: [CatalogueItem], token: String = "t1") -> CatalogueUpdate {
        CatalogueUpdate(since: nil, items: items, deleted: [], syncToken: token, entityTag: nil)
    }

    static func delta(
        _ items: [CatalogueItem] = [], deleted: [(id: UUID, mergedInto: UUID?)] = [], since: String, token: String
    ) -> CatalogueUpdate {
        CatalogueUpdate(since: since, items: items, deleted: deleted, syncToken: token, entityTag: nil)
    }
}

/// A thread-safe, deterministic random number generator.
final class LockedRandom: Sendable {
    private let random: Mutex<SeededRandom>

    init(seed: UInt64) { random = Mutex(SeededRandom(seed: seed)) }

    func next() -> UInt64 { random.withLock { $0.next() } }
}

/// A folder in memory where the system has one: thousands of commits take long on a disk.
final class MemoryFolder {
    private let path: String

    init() throws {
        let parent = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm/" : NSTemporaryDirectory()
        path = parent + "subguard-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    /// Premium stores with the same ids each time.
    func stores(_ count: Int, seed: UInt64, now: UTCInstant) throws -> [DeviceStore] {
        try (0..<count).map { number in
            let random = LockedRandom(seed: seed &+ UInt64(number))
            let path = file("\(number).sqlite")
            try StoreTemplate.device.place(at: path) { try DeviceStore(path: $0, now: now).close() }
            return try DeviceStore(
                path: path, now: now, entitlement: .premium(until: nil), random: { random.next() })
        }
    }
}
