public import SubGuardDomain

/// How the device's copy of the catalogue stands.
public struct CatalogueCopy: Sendable, Hashable {
    /// The server it came from, such as `https://subguard.example`.
    public let server: String
    public let itemCount: Int
    /// When the server last said that the copy is current, by the device's clock.
    public let checkedAt: UTCInstant
    package let syncToken: String
    /// Of an answer that knew of no change since the token.
    package let entityTag: String?

    /// For how long a copy is used without asking, in hours.
    public static let lifeHours: Int64 = 24

    /// Whether the copy may be used without asking the server. A moment before the check, after a clock was set back,
    /// tells nothing about its age, and so it is not.
    public func isFresh(at now: UTCInstant) -> Bool {
        (0..<Self.lifeHours * 3_600_000).contains(checkedAt.milliseconds(until: now))
    }

    /// Seconds since the check, 0 where the clock was set back before it.
    public func ageSeconds(at now: UTCInstant) -> Int64 { max(0, checkedAt.milliseconds(until: now) / 1000) }
}

/// An item that a search found in the device's copy.
public struct CatalogueHit: Sendable, Hashable {
    public let item: CatalogueItem
    /// From 100, the whole name, down to 35.
    public let score: Int
    /// The name or alias that matched, as it is spelled.
    public let matched: String
}
