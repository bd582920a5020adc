import Foundation
import SubGuardContract
import SubGuardDomain

/// Parameters of a history. Its end only shifts the times of events; the events themselves depend on the other
/// parameters.
package struct HistoryPlan: Sendable {
    package static let devices = 1...1_000_000
    /// The oldest events must be acceptable to the server, even if a sign-up is moved off a weekend.
    package static let weeks = 1...(AnalyticsLimits.maximumDaysBehind - 8) / 7

    let devices: Int
    let weeks: Int
    let seed: UInt64
    /// No event is later.
    let endsAt: UTCInstant
    /// Items to subscribe to, most popular first.
    let catalogue: [UUID]
}

/// The events of all devices, one device after the other. They are generated lazily, so a history of any size takes the
/// memory of one device.
struct History: Sequence {
    let plan: HistoryPlan
    private let population: Growth
    private let catalogue: DeviceCatalogue

    init(_ plan: HistoryPlan) {
        self.plan = plan
        population = Growth(
            days: 7 * plan.weeks, startHour: Int(plan.endsAt.millisecondsSinceEpoch / 3_600_000 % 24))
        let items = plan.catalogue.map(\.lowercased)
        let page = ReceivedPage(ids: items, deleted: [], nextCursor: nil, syncToken: nil)
        catalogue = DeviceCatalogue(pages: [page], token: "", at: 0)
    }

    /// The device's events ordered by time.
    func events(ofDevice number: Int) -> [EventReport] {
        var life = DeviceLife(seed: plan.seed, number: number, population: population)
        let start = start(ofDevice: number, joinsAt: life.joinsAt)
        var events = DeviceEvents(seed: plan.seed, number: number, start: start, latest: plan.endsAt)
        while let visit = life.next() {
            events.opened(at: visit.at)
            _ = events.act(visit, on: catalogue)
        }
        return events.waiting.map(\.report)
    }

    func makeIterator() -> some IteratorProtocol<[EventReport]> {
        (0..<plan.devices).lazy.map { events(ofDevice: $0) }.makeIterator()
    }

    /// When the device's simulated time begins: the history's number of days before its end, and a few days earlier for
    /// 40 % of the devices that would sign up on a weekend.
    private func start(ofDevice number: Int, joinsAt: Int64) -> UTCInstant {
        let start = plan.endsAt.adding(days: -population.days)
        var random = SplitMix64(seed: plan.seed &+ 1, stream: number)
        let (isMoved, distance) = (random.chance(0.4), random.below(3))
        let weekday = start.adding(milliseconds: joinsAt).day.weekday
        return weekday >= 6 && isMoved ? start.adding(days: 5 - weekday - distance) : start
    }
}

/// The popularity of catalogue items among the devices of a history.
enum CataloguePopularity {
    struct Item: Sendable, Hashable {
        let id: UUID
        let slug: String
    }

    /// Well-known services in the catalogue come first; then the others, in an order determined by the seed but not by
    /// the order of the catalogue.
    static func order(_ items: [Item], seed: UInt64) -> [UUID] {
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
