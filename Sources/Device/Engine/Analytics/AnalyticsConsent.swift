import Cryptography
import SQLDatabase
import SubGuardSQL
import TextCoding

/// Whether events may leave the device.
public enum AnalyticsConsent: String, Sendable, Hashable, CaseIterable {
    /// Not decided yet: events are queued but not sent.
    case undecided
    /// Events are sent.
    case granted
    /// No events are recorded, and those already sent are to be erased.
    case revoked
}

extension DeviceStore.Analytics {
    /// The stored consent, or the override of this process.
    public func consent() throws -> AnalyticsConsent {
        try store.consentOverride ?? store.read { try Settings($0).consent }
    }

    /// Whether events and reports may be sent now; not if that cannot be read.
    package var isConsented: Bool { (try? consent()) == .granted }

    /// Stores the consent. `revoked` empties the queue and what is recorded of sessions and crashes, schedules the
    /// erasure of events already sent, and assigns a new anonymous id. Idempotent.
    public func setConsent(_ consent: AnalyticsConsent, at moment: Moment) throws {
        // What a process left that was killed while it revoked.
        if consent == .granted, try self.consent() == .revoked { store.signals.forget() }
        try store.write(at: moment) { unit in
            if consent == .revoked { try unit.forgetAnalytics() }
            try Settings.set(consent == .undecided ? nil : consent.rawValue, for: Settings.consentKey, in: unit.session)
        }
        if consent == .revoked { store.signals.forget() }
    }

    /// Empties the queue, schedules the erasure of events already sent, and assigns a new anonymous id. Consent is
    /// unchanged.
    public func erase(at moment: Moment) throws {
        try store.write(at: moment) { try $0.forgetAnalytics() }
    }
}

extension UnitOfWork {
    fileprivate func forgetAnalytics() throws {
        try session.execute("DELETE FROM events")
        let settings = Settings(session)
        // Only servers that received events under the id have something to erase.
        if let id = try settings.anonymousID {
            try session.execute(
                "INSERT INTO erasures (user_id, server, asked_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                rows: settings.contactedServers.map {
                    [.text(AnonymousID.hash(id)), .text($0), .instant(moment.now)]
                })
        }
        for key in [Settings.anonymousKey, Settings.contactedServersKey, Settings.droppedKey, Settings.rejectedKey] {
            try Settings.set(nil, for: key, in: session)
        }
    }
}

extension Settings {
    static let consentKey = "consent"
    static let anonymousKey = "anonymous_id"
    /// Servers that were sent events under the anonymous id, one per line; written before the first event is sent.
    static let contactedServersKey = "told_servers"
    static let droppedKey = "events_dropped"
    static let rejectedKey = "events_rejected"

    var consent: AnalyticsConsent {
        get throws { try value(Self.consentKey).flatMap(AnalyticsConsent.init(rawValue:)) ?? .undecided }
    }

    var anonymousID: String? {
        get throws { try value(Self.anonymousKey) }
    }

    var contactedServers: [String] {
        get throws { try value(Self.contactedServersKey)?.split(separator: "\n").map(String.init) ?? [] }
    }

    func count(_ key: String) throws -> Int { try value(key).flatMap { Int($0) } ?? 0 }

    static func add(_ number: Int, to key: String, in session: any SQLTransaction) throws {
        guard number > 0 else { return }
        try set("\(try Settings(session).count(key) + number)", for: key, in: session)
    }
}

/// The anonymous id of this device: a random number whose SHA-256 is sent with events. Not included in backups, exports
/// and merges, so that every device counts as a separate user.
enum AnonymousID {
    /// 256 random bits in hexadecimal digits.
    static func make(_ random: () -> UInt64) -> String {
        (0..<4).map { _ in Hexadecimal.text(random()) }.joined()
    }

    /// The `user_id` of events: 64 lower-case hexadecimal digits.
    static func hash(_ id: String) -> String { Hexadecimal.text(SHA256.hash(of: id.utf8)) }
}
