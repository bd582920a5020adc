import Foundation
import JSONWire
import SubGuardContract
import SubGuardDomain

/// The recorded, unsettled events of a device, and its milestones: the rules of the real client's queue, without its
/// database.
struct DeviceEvents: Sendable {
    struct Event: Sendable {
        /// Whether the server has an event, as far as the device knows.
        enum Standing: Sendable {
            /// It was never sent.
            case new
            /// It was sent, and no answer was received.
            case unclear
            /// The server certainly has it, although the device processed no response.
            case known
        }

        let report: EventReport
        var standing = Standing.new
    }

    private typealias Properties = [(name: String, value: JSONValue)]

    /// Events per request: the maximum of the contract.
    static let batchSize = AnalyticsLimits.batchSize.upperBound
    private static let manySubscriptions = 5
    private static let retention: [Int64: String] = [1: "retention_d1", 7: "retention_d7", 30: "retention_d30"]

    /// Oldest first.
    private(set) var waiting: [Event] = []
    private(set) var recorded = 0
    /// The catalogue items of the tracked subscriptions; nil for one outside the catalogue.
    private(set) var subscriptions: [String?] = []
    private var passed: Set<String> = []
    private var firstDay: Int64?
    private var lastDay: Int64?
    let identity: DeviceIdentity
    private let start: UTCInstant
    private let latest: UTCInstant
    private var random: SplitMix64

    /// - Parameters:
    ///   - start: when the simulated time begins.
    ///   - latest: no event has a later timestamp.
    init(
        seed: UInt64, number: Int, start: UTCInstant = UTCInstant(millisecondsSinceEpoch: 0),
        latest: UTCInstant = .latest
    ) {
        (self.start, self.latest) = (start, latest)
        identity = DeviceIdentity(seed: seed, number: number)
        // A stream independent of the life's.
        random = SplitMix64(seed: ~seed, stream: number)
    }

    /// Records the first opening ever, the first one of each day, and retention 1, 7 and 30 days after the first.
    mutating func opened(at moment: Int64) {
        let today = moment / DeviceLife.day
        guard lastDay ?? -1 < today else { return }
        lastDay = today
        reach("app_downloaded", moment)
        record("app_opened", moment)
        if let firstDay, let milestone = Self.retention[today - firstDay] { reach(milestone, moment) }
        firstDay = firstDay ?? today
    }

    /// Records the owner's actions of a visit, one per minute. Returns the suggested names.
    ///
    /// - Parameter catalogue: the copy from which subscriptions are chosen; nil if there is none.
    mutating func act(_ visit: DeviceLife.Visit, on catalogue: DeviceCatalogue?) -> [String] {
        var suggested: [String] = []
        for (number, act) in visit.acts.enumerated() {
            let moment = visit.at + Int64(number + 1) * 60_000
            switch act {
            case .add(let popularity):
                added(popularity.flatMap { catalogue?.item(at: $0, except: subscriptions) }, at: moment)
            case .remove(let position): removed(position, at: moment)
            case .suggest(let name): suggested.append(name)
            case .convert(let tier): converted(to: tier, at: moment)
            }
        }
        return suggested
    }

    mutating func added(_ item: String?, at moment: Int64) {
        subscriptions.append(item)
        record("subscription_added", moment, Self.properties(item))
        if subscriptions.count == 1 { reach("first_subscription_added", moment) }
        if subscriptions.count == Self.manySubscriptions { reach("five_subscriptions_reached", moment) }
    }

    mutating func removed(_ position: Int, at moment: Int64) {
        guard subscriptions.indices.contains(position) else { return }
        record("subscription_removed", moment, Self.properties(subscriptions.remove(at: position)))
    }

    private static func properties(_ item: String?) -> Properties {
        item.map { [("catalogue_item_id", .string($0))] } ?? []
    }

    mutating func converted(to tier: String, at moment: Int64) {
        let age = Int(moment / DeviceLife.day - (firstDay ?? moment / DeviceLife.day))
        reach(
            "premium_conversion", moment, [("price_tier", .string(tier)), ("days_since_first_launch", .integer(age))])
    }

    /// Sets the standing of the first `count` events.
    mutating func mark(first count: Int, _ standing: Event.Standing) {
        for index in waiting.indices.prefix(count) where waiting[index].standing != .known {
            waiting[index].standing = standing
        }
    }

    /// Removes the first `count` events, for which the server has sent a response.
    mutating func settle(first count: Int) -> [Event] {
        defer { waiting.removeFirst(min(count, waiting.count)) }
        return Array(waiting.prefix(count))
    }

    private mutating func reach(_ milestone: String, _ moment: Int64, _ properties: Properties = []) {
        if passed.insert(milestone).inserted { record(milestone, moment, properties) }
    }

    private mutating func record(_ name: String, _ moment: Int64, _ properties: Properties = []) {
        recorded += 1
        let report = EventReport(
            id: UUID(version4: (random.next(), random.next())), name: name, userID: identity.userID,
            timestamp: min(latest, start.adding(milliseconds: moment)),
            properties: JSONObject(identity.properties(at: moment) + properties))
        waiting.append(Event(report: report))
    }
}
