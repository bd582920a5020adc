import ArgumentParser
import Foundation
import JSONWire
import SubGuardDomain
import Testing

@testable import DeviceSimulation
@testable import LoadTester

@Suite struct BatchMakerTests {
    /// 2024-02-29T23:59:59.999Z
    private let now: Int64 = 1_709_251_199_999

    private func plan(_ change: (inout LoadPlan) throws -> Void = { _ in }) throws -> LoadPlan {
        var plan = try LoadPlan.parse(["--seed", "7", "--batch-sizes", "100", "--warm-up", "0s"])
        try change(&plan)
        return plan
    }

    private func events(_ batch: MadeBatch) throws -> [JSONValue] {
        try #require(try JSONValue.parse(batch.body).arrayValue)
    }

    /// The expected counts of a server that knows the ids in `known`, determined from the body only.
    private func judge(_ batch: MadeBatch, known: inout Set<String>) throws -> EventCounts {
        var counts = EventCounts()
        for event in try events(batch) {
            guard let id = validID(event) else {
                counts.rejected += 1
                continue
            }
            if known.insert(id).inserted { counts.accepted += 1 } else { counts.duplicates += 1 }
        }
        return counts
    }

    private func validID(_ event: JSONValue) -> String? {
        guard let object = event.objectValue, let id = object["id"]?.stringValue, UUID(strict: id) != nil,
            let definition = object["name"]?.stringValue.flatMap({ EventRegistry.definition(named: $0) }),
            let user = object["user_id"]?.stringValue,
            user.count == 64, user.allSatisfy({ $0.isHexDigit && !$0.isUppercase }),
            let time = object["timestamp"]?.stringValue.flatMap({ UTCInstant(rfc3339: $0) }),
            AnalyticsLimits.accepts(timestamp: time, receivedAt: UTCInstant(millisecondsSinceEpoch: now))
        else { return nil }
        let properties = object["properties"]?.objectValue?.members ?? []
        let areValid = properties.allSatisfy { name, value in
            guard let property = definition.property(named: name) else { return false }
            return value.stringValue.map { property.kind.accepts(text: $0) }
                ?? value.integerValue.map { property.kind.accepts(integer: $0) } ?? false
        }
        return areValid ? id : nil
    }

    @Test(arguments: [(0.0, 0.0), (5, 2), (2, 5), (50, 50), (33.3, 0), (0, 100), (12.5, 7.25)])
    func sharesOfDuplicatesAndBadEventsAreWhatWasAsked(_ duplicates: Double, _ bad: Double) throws {
        var maker = BatchMaker(
            try plan {
                $0.duplicates = duplicates
                $0.bad = bad
            }, thread: 0)
        var known: Set<String> = []
        var total = EventCounts()
        for _ in 0..<40 {
            let batch = maker.make(now: now)
            let judged = try judge(batch, known: &known)
            #expect(judged == batch.expected)
            total += judged
            maker.remember(batch)
        }
        #expect(total.total == 4_000)
        #expect(abs(Double(total.duplicates) - 40 * duplicates) <= 1)
        #expect(abs(Double(total.rejected) - 40 * bad) <= 1)
    }

    @Test func singleEventsRepeatIdsOnceSomeAreKnown() throws {
        var maker = BatchMaker(
            try plan {
                $0.batchSizes = try BatchMix("1")
                $0.duplicates = 25
            }, thread: 0)
        var known: Set<String> = []
        var repeated = 0
        for _ in 0..<1_000 {
            let batch = maker.make(now: now)
            let judged = try judge(batch, known: &known)
            #expect(judged == batch.expected)
            repeated += judged.duplicates
            maker.remember(batch)
        }
        #expect(repeated == 250)
    }

    @Test func idsOfALostBatchNeverComeAgain() throws {
        var maker = BatchMaker(try plan { $0.duplicates = 40 }, thread: 0)
        var lost: Set<String> = []
        _ = try judge(maker.make(now: now), known: &lost)
        for _ in 0..<20 {
            let batch = maker.make(now: now)
            for event in try events(batch) {
                let id = try #require(event.objectValue?["id"]?.stringValue)
                #expect(!lost.contains(id))
            }
            maker.remember(batch)
        }
    }

