import Foundation
import SubGuardContract
import SubGuardDomain

/// Retry delays, the same as in the real client.
package enum BackOff {
    package static let attempts = 4
    static let firstPause: Int64 = 500_000_000
    package static let longestPause: Int64 = 8_000_000_000
    /// Beyond this `Retry-After`, the device waits until the next visit.
    static let longestRequestedSeconds = 30
    /// Statuses after which a retry may succeed.
    static let passing: Set<Int> = [408, 429, 500, 502, 503, 504]

    /// Nanoseconds until the next attempt after `failed` failures; nil to give up.
    ///
    /// - Parameter chance: at least 0, less than 1. Delays up to the bound are uniformly distributed, so that
    ///   simultaneous failures are not retried together.
    static func pause(afterAttempt failed: Int, retryAfter: Int? = nil, chance: Double) -> Int64? {
        guard failed < attempts, retryAfter ?? 0 <= longestRequestedSeconds else { return nil }
        let jitter = Int64(Double(min(longestPause, firstPause << Int64(failed - 1))) * chance)
        guard let retryAfter else { return jitter }
        return Int64(max(0, retryAfter)) * 1_000_000_000 + min(jitter, 1_000_000_000)
    }
}

/// One device: its owner's life, its queues, and the requests of a visit in the order of the real client. It has no
/// socket; the caller passes in responses and failures.
struct SimulatedDevice {
    enum Stage {
        case resting
        /// Received pages of the whole catalogue, or of the changes since the copy.
        case catalogue(isWhole: Bool, pages: [ReceivedPage], cursor: String?)
        case acts, suggestions, analytics
    }

    /// Percentage of batches whose response is lost: half of them ignored, half aborted.
    private static let lostPercent = 2

    var events: DeviceEvents
    var catalogue: DeviceCatalogue?
    /// The current request; nil while the device rests.
    private(set) var request: ClientRequest?
    /// The current visit, until nothing is left to send.
    private(set) var visit: DeviceLife.Visit?
    /// The next visit; nil after the last day.
    private(set) var upcoming: DeviceLife.Visit?
    private var life: DeviceLife
    var stage = Stage.resting
    /// Failed attempts of the current request.
    private var failed = 0
    /// The suggestions that wait.
    var names: [Suggestion] = []
    /// Whether the server has settled an event of this device.
    var isUser = false
    private var mayLoseAnswer = true
    private var hasFlushed = false
    /// Randomness outside of the life: ids of suggestions, lost responses, delays.
    private var random: SplitMix64

    /// - Parameter epoch: the first midnight of the simulation, in milliseconds since 1970.
    init(seed: UInt64, number: Int, days: Int, epoch: Int64) {
        events = DeviceEvents(seed: seed, number: number, start: UTCInstant(millisecondsSinceEpoch: epoch))
        life = DeviceLife(seed: seed, number: number, population: Fleet(days: days))
        random = SplitMix64(seed: seed &+ 0x9E37_79B9, stream: number)
        upcoming = life.next()
    }

    var joinsAt: Int64 { life.joinsAt }
    var hasWaiting: Bool { !events.waiting.isEmpty || !names.isEmpty }
    /// Whether another visit must send pending data after the last day.
    var needsFlush: Bool { upcoming == nil && hasWaiting && !hasFlushed }
    var batchCount: Int { min(events.waiting.count, DeviceEvents.batchSize) }

    /// Begins the upcoming visit. If it is offline, its actions are queued and no request is made. After the last day,
    /// begins one that only sends pending data.
    mutating func begin(_ tally: inout ClientTally) {
        failed = 0
        mayLoseAnswer = upcoming != nil
        guard let visit = upcoming else {
            visit = DeviceLife.Visit(at: life.end, isOnline: true, acts: [])
            hasFlushed = true
            stage = .suggestions
            return
        }
        if visit.at == life.joinsAt { tally[.deviceDays] += life.days }
        tally[.visits] += 1
        self.visit = visit
        upcoming = life.next()
        events.opened(at: visit.at)
        if !visit.isOnline {
            tally[.offlineVisits] += 1
            act(visit)
            stage = .resting
        } else if catalogue?.isFresh(at: visit.at) ?? false {
            stage = .acts
        } else {
            stage = .catalogue(isWhole: catalogue == nil, pages: [], cursor: nil)
        }
    }

