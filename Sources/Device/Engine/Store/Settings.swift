import SQLDatabase
public import SubGuardDomain

/// Settings of this device; never merged, exported or backed up.
struct Settings {
    private let session: any SQLSession

    init(_ session: any SQLSession) { self.session = session }

    func value(_ key: String) throws -> String? {
        try session.first("SELECT value FROM settings WHERE key = ?", [.text(key)]) { try $0.text(0) }
    }

    static func set(_ value: String?, for key: String, in session: any SQLTransaction) throws {
        guard let value else {
            try session.execute("DELETE FROM settings WHERE key = ?", [.text(key)])
            return
        }
        try session.execute(
            "INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            [.text(key), .text(value)])
    }

    static let entitlementKey = "premium"

    /// `free`, `premium` or `premium:<milliseconds>`.
    var entitlement: Entitlement {
        get throws {
            guard let text = try value(Self.entitlementKey), text.hasPrefix("premium") else { return .free }
            guard let milliseconds = Int64(text.dropFirst("premium:".count)) else { return .premium(until: nil) }
            return .premium(until: UTCInstant(millisecondsSinceEpoch: milliseconds))
        }
    }
}

extension DeviceStore.Premium {
    /// The entitlement set by the app; see also ``proof()``.
    public func entitlement() throws -> Entitlement {
        try store.entitlementOverride ?? store.read { try Settings($0).entitlement }
    }

    /// Stores the entitlement that the app determined itself. A server's proof takes precedence.
    public func setEntitlement(_ entitlement: Entitlement, at moment: Moment) throws {
        let text =
            switch entitlement {
            case .free: "free"
            case .premium(nil): "premium"
            case .premium(let until?): "premium:\(until.millisecondsSinceEpoch)"
            }
        try store.write(at: moment) { try Settings.set(text, for: Settings.entitlementKey, in: $0.session) }
    }
}
