import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

/// What is cancelled on one device stays so, whatever others entered without knowing of it, until someone resumes it.
@Suite struct CancellationMergeTests {
    private let devices: [EngineFixture]
    private let gym: UUID

    init() throws {
        devices = try (1...3).map { try EngineFixture("2026-11-14T06:00:00Z", seed: $0) }
        gym = try devices[0].add("Gym", [.amount: "30", .nextBillingOn: "2026-12-05"])
        for device in devices.dropFirst() { _ = try merge(devices[0], into: device) }
    }

    private func merge(_ from: EngineFixture, into fixture: EngineFixture) throws -> MergeReport {
        try fixture.store.backups.merge(from.backup(), keepsCopy: false, at: fixture.moment)
    }

    private func go(_ minute: Int) throws {
        for device in devices { try device.go(to: "2026-11-14T07:\(10 + minute):00Z") }
    }

    private func act(_ device: Int, _ action: Action) throws {
        let (fixture, subscriptions) = (devices[device], devices[device].store.subscriptions)
        switch action {
        case .pause(let from, let last):
            try subscriptions.pause(
                gym, from: fixture.day(from), through: try last.map(fixture.day), at: fixture.moment)
        case .removePause(let day): try subscriptions.removePause(gym, from: fixture.day(day), at: fixture.moment)
        case .cancel(let day): try subscriptions.cancel(gym, on: fixture.day(day), at: fixture.moment)
        case .resume(let day): try subscriptions.setState(gym, .active, from: fixture.day(day), at: fixture.moment)
        case .undo: try fixture.store.journal.undo(at: fixture.moment)
        case .note(let text): try subscriptions.edit(gym, [.notes: text], at: fixture.moment)
        case .read(let other):
            let file = try devices[other].store.portability.export(.json, at: fixture.moment)
            _ = try fixture.store.portability.importFile(
                Array(file.utf8), ImportOptions(format: .json), at: fixture.moment)
        case .merge(let other): _ = try merge(devices[other], into: fixture)
        }
    }

    private static func state(_ subscription: Subscription, on day: CalendarDay) -> SubscriptionState {
        subscription.stateHistory.last { $0.from <= day }?.state ?? .active
    }

    /// The days of the charges until June.
    private func charges(_ fixture: EngineFixture) throws -> [String] {
        try fixture.store.ledger.occurrences(
            from: fixture.day("2026-11-14"), through: fixture.day("2027-05-31"), at: fixture.moment
        ).map(\.billingOn.iso)
    }

    enum Action: Sendable {
        case pause(String, String?)
        case removePause(String)
        case cancel(String)
        case resume(String)
        case undo
        case note(String)
        /// Imports the JSON export of another device.
        case read(Int)
        /// Takes over what another device has.
        case merge(Int)
    }

