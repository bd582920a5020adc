import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Whether events may leave the device.
public enum AnalyticsConsent: String, Sendable, Hashable, CaseIterable {
    /// Not asked yet: events are kept on the device, and none is sent.
    case undecided
    case granted
    /// Nothing is recorded, and what was sent is to be forgotten.
    case revoked
}

extension DeviceStore {
    /// What was answered, or what this process was told to take for the answer.
    public func consent() throws -> AnalyticsConsent {
        try consentOverride ?? read { try Settings($0).consent }
    }

    /// Keeps the answer. `revoked` empties the queue, asks the server to forget what was sent, as soon as it can be
    /// reached, and gives the device another anonymous id. Saying the same twice changes nothing.
    public func setConsent(_ consent: AnalyticsConsent, at moment: Moment) throws {
        try write(at: moment) { unit in
            if consent == .revoked { try unit.forgetAnalytics() }
            try Settings.set(consent == .undecided ? nil : consent.rawValue, for: Settings.consentKey, in: unit.session)
        }
    }

    /// Empties the queue, asks for the erasure of what was sent, and takes another anonymous id, without an answer to
    /// whether later events may be sent.
    public func eraseAnalytics(at moment: Moment) throws {
        try write(at: moment) { try $0.forgetAnalytics() }
    }
}

extension UnitOfWork {
    fileprivate func forgetAnalytics() throws {
        try session.execute("DELETE FROM events")
        let settings = Settings(session)
        // An id under which nothing was sent is known to nobody; one that was sent, to whom it was sent to.
        if let id = try settings.anonymousID {
            try session.execute(
                "INSERT INTO erasures (user_id, server, asked_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                rows: settings.toldServers.map {
                    [.text(AnonymousID.hash(id)), .text($0), .instant(moment.now)]
                })
        }
        for key in [Settings.anonymousKey, Settings.toldServersKey, Settings.droppedKey, Settings.rejectedKey] {
            try Settings.set(nil, for: key, in: session)
        }
    }
}

extension Settings {
    static let consentKey = "consent"
    static let anonymousKey = "anonymous_id"
    /// The servers to which events were sent under the anonymous id, a line each: there from before the first one leaves.
    static let toldServersKey = "told_servers"
    static let droppedKey = "events_dropped"
    static let rejectedKey = "events_rejected"

    var consent: AnalyticsConsent {
        get throws { try value(Self.consentKey).flatMap(AnalyticsConsent.init(rawValue:)) ?? .undecided }
    }

    var anonymousID: String? {
        get throws { try value(Self.anonymousKey) }
    }

    var toldServers: [String] {
        get throws { try value(Self.toldServersKey)?.split(separator: "\n").map(String.init) ?? [] }
    }

    func count(_ key: String) throws -> Int { try value(key).flatMap { Int($0) } ?? 0 }

    static func add(_ number: Int, to key: String, in session: any SQLTransaction) throws {
        guard number > 0 else { return }
        try set("\(try Settings(session).count(key) + number)", for: key, in: session)
    }
}
