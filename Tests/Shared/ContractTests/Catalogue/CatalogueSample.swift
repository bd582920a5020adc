import Foundation
import SubGuardDomain

/// An item whose values need escaping or are otherwise hard to encode.
enum CatalogueSample {
    static func item() -> CatalogueItem {
        CatalogueItem(
            id: UUID(
                uuid: (0x01, 0x93, 0x4F, 0x0E, 0x7C, 0x2A, 0x7D, 0x3E, 0x9B, 0x1A, 0x5C, 0x6D, 0x7E, 0x8F, 0x9A, 0x0B)),
            CatalogueDraft(
                name: "L’Équipe \"Premium\" \\ 🎬", slug: "l-equipe-premium", category: "press",
                typicalAmount: Money(minorUnits: 1234, currency: .eur),
                billingCycle: BillingCycle(wire: "every:18m") ?? .monthly, website: "https://www.lequipe.fr",
                cancelURL: "https://www.lequipe.fr/?a=1&b=%C3%A9#z", noticeDays: 30, aliases: ["L'Équipe", "🏃"]),
            logoURL: "/logos/ab.png", updatedAt: UTCInstant(millisecondsSinceEpoch: 1_835_481_599_007), revision: 1204)
    }
}
