public import Foundation
package import SQLDatabase
public import SubGuardDomain

/// The current time and time zone. The engine never reads a clock.
public struct Moment: Sendable, Hashable {
    /// The instant.
    public let now: UTCInstant
    /// The time zone.
    public let time: LocalTime
    /// The local day.
    public let today: CalendarDay

    /// The day is that of the zone at the instant.
    public init(now: UTCInstant, zone: TimeZone) {
        self.now = now
        time = LocalTime(zone: zone)
        today = time.day(at: now)
    }
}

/// A write transaction: the session, the moment, and the clock that timestamps edits.
package final class UnitOfWork {
    package let session: any SQLTransaction
    package let moment: Moment
    /// Stamps up to this one can be honest. A merge takes what its preview showed, so it has the bound of then.
    var bound: HybridTimestamp
    private let entitlementOverride: Entitlement?
    private let consentOverride: AnalyticsConsent?
    private let random: () -> UInt64
    /// Whether events were recorded, so that the queue must be trimmed.
    var hasRecorded = false
    /// For the journal: the settings that were changed, and the rows that a restore replaced.
    var changedSettings: [ChangedSetting] = []
    var replacedRows: [JournalChange] = []
    /// For the journal: the first day of a pause that was set. The rows alone show a corrected end as a resumption.
    var pausedFrom: CalendarDay?
    /// The number of subscriptions, once one was added.
    var subscriptionCount: Int?
    /// See ``Stamping``.
    var stamping = Stamping.edit
    private var clock: HybridClock

    init(
        _ session: any SQLTransaction, _ moment: Moment, entitlement: Entitlement?, consent: AnalyticsConsent?,
        random: @escaping () -> UInt64
    ) throws {
        self.session = session
        entitlementOverride = entitlement
        consentOverride = consent
        self.random = random
        self.moment = moment
        bound = HybridClock.bound(at: moment.now)
        let row = try session.first("SELECT node, clock FROM store", []) { row in
            (node: UInt64(bitPattern: try row.integer(0)), last: HybridTimestamp(wire: try row.text(1)))
        }
        clock = HybridClock(node: row?.node ?? 0, last: row?.last ?? .origin)
    }

    package var today: CalendarDay { moment.today }

    /// The timestamp for fields edited together.
    func stamp() throws -> HybridTimestamp {
        do {
            return try clock.tick(now: moment.now)
        } catch {
            throw DeviceStoreError.storage("the store's clock is at its end; run `subguard repair clock`")
        }
    }

    /// The device that writes.
    var node: UInt64 { clock.node }

    func observe(_ stamp: HybridTimestamp) { clock.observe(stamp) }

    var isClockAhead: Bool { clock.last > bound }

    /// Sets the clock to the latest of the given stamps: it runs on from what the rows say, whatever was seen before.
    func resetClock(to stamps: some Sequence<HybridTimestamp>) {
        clock = HybridClock(node: clock.node)
        for stamp in stamps { observe(stamp) }
    }

    var isPremium: Bool {
        get throws { try Settings(session).isPremium(at: moment.now, override: entitlementOverride) }
    }

    var consent: AnalyticsConsent {
        get throws { try consentOverride ?? Settings(session).consent }
    }

    func makeID() -> UUID {
        UUIDv7.make(millisecondsSinceEpoch: moment.now.millisecondsSinceEpoch, random: (random(), random()))
    }

    func finish() throws {
        if hasRecorded { try EventQueue(session: session).trim() }
        try session.execute("UPDATE store SET revision = revision + 1, clock = ?", [.text(clock.last.wire)])
    }
}