    @Test func idsAreRandomAndNeverTheSameOnTwoThreads() throws {
        var seen: Set<String> = []
        for thread in 0..<4 {
            var maker = BatchMaker(try plan(), thread: thread)
            for event in try events(maker.make(now: now)) {
                let id = try #require(event.objectValue?["id"]?.stringValue)
                let uuid = try #require(UUID(strict: id)?.rawBytes)
                #expect(uuid[6] >> 4 == 4)
                #expect(uuid[8] >> 6 == 0b10)
                #expect(seen.insert(id).inserted)
            }
        }
        #expect(seen.count == 400)
    }

    @Test func timestampsReachBackAsFarAsAsked() throws {
        var maker = BatchMaker(
            try plan {
                $0.days = 60
                $0.batchSizes = try BatchMix("1000")
            }, thread: 0)
        let times = try events(maker.make(now: now)).map {
            try #require($0.objectValue?["timestamp"]?.stringValue.flatMap { UTCInstant(rfc3339: $0) })
        }
        let latest = UTCInstant(millisecondsSinceEpoch: now)
        #expect(times.allSatisfy { $0 <= latest && $0 > latest.adding(days: -60) })
        #expect(Set(times.map(\.day)).count > 55)
    }

    @Test func withoutDaysEveryEventIsOfThisMillisecond() throws {
        var maker = BatchMaker(try plan(), thread: 0)
        let first = try #require(try events(maker.make(now: now)).first?.objectValue)
        #expect(first["timestamp"]?.stringValue == "2024-02-29T23:59:59.999Z")
    }

    @Test func usersAreNoMoreThanAskedAndTheSameInEveryRun() throws {
        func users(seed: UInt64) throws -> Set<String> {
            var maker = BatchMaker(
                try plan {
                    $0.users = 5
                    $0.seed = seed
                }, thread: 0)
            return Set(try events(maker.make(now: now)).compactMap { $0.objectValue?["user_id"]?.stringValue })
        }
        #expect(try users(seed: 1).count == 5)
        #expect(try users(seed: 1) == users(seed: 99))
    }

    @Test func theSameSeedMakesTheSameBytes() throws {
        var one = BatchMaker(try plan { $0.bad = 3 }, thread: 1)
        var other = BatchMaker(try plan { $0.bad = 3 }, thread: 1)
        for _ in 0..<5 { #expect(one.make(now: now).body == other.make(now: now).body) }
    }

    @Test func compressedBatchesAreAsManyAsAsked() throws {
        var maker = BatchMaker(try plan { $0.gzip = 25 }, thread: 0)
        let made = (0..<40).map { _ in maker.make(now: now) }
        #expect(made.filter(\.isCompressed).count == 10)
        #expect(made.allSatisfy { $0.isCompressed == $0.body.starts(with: [0x1F, 0x8B]) })
    }

    /// The sizes of the usual mix deviate by most of a batch of 1,000; the last batches make up for it.
    @Test(arguments: [(1_000.0, 30, 1, LoadPlan.Profile.ingest), (777, 11, 3, .ingest), (5_000, 2, 2, .mixed)])
    func theRateOfEventsIsExactOverTheRun(
        _ rate: Double, _ seconds: Int, _ threads: Int, _ profile: LoadPlan.Profile
    ) throws {
        let plan = try plan {
            $0.rate = rate
            $0.batchSizes = .usual
            ($0.duration, $0.threads, $0.profile) = (.seconds(seconds), threads, profile)
            $0.warmUp = .seconds(seconds) / 2
        }
        // Those of the warm-up, and those that are measured.
        var events = [0, 0]
        for thread in 0..<threads {
            var schedule = LoadSchedule(
                start: 0, duration: plan.warmUpLength + plan.length, requestsPerSecond: plan.requestsPerSecond,
                thread: thread, of: threads)
            var maker = BatchMaker(plan, thread: thread)
            var isRead = false
            while let due = schedule.take(at: .max / 4) {
                if !isRead {
                    events[due < plan.warmUpLength.nanoseconds ? 0 : 1] += maker.make(now: now).expected.total
                }
                if profile == .mixed { isRead.toggle() }
            }
        }
        let expected = rate * Double(seconds)
        #expect(abs(Double(events[0]) - expected / 2) <= expected / 200)
        #expect(abs(Double(events[1]) - expected) <= expected / 100)
    }
}
