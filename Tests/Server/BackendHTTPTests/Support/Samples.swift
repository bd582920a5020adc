import Foundation
import ServerAccess
import SubGuardDomain

extension Actor {
    static let setup = Actor(tokenID: nil, name: "Zoë “the editor” O'Neill 🦊", requestID: nil)
}

extension CatalogueDraft {
    static func sample(
        _ name: String, slug: String, category: String = "streaming", amount: Int64 = 1299,
        currency: Currency = .eur, cycle: BillingCycle = .monthly, noticeDays: Int? = nil, aliases: [String] = []
    ) -> CatalogueDraft {
        CatalogueDraft(
            name: name, slug: slug, category: category,
            typicalAmount: Money(minorUnits: amount, currency: currency), billingCycle: cycle,
            website: "https://example.com/\(slug)?a=1&b=2", cancelURL: "https://example.com/\(slug)/cancel",
            noticeDays: noticeDays, aliases: aliases)
    }

    /// Eight services with accents, symbols and aliases, not sorted by slug.
    static let starter: [CatalogueDraft] = [
        .sample("Netflix", slug: "netflix", amount: 1349, aliases: ["Netflix Premium"]),
        .sample("Ciné+ “OCS” 🎬", slug: "cine-ocs", aliases: ["Orange Cinéma Séries"]),
        .sample("Spotify", slug: "spotify", category: "music", amount: 1214),
        .sample("Le Monde", slug: "le-monde", category: "press", amount: 999, noticeDays: 30),
        .sample("L'Équipe", slug: "l-equipe", category: "press", amount: 8990, cycle: .yearly),
        .sample("Disney+", slug: "disney-plus", amount: 1099),
        .sample("iCloud+", slug: "icloud-plus", category: "cloud", amount: 299, aliases: ["Apple Cloud", "Nuage"]),
        .sample("Café Gourmand", slug: "cafe-gourmand", category: "food", amount: 1500, currency: .jpy),
    ]

    /// `count` items whose slugs sort like their numbers.
    static func numbered(_ count: Int) -> [CatalogueDraft] {
        (0..<count).map { .sample("Service n° \($0)", slug: "service-\(10_000 + $0)", amount: Int64(100 + $0)) }
    }
}

struct MalformedTestData: Error {}

func instant(_ text: String) throws -> UTCInstant {
    guard let instant = UTCInstant(rfc3339: text) else { throw MalformedTestData() }
    return instant
}

/// An id that depends only on its number.
func makeID(_ number: UInt64) -> UUID {
    UUIDv7.make(millisecondsSinceEpoch: 1_700_000_000_000, random: (0, number))
}
