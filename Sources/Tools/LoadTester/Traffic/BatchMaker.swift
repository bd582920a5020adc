import DeviceSimulation
import Foundation
import SubGuardDomain
import ZlibCoding

/// The body of one batch, and the expected counts of the response.
struct MadeBatch: Sendable {
    var body: [UInt8] = []
    var isCompressed = false
    var expected = EventCounts()
    /// The ids that are new to the server.
    var freshIDs: [UUID] = []
}

/// Makes the bodies of batches by copying prepared events and overwriting id, user and time. The shares of duplicates,
/// bad events and compressed batches are exact to within one.
///
/// An id is repeated only in the same batch or after its batch was answered, see ``remember(_:)``. The expected
/// response is thus known even if batches overtake each other or are lost.
struct BatchMaker {
    /// Number of ids remembered for repetition; 1 MiB.
    private static let memory = 65_536

    private let plan: LoadPlan
    private let templates = EventTemplate.good
    private var random: SplitMix64
    private var sizes: EvenPicks
    private var quotas: [(batches: Int, events: Int)]
    private var duplicates: EvenPicks
    private var bad: EvenPicks
    private var compressed: EvenPicks
    private var known: [UUID] = []
    private var oldest = 0
    private var badMade = 0

    /// Makers of different threads never generate the same id.
    init(_ plan: LoadPlan, thread: Int) {
        self.plan = plan
        random = SplitMix64(seed: plan.seedNumber, stream: thread)
        sizes = EvenPicks(weights: plan.batchSizes.weights)
        quotas = plan.quotas(ofThread: thread)
        duplicates = EvenPicks(percent: plan.duplicates)
        bad = EvenPicks(percent: plan.bad)
        compressed = EvenPicks(percent: plan.gzip)
    }

    /// The next batch; `now` in milliseconds since 1970.
    mutating func make(now: Int64) -> MadeBatch {
        var batch = MadeBatch()
        let size = nextSize()
        batch.body.reserveCapacity(size * EventTemplate.usualBytes)
        for index in 0..<size {
            batch.body.append(UInt8(ascii: index == 0 ? "[" : ","))
            addEvent(to: &batch, now: now)
        }
        batch.body.append(UInt8(ascii: "]"))
        if compressed.next() == 0, let small = Gzip.compress(batch.body, level: 1) {
            batch.body = small
            batch.isCompressed = true
        }
        return batch
    }

    /// Allows repeating the ids of this batch, which the server has answered.
    mutating func remember(_ batch: MadeBatch) {
        guard plan.duplicates > 0 else { return }
        for id in batch.freshIDs {
            if known.count < Self.memory { known.append(id) } else { known[oldest] = id }
            oldest = (oldest + 1) % Self.memory
        }
    }

    /// The last batches of the warm-up and of the measurement make up for what the sizes so far deviate from the rate,
    /// so that it is exact over both.
    private mutating func nextSize() -> Int {
        let size = plan.batchSizes.sizes[sizes.next()]
        while quotas.first?.batches == 0 { quotas.removeFirst() }
        guard let (batches, events) = quotas.first else { return size }
        let share = Int((Double(events) / Double(batches)).rounded())
        let limits = AnalyticsLimits.batchSize
        let exact = batches > 4 ? size : min(max(share, limits.lowerBound), limits.upperBound)
        quotas[0] = (batches - 1, events - exact)
        return exact
    }

    private mutating func addEvent(to batch: inout MadeBatch, now: Int64) {
        let isBad = bad.next() == 0
        var repeated: UUID?
        if duplicates.next() == 0 {
            repeated = isBad ? nil : knownID(or: batch.freshIDs)
            if repeated == nil { duplicates.replace(0, by: 1) }
        }
        let id = repeated ?? UUID(version4: (random.next(), random.next()))
        let template: EventTemplate
        if isBad {
            batch.expected.rejected += 1
            badMade += 1
            template = EventTemplate.bad[badMade % EventTemplate.bad.count]
        } else {
            if repeated == nil { batch.freshIDs.append(id) }
            batch.expected.accepted += repeated == nil ? 1 : 0
            batch.expected.duplicates += repeated == nil ? 0 : 1
            template = templates[random.below(templates.count)]
        }
        let user = random.below(plan.users)
        let back = plan.dayCount == 0 ? 0 : Int64(random.below(plan.dayCount * 86_400_000))
        template.write(id: id, user: user, time: UTCInstant(millisecondsSinceEpoch: now - back), to: &batch.body)
    }

    private mutating func knownID(or inBatch: [UUID]) -> UUID? {
        if !known.isEmpty { return known[random.below(known.count)] }
        return inBatch.isEmpty ? nil : inBatch[random.below(inBatch.count)]
    }
}

extension LoadPlan {
    /// How many batches a thread sends on schedule, and the exact number of their events: those of the warm-up, then
    /// those of the measurement. Empty where no rate of events is given.
    fileprivate func quotas(ofThread thread: Int) -> [(batches: Int, events: Int)] {
        guard case .events(let rate) = pace, let requestsPerSecond, thread < threads else { return [] }
        var before = (batches: 0, events: 0)
        return [warmUpLength, warmUpLength + length].map { end in
            let batches = (0..<threads).map { thread in
                let requests = LoadSchedule.count(end, perSecond: requestsPerSecond, thread: thread, of: threads)
                // Of mixed traffic, the second of two requests is a read.
                return profile == .mixed ? (requests + 1) / 2 : requests
            }
            // Differences of rounded sums, so that the events of all threads are exact.
            func events(ofThreads count: Int) -> Int {
                let share = Double(batches.prefix(count).reduce(0, +)) / Double(max(1, batches.reduce(0, +)))
                return Int((rate * end.inSeconds * share).rounded())
            }
            let sum = (batches: batches[thread], events: events(ofThreads: thread + 1) - events(ofThreads: thread))
            defer { before = sum }
            return (sum.batches - before.batches, sum.events - before.events)
        }
    }
}
