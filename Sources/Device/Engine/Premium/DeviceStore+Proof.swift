import Foundation
import JSONWire
import SQLDatabase
public import SubGuardDomain

extension DeviceStore.Premium {
    /// The last proof from a server; nil without one.
    public func proof() throws -> EntitlementProof? { try store.read { try Settings($0).proof } }

    /// Stores a proof from a server. The first one of a purchase that grants premium is the milestone
    /// `premium_conversion`, unless a tester bought it without money; `environment` is nil for premium that was not
    /// bought.
    public func setProof(
        _ proof: EntitlementProof, from environment: PurchaseEnvironment? = .production, at moment: Moment
    ) throws {
        try store.write(at: moment) { unit in
            try Settings.set(proof.stored, for: Settings.proofKey, in: unit.session)
            // Resets the latest time seen, which a clock that ran ahead may have set too high.
            try Settings.set("\(moment.now.millisecondsSinceEpoch)", for: Settings.seenKey, in: unit.session)
            if environment == .production, proof.isPremium(at: moment.now) { try unit.noteConversion(proof) }
        }
    }

    /// Deletes the proof, as when signing out.
    public func removeProof(at moment: Moment) throws {
        try store.write(at: moment) { try Settings.set(nil, for: Settings.proofKey, in: $0.session) }
    }

    /// The address of the server that gives premium to every client; nil if none said so.
    public func giver() throws -> String? { try store.read { try Settings($0).value(Settings.giverKey) } }

    /// Notes which server gives premium to every client.
    public func noteGiver(_ address: String?, at moment: Moment) throws {
        guard try giver() != address else { return }
        try store.write(at: moment) { try Settings.set(address, for: Settings.giverKey, in: $0.session) }
    }

    /// Whether premium is active: by the override of this process, else the proof, else the entitlement set by the app.
    public func isActive(at moment: Moment) throws -> Bool {
        try store.read { try Settings($0).isPremium(at: moment.now, override: store.entitlementOverride) }
    }
}

extension UnitOfWork {
    /// Records the latest time the device has seen.
    func noteSeen() throws {
        let seen = try Settings(session).seen
        if seen.map({ moment.now > $0 }) ?? true {
            try Settings.set("\(moment.now.millisecondsSinceEpoch)", for: Settings.seenKey, in: session)
        }
    }

    /// One of four words: the name of a product is the server's, which could name each account differently.
    private static func tier(of product: String) -> String {
        let words = Set(product.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
        let tiers = [
            ("lifetime", ["lifetime"]),
            ("yearly", ["yearly", "annual", "annually", "year", "1year", "1y", "12months"]),
            ("monthly", ["monthly", "month", "1month", "1m"]),
        ]
        return tiers.first { !words.isDisjoint(with: $0.1) }?.0 ?? "other"
    }

    fileprivate func noteConversion(_ proof: EntitlementProof) throws {
        var properties: [(name: String, value: JSONValue)] = []
        if let product = proof.productID { properties.append(("price_tier", .string(Self.tier(of: product)))) }
        if let first = try Settings(session).day(Settings.firstOpenedKey) {
            let days = max(0, moment.today.daysSinceEpoch - first.daysSinceEpoch)
            properties.append(("days_since_first_launch", .number("\(days)")))
        }
        try reach("premium_conversion", properties)
    }
}

extension Settings {
    static let proofKey = "entitlement_proof"
    static let seenKey = "latest_moment"
    static let giverKey = "premium_giver"

    var seen: UTCInstant? {
        get throws {
            try value(Self.seenKey).flatMap { Int64($0) }.map { UTCInstant(millisecondsSinceEpoch: $0) }
        }
    }

    var proof: EntitlementProof? {
        get throws { try value(Self.proofKey).flatMap(EntitlementProof.init(stored:)) }
    }

    func isPremium(at now: UTCInstant, override: Entitlement?) throws -> Bool {
        if let override { return override.isPremium(at: now) }
        guard let proof = try proof else { return try entitlement.isPremium(at: now) }
        return proof.isPremium(at: max(now, try seen ?? now))
    }
}

extension EntitlementProof {
    /// JSON: the server's response with the time of the proof.
    fileprivate var stored: String {
        JSONWriter.text { writer in
            writer.field("status", status.rawValue)
            writer.field("product_id", productID)
            writer.field("expires_at", expiresAt?.millisecondsSinceEpoch)
            writer.field("proven_at", provenAt.millisecondsSinceEpoch)
            writer.field("source", source?.rawValue)
            writer.field("account_id", accountID?.lowercased)
        }
    }

    fileprivate init?(stored: String) {
        guard let object = (try? JSONValue.parse(Array(stored.utf8)))?.objectValue,
            let status = object["status"]?.stringValue.flatMap(PurchaseStatus.init(rawValue:)),
            let provenAt = object["proven_at"]?.integerValue
        else { return nil }
        self.init(
            status: status, productID: object["product_id"]?.stringValue,
            expiresAt: object["expires_at"]?.integerValue.map { UTCInstant(millisecondsSinceEpoch: $0) },
            provenAt: UTCInstant(millisecondsSinceEpoch: provenAt),
            source: object["source"]?.stringValue.flatMap(PremiumSource.init(rawValue:)),
            accountID: object["account_id"]?.stringValue.flatMap { UUID(strict: $0) })
    }
}
