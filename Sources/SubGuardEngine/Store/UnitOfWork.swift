import Foundation
import SQLDatabase
import SubGuardDomain

/// One transaction's writing: the session, the moment, and the clock that stamps edits.
final class UnitOfWork {
    let session: any SQLTransaction
    let moment: Moment
    private let entitlementOverride: Entitlement?
    private var clock: HybridClock

    init(_ session: any SQLTransaction, _ moment: Moment, entitlement: Entitlement?) throws {
        self.session = session
        entitlementOverride = entitlement
        self.moment = moment
        let row = try session.first("SELECT node, clock FROM store", []) { row in
            (node: UInt64(bitPattern: try row.integer(0)), last: HybridTimestamp(wire: try row.text(1)))
        }
        clock = HybridClock(node: row?.node ?? 0, last: row?.last ?? .origin)
    }

    var today: CalendarDay { moment.today }

    /// The reading for everything that is edited together.
    func stamp() -> HybridTimestamp { clock.tick(now: moment.now) }

    func observe(_ stamp: HybridTimestamp) { clock.observe(stamp) }

    var isPremium: Bool {
        get throws { try (entitlementOverride ?? Settings(session).entitlement).isPremium(at: moment.now) }
    }

    func finish() throws {
        try session.execute("UPDATE store SET revision = revision + 1, clock = ?", [.text(clock.last.wire)])
    }
}
