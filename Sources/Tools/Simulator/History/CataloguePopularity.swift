package import Foundation
import SubGuardDomain

/// The popularity of catalogue items among the devices of a history.
package enum CataloguePopularity {
    package struct Item: Sendable, Hashable {
        package let id: UUID
        package let slug: String

        package init(id: UUID, slug: String) {
            self.id = id
            self.slug = slug
        }
    }

    /// Well-known services in the catalogue come first; then the others, in an order determined by the seed but not by
    /// the order of the catalogue.
    package static func order(_ items: [Item], seed: UInt64) -> [UUID] {
        var numbers = SplitMix64(seed: seed)
        let keyed = items.sorted { $0.slug < $1.slug }.map { item in
            (rank: favourites.firstIndex(of: item.slug) ?? favourites.count, key: numbers.next(), item: item)
        }
        return keyed.sorted { ($0.rank, $0.key) < ($1.rank, $1.key) }.map(\.item.id)
    }

    private static let favourites = [
        "netflix", "spotify-premium", "amazon-prime", "disney-plus", "youtube-premium", "icloud-plus", "canal-plus",
        "free-mobile", "deezer-premium", "orange-mobile", "chatgpt-plus", "microsoft-365-personnel", "google-one",
        "apple-music", "navigo", "playstation-plus", "basic-fit", "edf", "sfr-mobile", "hbo-max", "le-monde", "maif",
        "xbox-game-pass-ultimate", "paramount-plus", "nintendo-switch-online", "adobe-creative-cloud", "audible",
        "crunchyroll", "notion", "duolingo-super", "mediapart", "nordvpn", "strava", "1password", "hellofresh",
    ]
}