    /// Makes the next ``request``; nil when the visit is over, and everything that it produced is settled or waits for
    /// the next one.
    ///
    /// - Parameter sentAt: milliseconds since 1970 by an accurate clock.
    mutating func step(sentAt: Int64) {
        if case .acts = stage {
            if let visit { act(visit) }
            stage = .suggestions
        }
        if case .suggestions = stage, names.isEmpty { stage = .analytics }
        if case .analytics = stage, events.waiting.isEmpty { stage = .resting }
        switch stage {
        case .catalogue(let isWhole, let pages, let cursor):
            request = catalogueRequest(isWhole: isWhole, isFirst: pages.isEmpty, cursor: cursor)
        case .suggestions:
            request = made(
                .suggestions, "/api/v1/suggestions",
                body: SuggestionQueue(names.prefix(SuggestionQueue.batchSize.upperBound)).json())
        case .analytics: request = analyticsRequest(sentAt: sentAt)
        case .acts, .resting: (visit, request) = (nil, nil)
        }
    }

    /// Handles a missing or unusable response. Returns the nanoseconds until the retry; nil if the device gives up this
    /// part of the visit and continues with the next.
    mutating func fail(status: Int? = nil, retryAfter: Int? = nil) -> Int64? {
        if status.map({ $0 >= 500 }) ?? true { forgetAnswer() }
        failed += 1
        let isPassing = status.map { BackOff.passing.contains($0) } ?? true
        let chance = Double(random.below(1 << 30)) / Double(1 << 30)
        if isPassing, let pause = BackOff.pause(afterAttempt: failed, retryAfter: retryAfter, chance: chance) {
            return pause
        }
        switch stage {
        case .catalogue: succeed(.acts)
        case .suggestions: succeed(.analytics)
        default: succeed(.resting)
        }
        return nil
    }

    /// Repeats the request at once; it is unknown whether the server received it.
    mutating func forgetAnswer() {
        if case .analytics = stage { events.mark(first: batchCount, .unclear) }
    }

    mutating func succeed(_ next: Stage) { (failed, stage) = (0, next) }

    private mutating func act(_ visit: DeviceLife.Visit) {
        for name in events.act(visit, on: catalogue) {
            names.append(Suggestion(id: UUID(version4: (random.next(), random.next())), name: name))
        }
    }

    // MARK: Requests

    /// A request with the fields of the real client.
    private func made(_ route: ClientRoute, _ path: String, tag: String? = nil, body: [UInt8]? = nil) -> ClientRequest {
        // URL loading systems add the coding automatically.
        let fields = "Accept: application/json\r\nAccept-Language: en\r\nAccept-Encoding: gzip\r\n"
        return ClientRequest(
            method: body == nil ? "GET" : "POST", path: path, route: route, agent: "subguard/load",
            fields: fields + (tag.map { "If-None-Match: \($0)\r\n" } ?? ""), body: body)
    }

    private func catalogueRequest(isWhole: Bool, isFirst: Bool, cursor: String?) -> ClientRequest {
        var path = "/api/v1/catalogue?limit=500"
        if !isWhole, let catalogue { path += "&since=" + catalogue.token }
        if let cursor { path += "&cursor=" + cursor }
        let tag = isWhole || !isFirst ? nil : catalogue?.entityTag
        return made(isWhole ? .whole : tag == nil ? .delta : .revalidation, path, tag: tag)
    }

    private mutating func analyticsRequest(sentAt: Int64) -> ClientRequest {
        let batch = events.waiting.prefix(batchCount).map(\.report)
        var request = made(
            .analytics, "/api/v1/analytics",
            body: EventReports(events: batch, sentAt: UTCInstant(millisecondsSinceEpoch: sentAt)).json())
        if mayLoseAnswer, failed == 0, random.below(100) < Self.lostPercent {
            request.fate = random.below(2) == 0 ? .thrownAway : .cut
        }
        // At most once per visit: a device that loses every response would test nothing.
        if request.fate != .read { mayLoseAnswer = false }
        return request
    }
}
