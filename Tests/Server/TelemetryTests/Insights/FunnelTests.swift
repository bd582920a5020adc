import BackendTestKit
import EventLog
import SQLDatabase
import ServerAccess
import SubGuardDomain
import Telemetry
import TestKit
import Testing

/// The funnel with a window, by platform and by app version.
struct FunnelTests {
    private let fixture: BackendFixture
    private let log: EventLog
    private let ingest: EventIngest
    private let insights: InsightStore

    init() throws {
        fixture = try BackendFixture(now: "2024-03-04T00:00:00Z")
        log = EventLog(context: fixture.context)
        ingest = EventIngest(log: log)
        insights = InsightStore(context: fixture.context)
    }

    private func properties(_ platform: String?, _ version: String? = nil) -> String {
        let members = [version.map { #""app_version":"\#($0)""# }, platform.map { #""platform":"\#($0)""# }]
        return "{\(members.compactMap(\.self).joined(separator: ","))}"
    }

    /// `name users` of each segment.
    private func segments(_ dimension: FunnelDimension, within days: Int? = nil) throws -> [String] {
        let funnel = try insights.funnel(within: days.flatMap { FunnelWindow(days: $0) }, by: dimension)
        return (funnel.segments ?? []).map { "\($0.name) \($0.all.users)" }
    }

    /// The users, and the counts of the stages.
    private func counts(_ part: Funnel.Part?) -> [Int64] {
        part.map { [$0.users] + $0.stages.map(\.count) } ?? []
    }

    private func expectClean(_ sourceLocation: SourceLocation = #_sourceLocation) throws {
        try log.settle()
        let result = try FigureVerifier(context: fixture.context).verify()
        #expect(result.differences == [], sourceLocation: sourceLocation)
    }

    @Test func aWindowIncludesItsLastMillisecond() async throws {
        try await ingest.store([
            event(1, "app_downloaded", user: 1, at: "2024-02-01T12:00:00Z"),
            event(2, "first_subscription_added", user: 1, at: "2024-02-08T12:00:00Z"),
            event(3, "five_subscriptions_reached", user: 1, at: "2024-02-08T12:00:00.001Z"),
            event(4, "retention_d7", user: 1, at: "2024-01-31T12:00:00Z"),
            event(5, "retention_d30", user: 1, at: "2024-02-01T12:00:00.001Z"),
        ])
        func stages(_ days: Int?) throws -> [Int64] {
            counts(try insights.funnel(within: days.flatMap { FunnelWindow(days: $0) }).all)
        }
        #expect(try stages(1) == [1, 1, 0, 0, 1, 1])
        #expect(try stages(6) == [1, 1, 0, 0, 1, 1])
        #expect(try stages(7) == [1, 1, 1, 0, 1, 1])
        #expect(try stages(8) == [1, 1, 1, 1, 1, 1])
        let all = try insights.funnel()
        #expect(counts(all.all) == [1, 1, 1, 1, 1, 1] && all.unfinished == nil && all.segments == nil)
        try expectClean()
    }

    @Test func marksLongAfterTheSignupAreInNoWindow() async throws {
        try await ingest.store([
            event(1, "app_downloaded", user: 1, at: "2023-10-01T00:00:00Z"),
            event(2, "first_subscription_added", user: 1, at: "2023-12-30T00:00:00Z"),
            event(3, "five_subscriptions_reached", user: 1, at: "2023-12-30T00:00:00.001Z"),
        ])
        #expect(counts(try insights.funnel(within: FunnelWindow(days: 90)).all) == [1, 1, 1, 0, 0, 0])
        #expect(counts(try insights.funnel(within: FunnelWindow(days: 89)).all) == [1, 1, 0, 0, 0, 0])
        #expect(counts(try insights.funnel(by: .platform).all) == [1, 1, 1, 1, 0, 0])
        try expectClean()
    }

    @Test func tellsUsersApartWhoseWindowsHaveNotEnded() async throws {
        try await ingest.store([
            event(1, "app_downloaded", user: 1, at: "2024-02-25T00:00:00Z"),
            event(2, "app_downloaded", user: 2, at: "2024-02-25T23:59:59.999Z"),
            event(3, "app_downloaded", user: 3, at: "2024-02-26T00:00:00Z"),
            event(4, "first_subscription_added", user: 3, at: "2024-02-26T00:00:01Z"),
        ])
        let window = FunnelWindow(days: 7)
        var funnel = try insights.funnel(within: window)
        #expect(counts(funnel.all) == [2, 2, 0, 0, 0, 0])
        #expect(counts(funnel.unfinished) == [1, 1, 1, 0, 0, 0])
        fixture.now = fixture.now.adding(milliseconds: -1)
        #expect(counts(try insights.funnel(within: window).unfinished) == [3, 3, 1, 0, 0, 0])
        fixture.now = fixture.now.adding(days: 1)
        funnel = try insights.funnel(within: window)
        #expect(funnel.all.users == 2 && funnel.unfinished?.users == 1)
        fixture.now = fixture.now.adding(milliseconds: 1)
        funnel = try insights.funnel(DayRange(from: CalendarDay(iso: "2024-02-26")), within: window, by: .platform)
        #expect(counts(funnel.all) == [1, 1, 1, 0, 0, 0] && counts(funnel.unfinished) == [0, 0, 0, 0, 0, 0])
    }

    @Test func aUserHasThePlatformAndVersionOfTheEarliestEvent() async throws {
        try await ingest.store([
            event(1, user: 1, at: "2024-02-20T00:00:00Z", properties: properties("IOS", "1.0")),
            event(2, user: 1, at: "2024-02-21T00:00:00Z", properties: properties("android", "2.0")),
            event(3, user: 2, at: "2024-02-20T00:00:00Z", properties: properties("Amiga", "1.0-beta")),
            event(4, user: 3, at: "2024-02-20T00:00:00Z"),
            event(5, user: 4, at: "2024-02-20T00:00:00Z", properties: properties("visionOS", "1.0")),
            // A download after another event is the signup, but not the earliest event.
            event(6, "app_downloaded", user: 5, at: "2024-02-25T00:00:00Z", properties: properties("web", "3")),
            event(7, user: 5, at: "2024-02-24T00:00:00Z", properties: properties("linux", "2.0")),
        ])
        #expect(try segments(.platform) == ["ios 1", "linux 1", "other 1", "unknown 1", "visionos 1"])
        #expect(try segments(.appVersion) == ["1.0 2", "2.0 1", "other 1", "unknown 1"])
        // Earlier events move users, also within a window.
        try await ingest.store([
            event(8, user: 1, at: "2024-02-19T23:59:59.999Z", properties: properties("android", "2.0")),
            event(9, user: 3, at: "2024-01-01T00:00:00Z", properties: properties("ios", "3")),
            event(10, user: 4, at: "2024-02-20T00:00:00.001Z", properties: properties("ios", "2.0")),
        ])
        #expect(
            try segments(.platform, within: 3) == ["android 1", "ios 1", "linux 1", "other 1", "visionos 1"])
        #expect(try segments(.appVersion, within: 3) == ["2.0 2", "1.0 1", "3 1", "other 1"])
        try expectClean()
    }

    @Test(arguments: [[1, 2, 3], [3, 2, 1], [2, 3, 1], [2, 1, 3]], [true, false])
    func eventsOfTheSameMomentCountInAnyOrder(order: [Int], inOneBatch: Bool) async throws {
        // The versions have their codes in the order of the log; user 9 gives them before.
        try await ingest.store([
            event(8, user: 9, at: "2024-02-20T00:00:00Z", properties: properties("web", "1.0")),
            event(9, user: 9, at: "2024-02-20T00:00:00Z", properties: properties("web", "2.0")),
        ])
        let events = try [
            1: event(1, user: 1, at: "2024-02-20T00:00:00Z", properties: properties("macos", "2.0")),
            2: event(2, "app_downloaded", user: 1, at: "2024-02-20T00:00:00Z", properties: properties("amiga", "1.0")),
            3: event(3, user: 1, at: "2024-02-20T00:00:00Z"),
        ]
        let ordered = order.compactMap { events[$0] }
        for part in inOneBatch ? [ordered] : ordered.map({ [$0] }) {
            try await ingest.store(part)
            try log.settle()
        }
        #expect(try segments(.platform) == ["macos 1", "web 1"])
        #expect(try segments(.appVersion) == ["1.0 2"])
        try expectClean()
    }

    @Test func hasTheFirstTwoHundredVersions() async throws {
        for part in 0..<3 {
            try await ingest.store(
                try (0..<100).map { number in
                    let user = part * 100 + number
                    let properties = properties("ios", "1.\(user)")
                    return try event(UInt64(user), user: user, at: "2024-02-20T00:00:00Z", properties: properties)
                })
            try log.settle()
        }
        #expect(try segments(.appVersion).first == "other 100")
        #expect(try segments(.appVersion).count == 201)
        #expect(try fixture.count("SELECT count(*) FROM app_versions") == 200)
        try expectClean()
        // Those of forged users are free again once they are discarded, for events received afterwards.
        let discarder = EventDiscarder(log: log)
        var selection = DiscardSelection(receivedFrom: .earliest, receivedBefore: .latest)
        selection.appVersions = (5..<250).map { "1.\($0)" }
        try discarder.begin(selection, by: .editor)
        while try discarder.takeStep() { try expectClean() }
        #expect(try fixture.count("SELECT count(*) FROM app_versions WHERE version IS NOT NULL") == 5)
        #expect(try segments(.appVersion) == ["other 50"] + (0..<5).map { "1.\($0) 1" })
        let (before, after) = ("2026-11-20T10:00:00Z", "2026-11-20T10:00:00.001Z")
        for (number, receivedAt) in [(400, before), (401, after), (402, after)] {
            _ = try log.append([
                try EventBatch(
                    [
                        event(
                            UInt64(number), user: number, at: "2024-02-21T00:00:00Z",
                            properties: properties("ios", "1.299"))
                    ], receivedAt: receivedAt)
            ])
        }
        #expect(try segments(.appVersion) == ["other 51", "1.299 2"] + (0..<5).map { "1.\($0) 1" })
        try expectClean()
    }

    @Test(arguments: [
        ("1", true), ("1.0", true), ("2024.02.29.17", true), ("12345678901234567890", true),
        ("123456789012345678901", false), ("", false), (".", false), ("1.", false), (".1", false), ("1..2", false),
        ("v1", false), ("1.0-beta", false), ("1,0", false), ("١", false),
    ])
    func versionsAreNumbersWithDots(text: String, isVersion: Bool) {
        #expect(AppVersions.isVersion(text.utf8) == isVersion)
    }

    @Test func windowsAreOneToNinetyDays() {
        #expect(["1d", "7d", "90d"].allSatisfy { FunnelWindow($0)?.text == $0 })
        let wrong = ["", "d", "7", "0d", "91d", "07d", "+7d", "7D", "7 d", "-1d", "7dd"]
        #expect(wrong.allSatisfy { FunnelWindow($0) == nil })
    }

    /// Ranges that begin or end in, between and beside the blocks of days.
    @Test func rangesOfAnyLengthAgree() async throws {
        let start = try instant("2023-01-01T12:00:00Z")
        for part in 0..<4 {
            try await ingest.store(
                try (0..<100).map { number in
                    let user = part * 100 + number
                    return try event(UInt64(user), "app_downloaded", user: user, at: start.adding(days: user))
                })
        }
        var random = SeededRandom(seed: 5)
        for _ in 0..<200 {
            let first = start.day.adding(days: Int.random(in: -20...420, using: &random))
            let last = first.adding(days: Int.random(in: 0...60, using: &random))
            let range = DayRange(from: first, to: last)
            let funnel = try insights.funnel(range, by: .appVersion)
            #expect(funnel.all == (try insights.funnel(range).all), "\(first) \(last)")
        }
        #expect(try insights.funnel(within: FunnelWindow(days: 1)).all.users == 400)
    }
}
