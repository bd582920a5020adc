import Cryptography
import SQLDatabase
import SubGuardDomain

extension DeviceStore {
    /// The address at which calendars on this machine read the charges.
    package var calendarAddress: CalendarAddress { CalendarAddress(store: self) }

    /// See ``DeviceStore/calendarAddress``.
    package struct CalendarAddress: Sendable { let store: DeviceStore }
}

/// Off until it is turned on. A client that knows the secret in the address reads what an export for a calendar has. It
/// is stored as it is, so that the address can be shown again: it opens nothing that is not in the same file. It is no
/// part of backups, merges and exports.
extension DeviceStore.CalendarAddress {
    /// 64 hexadecimal digits for 256 random bits; nil while the address is off.
    package func secret() throws -> String? { try store.read { try Settings($0).value(Settings.calendarKey) } }

    /// Turns the address on and returns its secret; one that is on stays as it is.
    ///
    /// Throws ``DeviceStoreError/premiumRequired(_:)``, as the export does.
    @discardableResult
    package func turnOn(at moment: Moment) throws -> String { try secret() ?? renew(at: moment) }

    /// Turns the address on with a new secret; the old one stops working. Throws as ``turnOn(at:)``.
    @discardableResult
    package func renew(at moment: Moment) throws -> String {
        try DeviceStore.mapping {
            try PremiumGate(isPremium: try store.premium.isActive(at: moment)).requireExport(.ical)
        }
        let secret = store.browsers.randomText(words: 4)
        try store.write(at: moment) { try Settings.set(secret, for: Settings.calendarKey, in: $0.session) }
        return secret
    }

    /// Turns the address off; nothing if it is off.
    package func turnOff(at moment: Moment) throws {
        try store.write(at: moment) { try Settings.set(nil, for: Settings.calendarKey, in: $0.session) }
    }

    /// Whether a text is the secret, compared in a time that says nothing about it.
    package func isSecret(_ text: String) throws -> Bool {
        guard let secret = try secret() else { return false }
        return ConstantTime.areEqual(SHA256.hash(of: text.utf8), SHA256.hash(of: secret.utf8))
    }
}

extension Settings {
    static let calendarKey = "calendar_secret"
}