    struct Course: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What each device did, in the order of time.
        let actions: [(device: Int, action: Action)]
        let charges: [String]
    }

    private static let pause = (device: 1, action: Action.pause("2026-12-01", "2027-02-01"))
    private static let cancel = (device: 0, action: Action.cancel("2026-11-20"))
    private static let always = [
        "2026-12-05", "2027-01-05", "2027-02-05", "2027-03-05", "2027-04-05", "2027-05-05",
    ]

    static let courses = [
        Course(testDescription: "paused, then cancelled", actions: [pause, cancel], charges: []),
        Course(testDescription: "cancelled, then paused", actions: [cancel, pause], charges: []),
        Course(
            testDescription: "cancelled within the pause", actions: [pause, (0, .cancel("2027-01-10"))], charges: []),
        Course(
            testDescription: "cancelled and paused on one day",
            actions: [(0, .cancel("2026-12-01")), pause], charges: []),
        Course(
            testDescription: "paused until the day of the cancellation",
            actions: [(0, .cancel("2027-02-02")), pause], charges: []),
        Course(
            testDescription: "the end of the pause is corrected",
            actions: [pause, cancel, (1, .pause("2026-12-01", "2027-03-01"))], charges: []),
        Course(
            testDescription: "the pause is ended",
            actions: [(1, .pause("2026-12-01", nil)), cancel, (1, .resume("2027-01-01"))], charges: []),
        Course(
            testDescription: "resumed where the pause is not known",
            actions: [pause, cancel, (0, .resume("2027-01-15"))], charges: Array(always[2...])),
        Course(
            testDescription: "resumed where the pause is known",
            actions: [pause, cancel, (2, .merge(0)), (2, .merge(1)), (2, .resume("2027-01-15"))],
            charges: Array(always[2...])),
        Course(
            testDescription: "resumed on the day after the pause, then a note",
            actions: [
                pause, cancel, (2, .merge(0)), (2, .merge(1)), (2, .resume("2027-02-02")), (1, .note("“Été”")),
            ], charges: Array(always[2...])),
        Course(
            testDescription: "resumed and undone",
            actions: [pause, cancel, (2, .merge(0)), (2, .merge(1)), (2, .resume("2027-02-02")), (2, .undo)],
            charges: []),
        Course(
            testDescription: "cancelled and undone, with a note of between",
            actions: [pause, cancel, (1, .merge(0)), (1, .note("12.34")), (0, .undo)], charges: Array(always[2...])),
        Course(
            testDescription: "the cancellation is put off until after the pause",
            actions: [pause, cancel, (1, .merge(0)), (0, .cancel("2027-03-10"))],
            charges: ["2027-02-05", "2027-03-05"]),
        Course(
            testDescription: "the merge is undone", actions: [pause, cancel, (1, .merge(0)), (1, .undo)], charges: []),
        Course(
            testDescription: "paused on the day of a resumption",
            actions: [
                cancel, (0, .resume("2026-12-20")), (1, .merge(0)), (1, .pause("2026-12-20", "2027-02-01")),
            ], charges: Array(always[2...])),
        Course(
            testDescription: "a pause before the cancellation is undone",
            actions: [cancel, (0, .resume("2026-12-20")), (0, .pause("2026-11-15", nil)), (0, .undo)],
            charges: Array(always[1...])),
        Course(
            testDescription: "paused before the cancellation where the resumption is not known",
            actions: [cancel, (1, .merge(0)), (1, .resume("2026-12-20")), (0, .pause("2026-11-15", nil))],
            charges: Array(always[1...])),
        Course(
            testDescription: "paused before a cancellation that was taken back",
            actions: [
                (0, .cancel("2026-12-31")), (1, .merge(0)), (1, .resume("2026-11-14")),
                (0, .pause("2026-12-10", nil)),
            ], charges: ["2026-12-05"]),
        Course(
            testDescription: "resumed again from the same day",
            actions: [
                cancel, (1, .merge(0)), (1, .resume("2026-12-20")), (0, .cancel("2026-11-22")), (1, .merge(0)),
                (1, .resume("2026-12-20")),
            ], charges: Array(always[1...])),
        Course(
            testDescription: "resumed again from the same day, and undone",
            actions: [
                cancel, (1, .merge(0)), (1, .resume("2026-12-20")), (0, .cancel("2026-11-22")), (1, .merge(0)),
                (1, .resume("2026-12-20")), (1, .undo),
            ], charges: []),
        Course(
            testDescription: "resumed on the first day of a pause of another device",
            actions: [cancel, (0, .resume("2026-12-01")), (1, .pause("2026-12-01", "2026-12-31"))],
            charges: Array(always[1...])),
        Course(
            testDescription: "resumed on the day after a pause that is then longer",
            actions: [
                pause, cancel, (2, .merge(0)), (2, .merge(1)), (2, .resume("2027-02-02")),
                (1, .pause("2026-12-01", "2027-03-01")),
            ], charges: Array(always[2...])),
        Course(
            testDescription: "an export with the cancellation is imported where it is not known",
            actions: [pause, cancel, (1, .read(0))], charges: []),
        Course(
            testDescription: "an export of before the resumption is imported",
            actions: [cancel, (1, .read(0)), (0, .resume("2026-12-20")), (0, .read(1))], charges: Array(always[1...])),
        Course(
            testDescription: "an export with a pause is imported where it is cancelled",
            actions: [pause, cancel, (0, .read(1))], charges: []),
        Course(
            testDescription: "a pause from the day of a resumption knows no later cancellation",
            actions: [
                cancel, (1, .merge(0)), (1, .resume("2026-12-20")), (0, .cancel("2026-11-22")),
                (1, .pause("2026-12-20", "2027-01-10")),
            ], charges: []),
        Course(
            testDescription: "a pause from the day of a resumption is removed",
            actions: [
                cancel, (0, .resume("2026-12-01")), (0, .pause("2026-12-01", "2026-12-31")),
                (0, .removePause("2026-12-01")),
            ], charges: always),
        Course(
            testDescription: "each corrects the cancellation to the day of the other",
            actions: [
                (1, .cancel("2026-12-10")), cancel, (1, .merge(0)), (0, .cancel("2026-12-10")),
                (1, .cancel("2026-11-20")),
            ], charges: []),
        Course(
            testDescription: "cancelled again after a resumption that another device paused",
            actions: [
                cancel, (0, .resume("2026-12-20")), (1, .merge(0)), (0, .cancel("2026-12-30")),
                (1, .pause("2027-01-03", "2027-02-01")),
            ], charges: []),
    ]

    @Test(arguments: courses) func aCancellationHolds(_ course: Course) throws {
        for (minute, (device, action)) in course.actions.enumerated() {
            try go(minute)
            try act(device, action)
        }
        try go(40)
        for (from, into) in [(0, 1), (1, 0), (1, 2), (0, 2), (2, 0), (2, 1)] {
            _ = try merge(devices[from], into: devices[into])
        }
        for device in devices {
            #expect(try charges(device) == course.charges)
            #expect(try device.backup() == devices[0].backup())
        }
    }

    @Test func earlierBackupsHadCancellationsAmongOtherStates() throws {
        let (x, y) = (devices[0], devices[1])
        try act(1, .pause("2026-12-01", "2027-02-01"))
        try go(1)
        try act(0, .cancel("2026-11-20"))
        // Nothing is paused there, so the table of other states is empty.
        let now = String(decoding: try x.backup(), as: UTF8.self)
        let earlier = try ForgedBackup.resealed(
            now.replacing(#/\{"name":"states"[^{}]*\},/#, with: "")
                .replacing("\"name\":\"cancellations\"", with: "\"name\":\"states\"")
                .replacing(#/2,0,"[0-9a-f]{32}",0/#, with: "2,0,null,0"))
        #expect(earlier != Array(now.utf8))
        _ = try y.store.backups.merge(earlier, keepsCopy: false, at: y.moment)
        #expect(try charges(y) == [])
        try devices[2].store.backups.restore(earlier, keepsCopy: false, at: y.moment)
        #expect(try charges(devices[2]) == [])
        _ = try merge(devices[2], into: y)
        _ = try merge(y, into: devices[2])
        #expect(try devices[2].backup() == y.backup())
    }

    /// Each edit does on each device what it does to the subscription that is shown there, an undo shows what was there
    /// before, and in the end all devices have the same. Where nobody resumed, it is cancelled on all of them.
    @Test(arguments: SeededRandom.seeds(30, of: 1000)) func anyCourseOnThreeDevices(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let resumes = Bool.random(using: &random)
        var log: [String] = []
        var isCancelled = false
        /// What was there before the last edit of a device, unless it has merged since.
        var before: [ObjectIdentifier: [DatedState]] = [:]
        for minute in 0..<Int.random(in: 3...14, using: &random) {
            try go(minute)
            let device = devices[Int.random(in: 0..<3, using: &random)]
            let day = device.moment.today.adding(days: Int.random(in: 0...6, using: &random))
            let last = day.adding(days: Int.random(in: 0...4, using: &random))
            let shown = try device.store.subscriptions.load(gym)
            var wanted = shown
            let former = before.removeValue(forKey: ObjectIdentifier(device))
            switch Int.random(in: 0..<10, using: &random) {
            case 0, 1:
                let other = devices[Int.random(in: 0..<3, using: &random)]
                log.append("\(minute) merges")
                if other !== device { _ = try merge(other, into: device) }
                continue
            case 2, 7:
                wanted.setState(.cancelled, from: day)
                try device.store.subscriptions.cancel(gym, on: day, at: device.moment)
                isCancelled = true
            case 3 where resumes || Self.state(shown, on: day) != .cancelled && shown.cancelsOn(after: day) == nil:
                wanted.setState(.active, from: day)
                try device.store.subscriptions.setState(gym, .active, from: day, at: device.moment)
            case 4 where Self.state(shown, on: day) != .cancelled:
                try wanted.pause(from: day, through: nil)
                try device.store.subscriptions.pause(gym, from: day, at: device.moment)
            case 5, 6:
                guard Self.state(shown, on: day) != .cancelled else { continue }
                try wanted.pause(from: day, through: last)
                try device.store.subscriptions.pause(gym, from: day, through: last, at: device.moment)
            case 8 where resumes:
                guard let former else { continue }
                log.append("\(minute) undo")
                try device.store.journal.undo(at: device.moment)
                let found = try device.store.subscriptions.load(gym)
                #expect(found.stateHistory == former, "seed \(seed)\n\(log.joined(separator: "\n"))")
                continue
            default: continue
            }
            if wanted.stateHistory != shown.stateHistory { before[ObjectIdentifier(device)] = shown.stateHistory }
            log.append("\(minute) \(day) \(last) \(wanted.stateHistory)")
            let found = try device.store.subscriptions.load(gym)
            #expect(found.stateHistory == wanted.stateHistory, "seed \(seed)\n\(log.joined(separator: "\n"))")
        }
        try go(40)
        for (from, into) in [(0, 1), (1, 2), (2, 0), (0, 1), (1, 2)] {
            _ = try merge(devices[from], into: devices[into])
        }
        let end = devices[0].moment.today.adding(days: 60)
        for device in devices {
            #expect(try device.backup() == devices[0].backup(), "seed \(seed)")
            if isCancelled, !resumes {
                let state = Self.state(try device.store.subscriptions.load(gym), on: end)
                #expect(state == .cancelled, "seed \(seed)\n\(log.joined(separator: "\n"))")
            }
        }
    }
}
