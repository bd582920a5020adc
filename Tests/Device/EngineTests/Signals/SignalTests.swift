import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine
import Testing

@Suite struct SignalTests {
    private func files(_ fixture: EngineFixture) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: fixture.store.path + ".signals")
        return (names ?? []).sorted()
    }

    private func sessions(_ fixture: EngineFixture) -> [EndedSession] {
        var found: [EndedSession] = []
        for batch in fixture.store.signals.batches(at: fixture.moment) {
            if case .sessions(let sessions) = batch.content { found += sessions }
        }
        return found
    }

    private func crashes(_ fixture: EngineFixture) -> [JSONObject] {
        var found: [JSONObject] = []
        for batch in fixture.store.signals.batches(at: fixture.moment) {
            if case .crash(let object) = batch.content { found.append(object) }
        }
        return found
    }

    @Test func countsASessionOnceItHasEnded() throws {
        let fixture = try EngineFixture()
        let session = try #require(try fixture.store.signals.begin(version: "1.4.0", at: fixture.moment))
        #expect(fixture.store.signals.counts() == SignalCounts(sessions: 0, crashes: 0))
        session.end()
        session.end()
        #expect(fixture.store.signals.counts() == SignalCounts(sessions: 1, crashes: 0))
        #expect(files(fixture) == ["ended"])
        let found = sessions(fixture)
        #expect(found.map(\.startedAt) == [fixture.moment.now] && found.map(\.version) == ["1.4.0"])
        #expect(!found[0].isCrashed)
    }

    @Test func aSessionInTheBackgroundIsNotCounted() throws {
        let fixture = try EngineFixture()
        let begin = { try fixture.store.signals.begin(version: "1.4.0", isBackground: true, at: fixture.moment) }
        try #require(try begin()).end()
        #expect(fixture.store.signals.counts().sessions == 0 && files(fixture).isEmpty)
        // Killed: the next session takes its marker away.
        _ = try begin()
        try fixture.store.signals.begin(version: "1.4.0", at: fixture.moment)?.end()
        #expect(fixture.store.signals.counts().sessions == 1 && files(fixture) == ["ended"])
    }

    @Test func aSessionWithoutAnEndIsNotedByTheNext() throws {
        let fixture = try EngineFixture()
        // The last reference goes, and with it the lock, as when the process ends.
        _ = try fixture.store.signals.begin(version: "1.4.0", name: "import", at: fixture.moment)
        #expect(fixture.store.signals.counts().sessions == 0)
        let next = try #require(try fixture.store.signals.begin(version: "1.5.0", at: fixture.moment))
        #expect(fixture.store.signals.counts() == SignalCounts(sessions: 1, crashes: 0))
        // One that still runs stays.
        _ = try fixture.store.signals.begin(version: "1.5.0", at: fixture.moment)?.end()
        #expect(fixture.store.signals.counts().sessions == 2)
        next.end()
        #expect(fixture.store.signals.counts().sessions == 3)
        #expect(sessions(fixture).allSatisfy { !$0.isCrashed })
    }

    @Test func aRecordedFaultIsACrash() throws {
        let fixture = try EngineFixture()
        _ = try fixture.store.signals.begin(version: "1.4.0", name: "import", at: fixture.moment)
        // What the handler writes.
        let marker = try #require(files(fixture).first { $0.hasPrefix("running-") })
        let file = try #require(FileHandle(forUpdatingAtPath: "\(fixture.store.path).signals/\(marker)"))
        try file.seekToEnd()
        try file.write(contentsOf: Data("signal 11\n".utf8))
        try file.close()
        try #require(try fixture.store.signals.begin(version: "1.5.0", at: fixture.moment)).end()
        #expect(fixture.store.signals.counts() == SignalCounts(sessions: 2, crashes: 1))
        let crash = try #require(crashes(fixture).first)
        #expect(crash["type"]?.stringValue == "SIGSEGV" && crash["message"]?.stringValue == "import")
        #expect(crash["app_version"]?.stringValue == "1.4.0")
        #expect(sessions(fixture).filter(\.isCrashed).map(\.version) == ["1.4.0"])
    }

    @Test func whatWasSealedIsNotChangedByLaterSessions() throws {
        let fixture = try EngineFixture()
        let one = { try fixture.store.signals.begin(version: "1.4.0", at: fixture.moment)?.end() }
        try one()
        let first = fixture.store.signals.batches(at: fixture.moment)
        try one()
        // Not answered: the same again, and the later session in a file of its own.
        let again = fixture.store.signals.batches(at: fixture.moment)
        #expect(again.count == 2 && again.map(\.id).contains(first[0].id))
        for batch in first { fixture.store.signals.settle(batch) }
        for batch in first { fixture.store.signals.settle(batch) }
        #expect(fixture.store.signals.counts().sessions == 1)
    }

    @Test func aReportIsScrubbedBeforeItIsStored() throws {
        let fixture = try EngineFixture()
        let crash = CrashDetails(
            type: "DecodingError", message: "no “prix” for bob@example.org in /home/zoé/x.csv, token=s3cret 🎉",
            level: .error, isHandled: true,
            frames: [.init(function: "Import.run()", module: "App", line: -1, isOwn: true), .init(function: nil)],
            platform: "not a word", osVersion: "18.1")
        try fixture.store.signals.report(crash, version: "1.4.0", at: fixture.moment)
        let object = try #require(crashes(fixture).first)
        let stored = String(decoding: JSONValue.object(object).serialized(), as: UTF8.self)
        for secret in ["bob", "zoé", "s3cret", "not a word"] { #expect(!stored.contains(secret), "\(secret)") }
        #expect(stored.contains("no “prix” for [email]") && stored.contains("🎉"))
        #expect(object["handled"]?.boolValue == true && object["level"]?.stringValue == "error")
        #expect(object["frames"]?.arrayValue?.count == 1)
    }

    @Test func aReportTellsNoMomentAndIsNamedByChance() throws {
        let fixture = try EngineFixture("2026-11-20T10:47:12.345Z")
        try fixture.store.signals.report(CrashDetails(type: "E"), version: "1.4.0", at: fixture.moment)
        let crash = try #require(crashes(fixture).first)
        #expect(crash["timestamp"]?.stringValue == "2026-11-20T10:00:00Z")
        let id = try #require(crash["id"]?.stringValue)
        #expect(Array(id)[14] == "4" && files(fixture) != ["crash-\(id)"])
        // The same each time it is sent.
        #expect(crashes(fixture).first?["id"]?.stringValue == id)
    }

    @Test func whatOthersMayHavePutThereIsNotRead() throws {
        let fixture = try EngineFixture()
        let folder = fixture.store.path + ".signals"
        try fixture.store.signals.begin(version: "1.4.0", at: fixture.moment)?.end()
        try fixture.store.signals.report(CrashDetails(type: "E"), version: "1.4.0", at: fixture.moment)
        chmod(folder, 0o777)
        #expect(fixture.store.signals.counts() == SignalCounts(sessions: 0, crashes: 0))
        #expect(fixture.store.signals.preview().isEmpty)
        #expect(fixture.store.signals.batches(at: fixture.moment).isEmpty)
        chmod(folder, 0o700)
        #expect(fixture.store.signals.counts() == SignalCounts(sessions: 1, crashes: 1))
    }

    @Test func aPipeIsNotWaitedFor() throws {
        let fixture = try EngineFixture()
        let folder = fixture.store.path + ".signals"
        try #require(mkdir(folder, 0o700) == 0)
        for name in ["ended", "sessions-\(UUID().lowercased)", "crash-\(UUID().lowercased)"] {
            try #require(mkfifo("\(folder)/\(name)", 0o600) == 0)
        }
        #expect(fixture.store.signals.counts().sessions == 0)
        #expect(sessions(fixture).isEmpty && crashes(fixture).allSatisfy { $0.members.isEmpty })
        try fixture.store.signals.begin(version: "1.4.0", at: fixture.moment)?.end()
        #expect(fixture.store.signals.counts().sessions == 0)
    }

    @Test func keepsTheNewestReports() throws {
        let fixture = try EngineFixture()
        for number in 1...25 {
            let now = fixture.moment.now.adding(seconds: Int64(number))
            try fixture.store.signals.report(
                CrashDetails(type: "T\(number)"), version: "1", at: Moment(now: now, zone: fixture.moment.time.zone))
        }
        #expect(crashes(fixture).map { $0["type"]?.stringValue } == (6...25).map { "T\($0)" })
    }

    @Test func recordsNothingOnceConsentWasRevoked() throws {
        let fixture = try EngineFixture()
        let running = try #require(try fixture.store.signals.begin(version: "1.4.0", at: fixture.moment))
        try fixture.store.signals.begin(version: "1.4.0", at: fixture.moment)?.end()
        try fixture.store.signals.report(CrashDetails(type: "E"), version: "1.4.0", at: fixture.moment)
        try fixture.store.analytics.setConsent(.revoked, at: fixture.moment)
        running.end()
        #expect(files(fixture).isEmpty)
        #expect(try fixture.store.signals.begin(version: "1.4.0", at: fixture.moment) == nil)
        try fixture.store.signals.report(CrashDetails(type: "E"), version: "1.4.0", at: fixture.moment)
        #expect(files(fixture).isEmpty)
    }

    @Test(arguments: ["", "bob@example.org", "1.0\n2", String(repeating: "1", count: 97)])
    func aVersionThatAServerWouldRefuseIsNotRecorded(_ version: String) throws {
        let fixture = try EngineFixture()
        #expect(try fixture.store.signals.begin(version: version, at: fixture.moment) == nil)
    }

    // MARK: Events of an app

    @Test func tracksTheVocabularyOfTheRegistryAlone() throws {
        let fixture = try EngineFixture()
        let analytics = fixture.store.analytics
        try analytics.track(
            "premium_conversion", ["price_tier": "yearly", "days_since_first_launch": 12], at: fixture.moment)
        // A milestone comes once.
        try analytics.track("premium_conversion", at: fixture.moment)
        try analytics.track("app_opened", at: fixture.moment)
        #expect(try analytics.queueCounts().waiting == 2)
        try analytics.setConsent(.granted, at: fixture.moment)
        let batch = try #require(try analytics.nextBatch(limit: 10, for: "https://a.example", at: fixture.moment))
        #expect(batch.entries.map(\.name) == ["premium_conversion", "app_opened"])
        #expect(batch.entries[0].properties["days_since_first_launch"]?.integerValue == 12)
    }

    @Test(
        arguments: [
            ("paywall_seen", [:], "name"), ("app_opened", ["amount": "12.34"], "amount"),
            ("premium_conversion", ["price_tier": "élevé"], "price_tier"),
            ("premium_conversion", ["days_since_first_launch": -1], "days_since_first_launch"),
            ("premium_conversion", ["days_since_first_launch": "12"], "days_since_first_launch"),
        ] as [(String, [String: EventValue], String)])
    func refusesWhatTheRegistryLacks(_ name: String, _ properties: [String: EventValue], _ field: String) throws {
        let fixture = try EngineFixture()
        do {
            try fixture.store.analytics.track(name, properties, at: fixture.moment)
            Issue.record("\(name) was accepted")
        } catch DeviceStoreError.invalid(let fault) {
            #expect(fault.pointer == field)
        }
        #expect(try fixture.store.analytics.queueCounts().waiting == 0)
    }
}
