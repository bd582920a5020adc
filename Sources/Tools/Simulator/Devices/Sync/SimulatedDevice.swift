import Foundation
import SubGuardContract
import SubGuardDomain

/// One device: its owner's life, its queues, and what it asks the server for on a visit, one request after the other, in
/// the order of the real client. It knows no socket: answers, and the lack of them, come in.
package struct SimulatedDevice {
    package enum Step {
        case send(DeviceRequest)
        /// The visit is over, and everything that it brought is settled or waits for the next.
        case done
    }

    enum Stage {
        case resting
        /// Pages that are there, of the whole catalogue or of what changed since the copy.
        case catalogue(isWhole: Bool, pages: [ReceivedPage], cursor: String?)
        case acts, suggestions, analytics
    }

    /// Percent of the batches whose answer is lost, one half thrown away, the other cut.
    private static let lostPercent = 2
    private static let maximumPages = 400

    package let identity: DeviceIdentity
    package internal(set) var events: DeviceEvents
    package internal(set) var catalogue: DeviceCatalogue?
    package private(set) var visit: DeviceLife.Visit?
    /// The visit that comes; nil once the days are over.
    package private(set) var upcoming: DeviceLife.Visit?
    private var life: DeviceLife
    private let epoch: Int64
    var stage = Stage.resting
    /// Attempts of this request that have failed.
    private var failed = 0
    var names: [Suggestion] = []
    private var mayLoseAnswer = true
    /// For what is no part of the life: ids of suggestions, lost answers, pauses.
    var random: SplitMix64

    /// - Parameter epoch: the first midnight of the simulation, in milliseconds since 1970.
    package init(seed: UInt64, number: Int, days: Int, epoch: Int64) {
        identity = DeviceIdentity(seed: seed, number: number)
        events = DeviceEvents(seed: seed, number: number)
        life = DeviceLife(seed: seed, number: number, population: .fleet(days: days))
        random = SplitMix64(seed: seed &+ 0x9E37_79B9, stream: number)
        self.epoch = epoch
        upcoming = life.next()
    }

    package var joinsAt: Int64 { life.joinsAt }
    package var days: Int { life.days }
    package var hasWaiting: Bool { !events.waiting.isEmpty || !names.isEmpty }
    package var waitingSuggestions: Int { names.count }

    // MARK: Visits

    /// Begins the visit that was upcoming. Offline, its acts are queued at once and it asks for nothing.
    package mutating func begin() {
        guard let visit = upcoming else { return }
        self.visit = visit
        upcoming = life.next()
        events.opened(at: visit.at)
        mayLoseAnswer = true
        failed = 0
        guard visit.isOnline else {
            act(visit)
            stage = .resting
            return
        }
        let isFresh = catalogue?.isFresh(at: visit.at) ?? false
        stage = isFresh ? .acts : .catalogue(isWhole: catalogue == nil, pages: [], cursor: nil)
    }

    /// After the last day: sends what waits, and nothing else happens.
    package mutating func flush(at moment: Int64) {
        visit = DeviceLife.Visit(at: moment, isOnline: true, acts: [])
        failed = 0
        mayLoseAnswer = false
        stage = .suggestions
    }

    /// What to do next.
    ///
    /// - Parameter sentAt: milliseconds since 1970 by a right clock.
    package mutating func step(sentAt: Int64) -> Step {
        while true {
            switch stage {
            case .resting:
                visit = nil
                return .done
            case .catalogue(let isWhole, let pages, let cursor):
                return .send(catalogueRequest(isWhole: isWhole, isFirst: pages.isEmpty, cursor: cursor))
            case .acts:
                if let visit { act(visit) }
                stage = .suggestions
            case .suggestions:
                if !names.isEmpty { return .send(suggestionRequest()) }
                stage = .analytics
            case .analytics:
                if !events.waiting.isEmpty { return .send(analyticsRequest(sentAt: sentAt)) }
                stage = .resting
            }
        }
    }

    /// This request has no answer, or one that the device cannot go on with. Returns after how many nanoseconds it is
    /// sent again; nil when the device gives this part of the visit up, and goes on with the next.
    package mutating func fail(status: Int? = nil, retryAfter: Int? = nil) -> Int64? {
        if status.map({ $0 >= 500 }) ?? true { forgetAnswer() }
        failed += 1
        let isPassing = status.map { BackOff.passing.contains($0) } ?? true
        let chance = Double(random.below(1 << 30)) / Double(1 << 30)
        if isPassing, let pause = BackOff.pause(afterAttempt: failed, retryAfter: retryAfter, chance: chance) {
            return pause
        }
        failed = 0
        switch stage {
        case .catalogue: stage = .acts
        case .suggestions: stage = .analytics
        default: stage = .resting
        }
        return nil
    }

    /// The request is sent again at once; nobody knows whether the server had it before.
    mutating func forgetAnswer() {
        if case .analytics = stage { events.mark(first: batchCount, .unclear) }
    }

    mutating func succeed(_ next: Stage) {
        failed = 0
        stage = next
    }

    private mutating func act(_ visit: DeviceLife.Visit) {
        for name in events.act(visit, on: catalogue) {
            names.append(Suggestion(id: UUID(version4: (random.next(), random.next())), name: name))
        }
    }

    // MARK: Requests

    var batchCount: Int { min(events.waiting.count, DeviceEvents.batchSize) }

    private func catalogueRequest(isWhole: Bool, isFirst: Bool, cursor: String?) -> DeviceRequest {
        var path = "/api/v1/catalogue?limit=500"
        if !isWhole, let catalogue { path += "&since=" + catalogue.token }
        if let cursor { path += "&cursor=" + cursor }
        let tag = isWhole || !isFirst ? nil : catalogue?.entityTag
        return DeviceRequest(
            call: isWhole ? .whole : tag == nil ? .delta : .revalidation, path: path, entityTag: tag)
    }

    private func suggestionRequest() -> DeviceRequest {
        DeviceRequest(
            call: .suggestions, path: "/api/v1/suggestions",
            body: SuggestionQueue(names.prefix(SuggestionQueue.batchSize.upperBound)).json())
    }

    private mutating func analyticsRequest(sentAt: Int64) -> DeviceRequest {
        let batch = events.waiting.prefix(DeviceEvents.batchSize).map {
            identity.report($0, at: UTCInstant(millisecondsSinceEpoch: epoch + $0.at))
        }
        var request = DeviceRequest(
            call: .analytics, path: "/api/v1/analytics",
            body: EventReports(events: batch, sentAt: UTCInstant(millisecondsSinceEpoch: sentAt)).json())
        if mayLoseAnswer, failed == 0, random.below(100) < Self.lostPercent {
            request.fate = random.below(2) == 0 ? .thrownAway : .cut
        }
        // Once a visit: a device that loses every answer shows nothing.
        if request.fate != .read { mayLoseAnswer = false }
        return request
    }

    static func isTooLong(_ pages: [ReceivedPage]) -> Bool { pages.count >= maximumPages }
}
