import Foundation
import JSONWire
import SubGuardClient
import SubGuardDomain
import SubGuardEngine
import Synchronization
import Testing

/// A server that counts received events by id, as the real one does.
private final class Counting: Sendable {
    struct State {
        var events: [String: Int] = [:]
        var names: [String: String] = [:]
    }

    let state = Mutex(State())

    func ingest(_ request: TransportRequest) -> TransportAnswer {
        guard let body = request.body, let object = (try? JSONValue.parse(body))?.objectValue else {
            return .problem(400, "malformed_json")
        }
        return state.withLock { state in
            if let events = object["events"]?.arrayValue {
                var accepted = 0
                for event in events {
                    let id = event.objectValue?["id"]?.stringValue ?? ""
                    if state.events[id] == nil { accepted += 1 }
                    state.events[id, default: 0] += 1
                }
                return .json(
                    #"{"accepted":\#(accepted),"duplicates":\#(events.count - accepted),"rejected":[]}"#, status: 202)
            }
            let list = object["suggestions"]?.arrayValue ?? []
            for element in list where element.objectValue?["name"]?.stringValue?.contains("bad") == true {
                return .problem(422, "validation_failed")
            }
            var accepted = 0
            for element in list {
                let id = element.objectValue?["id"]?.stringValue ?? ""
                let name = element.objectValue?["name"]?.stringValue ?? ""
                if state.names.updateValue(name, forKey: id) == nil { accepted += 1 }
            }
            return .json(#"{"accepted":\#(accepted),"duplicates":\#(list.count - accepted)}"#, status: 202)
        }
    }
}

@Suite struct QueueSyncTests {
    private func part(_ name: SyncReport.Name, _ report: SyncReport) -> SyncReport.Part? {
        report.parts.first { $0.name == name }
    }

    @Test func whatWasAnsweredInVainIsSentAgainAndCountsOnce() async throws {
        let counting = Counting()
        let isDeaf = Mutex(true)
        let fixture = try ClientFixture { request, _ throws(TransportError) in
            if request.method == "GET" { return .problem(404, "not_found") }
            let answer = counting.ingest(request)
            if isDeaf.withLock({ $0 }) { throw .unreachable(.cut) }
            return answer
        }
        for number in 1...3 { try fixture.add("S\(number)") }
        try fixture.store.suggestions.add("Été 🎉", at: fixture.moment)
        let failed = await fixture.synchroniser().run(at: fixture.moment)
        #expect(failed.parts.map(\.result) == [.failed, .unneeded, .failed, .unneeded, .failed, .unneeded, .unneeded])
        #expect(try fixture.store.analytics.queueCounts().waiting == 4)
        isDeaf.withLock { $0 = false }
        let report = await fixture.synchroniser().run(at: fixture.moment)
        #expect(part(.analytics, report)?.counts.map(\.value) == [0, 4, 0, 0])
        #expect(part(.suggestions, report)?.counts.map(\.value) == [0, 1, 0])
        #expect(try fixture.store.analytics.queueCounts().waiting == 0)
        #expect(counting.state.withLock { $0.events.count } == 4)
    }

    @Test func anAnswerThatDoesNotSpeakOfEveryEventSettlesNone() async throws {
        let fixture = try ClientFixture { _, _ in .json(#"{"accepted":1,"duplicates":0,"rejected":[]}"#, status: 202) }
        try fixture.add("S")
        let report = await fixture.synchroniser().run(at: fixture.moment)
        #expect(part(.analytics, report)?.reason == "unreadable_answer")
        #expect(try fixture.store.analytics.queueCounts().waiting == 2)
    }

    @Test func rejectedEventsAreCountedAndGo() async throws {
        let fixture = try ClientFixture { _, _ in
            .json(
                #"{"accepted":1,"duplicates":0,"rejected":[{"index":1,"code":"unknown_event","detail":"D"}]}"#,
                status: 202)
        }
        try fixture.add("S")
        _ = await fixture.synchroniser().run(at: fixture.moment)
        let figures = try fixture.store.analytics.queueCounts()
        #expect(figures.waiting == 0 && figures.rejected == 1)
    }

    @Test func aVerdictOnOneNameKeepsNoOther() async throws {
        let counting = Counting()
        let fixture = try ClientFixture { request, _ in counting.ingest(request) }
        for number in 1...130 {
            try fixture.store.suggestions.add(number == 77 ? "bad one" : "Name \(number)", at: fixture.moment)
        }
        let report = await fixture.synchroniser().run(at: fixture.moment)
        #expect(part(.suggestions, report)?.counts.map(\.value) == [129, 0, 1])
        #expect(counting.state.withLock { $0.names.count } == 129)
        #expect(try fixture.store.suggestions.counts().refused == 1)
        let sizes = fixture.transport.requests.compactMap { request in
            (try? JSONValue.parse(request.body ?? []))?.objectValue?["suggestions"]?.arrayValue?.count
        }
        #expect(sizes.allSatisfy { $0 <= 100 })
    }

    /// Each queue needs more requests than one synchronisation makes.
    @Test func whatIsLeftOfAQueueIsTold() async throws {
        let fixture = try ClientFixture { request, _ in
            request.method == "GET" ? .problem(404, "not_found") : .problem(422, "validation_failed")
        }
        for number in 1...400 { try fixture.store.suggestions.add("Name \(number)", at: fixture.moment) }
        for number in 1...200 { try fixture.add("S\(number)") }
        let report = await fixture.synchroniser().run(at: fixture.moment)
        for name in [SyncReport.Name.suggestions, .analytics] {
            let told = try #require(part(name, report))
            #expect(told.result == .failed && told.reason == "more_left" && told.error == .moreLeft, "\(told)")
            #expect((told.counts.map(\.value).max() ?? 0) > 0, "\(told)")
        }
        let waiting = try fixture.store.suggestions.counts().waiting
        #expect((1..<400).contains(waiting))
        #expect(try fixture.store.analytics.queueCounts().waiting > 0)
        // The next synchronisation continues where this one ended, until nothing is left.
        var rounds = 0
        while try fixture.store.suggestions.counts().waiting + fixture.store.analytics.queueCounts().waiting > 0,
            rounds < 20
        {
            _ = await fixture.synchroniser().run(at: fixture.moment)
            rounds += 1
        }
        let last = await fixture.synchroniser().run(at: fixture.moment)
        #expect(part(.suggestions, last)?.result == .unneeded && part(.analytics, last)?.result == .unneeded)
    }

    @Test func batchesStayWithinTheLimitsOfTheServer() async throws {
        let counting = Counting()
        let fixture = try ClientFixture { request, _ in
            (request.body?.count ?? 0) > 1 << 20 ? .problem(413, "body_too_large") : counting.ingest(request)
        }
        let rows = (1...2500).map { "S\($0),1.50,EUR,monthly,2026-12-24" }
        let csv = Array((["name,amount,currency,cycle,next"] + rows).joined(separator: "\n").utf8)
        _ = try fixture.store.portability.importFile(csv, ImportOptions(format: .csv), at: fixture.moment)
        let report = await fixture.synchroniser().run(at: fixture.moment)
        #expect(part(.analytics, report)?.counts.map(\.value) == [2502, 0, 0, 0])
        #expect(fixture.transport.requests.allSatisfy { ($0.body?.count ?? 0) <= 512 << 10 })
        #expect(counting.state.withLock { $0.events.values.allSatisfy { $0 == 1 } })
    }

    @Test func withoutConsentNothingIsAsked() async throws {
        for consent in [AnalyticsConsent?.none, .revoked] {
            let fixture = try ClientFixture(consent: consent) { _, _ in .problem(404, "not_found") }
            try fixture.add("S")
            let report = await fixture.synchroniser().run(at: fixture.moment)
            #expect(part(.analytics, report)?.result == .unneeded)
            #expect(fixture.transport.targets.allSatisfy { $0.hasPrefix("/api/v1/catalogue") })
        }
    }

    @Test func theBodyHoldsWhatTheRegistryAllows() async throws {
        let counting = Counting()
        let fixture = try ClientFixture { request, _ in counting.ingest(request) }
        let item = UUID().lowercased
        try fixture.add("Secret", [.catalogueItemID: item, .notes: "secret"])
        _ = await fixture.synchroniser().run(at: fixture.moment)
        let body = try #require(fixture.transport.requests.last?.body)
        let object = try #require(try JSONValue.parse(body).objectValue)
        #expect(object.members.map(\.name) == ["events", "sent_at"])
        let events = try #require(object["events"]?.arrayValue).compactMap(\.objectValue)
        for event in events {
            #expect(event.members.map(\.name) == ["id", "name", "user_id", "timestamp", "properties"])
            let allowed =
                EventRegistry.definition(named: event["name"]?.stringValue ?? "")?.properties.map(\.name) ?? []
            for member in event["properties"]?.objectValue?.members ?? [] { #expect(allowed.contains(member.name)) }
        }
        #expect(events[0]["properties"]?.objectValue?["catalogue_item_id"]?.stringValue == item)
    }

    /// Of sessions and crashes, no id and no time of the device matches those of its events.
    @Test func signalsShareNothingWithEvents() async throws {
        let fixture = try ClientFixture { request, number throws(TransportError) in
            if request.method == "GET" { return .problem(404, "not_found") }
            guard request.url.hasSuffix("/crashes") else { return .problem(503, "overloaded") }
            // The answers to the first sync are lost.
            if number < 12 { throw .unreachable(.cut) }
            return .json(#"{"accepted":1,"duplicates":0}"#, status: 202)
        }
        let moment = ClientFixture.moment("2026-11-20T10:47:12.345Z")
        try fixture.store.signals.begin(version: "1.4.0", at: moment)?.end()
        try fixture.store.signals.report(CrashDetails(type: "E"), version: "1.4.0", at: moment)
        try fixture.store.analytics.track("app_opened", at: moment)
        for _ in 1...2 { _ = await fixture.synchroniser().run(at: moment) }
        let bodies = try fixture.transport.requests.compactMap(\.body).map { try JSONValue.parse($0) }
        #expect(bodies.contains { $0["events"] != nil })
        for body in bodies { #expect(body["sent_at"]?.stringValue?.utf8.count == "2026-11-20T10:47:12Z".utf8.count) }
        var ids: [String: Set<String>] = [:]
        for (list, time) in [("sessions", "started_at"), ("crashes", "timestamp")] {
            let sent = bodies.flatMap { $0[list]?.arrayValue ?? [] }
            try #require(sent.count >= (list == "sessions" ? 2 : 1))
            #expect(sent.allSatisfy { $0[time]?.stringValue == "2026-11-20T10:00:00Z" })
            ids[list] = Set(sent.compactMap { $0["id"]?.stringValue })
        }
        // One id of each, however often it is sent; the version of a random one.
        #expect(ids.values.allSatisfy { $0.count == 1 && $0.allSatisfy { Array($0)[14] == "4" } }, "\(ids)")
    }

    @Test func nobodyButTheServerIsEverAsked() async throws {
        let fixture = try ClientFixture(address: "https://a.example:8443/sub") { request, _ in
            request.method == "GET"
                ? .json(#"{"items":[],"next_cursor":null,"sync_token":"https://evil.example/"}"#)
                : .json(#"{"accepted":0,"duplicates":0,"rejected":[],"next":"https://evil.example/"}"#, status: 202)
        }
        try fixture.add("S")
        try fixture.store.suggestions.add("N", at: fixture.moment)
        for _ in 0..<3 { _ = await fixture.synchroniser().run(force: true, at: fixture.moment) }
        #expect(fixture.transport.requests.count >= 6)
        #expect(fixture.transport.requests.allSatisfy { $0.url.hasPrefix("https://a.example:8443/sub/api/v1/") })
    }

    @Test func revokedConsentIsCarriedToTheServerUntilItTakesIt() async throws {
        let isDown = Mutex(true)
        let counting = Counting()
        let fixture = try ClientFixture(consent: nil) { request, _ in
            guard request.url.hasSuffix("/analytics/erasure") else { return counting.ingest(request) }
            return isDown.withLock { $0 }
                ? .problem(503, "not_ready", fields: ["retry-after": "600"]) : .json("{}", status: 202)
        }
        try fixture.store.analytics.setConsent(.granted, at: fixture.moment)
        try fixture.add("S")
        _ = await fixture.synchroniser().run(at: fixture.moment)
        try fixture.store.analytics.setConsent(.revoked, at: fixture.moment)
        #expect(part(.erasure, await fixture.synchroniser().run(at: fixture.moment))?.result == .failed)
        #expect(try fixture.store.analytics.pendingErasures() == 1)
        isDown.withLock { $0 = false }
        #expect(part(.erasure, await fixture.synchroniser().run(at: fixture.moment))?.result == .done)
        #expect(try fixture.store.analytics.pendingErasures() == 0)
    }

    @Test(arguments: [200, 204, 304]) func aPageOfAProxyIsNoErasureOfEvents(_ status: Int) async throws {
        let counting = Counting()
        let fixture = try ClientFixture(consent: nil) { request, _ in
            request.url.hasSuffix("/analytics/erasure") ? .json("<html>", status: status) : counting.ingest(request)
        }
        try fixture.store.analytics.setConsent(.granted, at: fixture.moment)
        try fixture.add("S")
        _ = await fixture.synchroniser().run(at: fixture.moment)
        try fixture.store.analytics.setConsent(.revoked, at: fixture.moment)
        let report = await fixture.synchroniser().run(at: fixture.moment)
        #expect(part(.erasure, report)?.reason == "unreadable_answer")
        #expect(try fixture.store.analytics.pendingErasures() == 1)
    }

    /// Consent is withdrawn by another program while a sync is under way, here as the server answers.
    @Test(arguments: [202, 503]) func nothingFollowsWithdrawnConsent(status: Int) async throws {
        let withdraw = Mutex<(@Sendable () -> Void)?>(nil)
        let fixture = try ClientFixture(consent: nil) { request, _ in
            guard request.url.hasSuffix("/crashes") else { return .problem(404, "not_found") }
            withdraw.withLock { $0?() }
            return status == 202
                ? .json(#"{"accepted":1,"duplicates":0}"#, status: 202) : .problem(503, "not_ready")
        }
        let (store, moment) = (fixture.store, fixture.moment)
        try store.analytics.setConsent(.granted, at: moment)
        for number in 1...3 {
            try store.signals.report(CrashDetails(type: "E\(number)"), version: "1.0", at: moment)
        }
        withdraw.withLock {
            $0 = { #expect(throws: Never.self) { try store.analytics.setConsent(.revoked, at: moment) } }
        }
        let report = await fixture.synchroniser().run(at: moment)
        #expect(fixture.transport.requests.filter { $0.url.hasSuffix("/crashes") }.count == 1)
        #expect(part(.signals, report)?.counts.first { $0.name == "crashes" }?.value == (status == 202 ? 1 : 0))
    }

    /// By a clock of before, all events are rejected as too old; they stay until it is right.
    @Test func aWrongClockCostsNothing() async throws {
        let fixture = try ClientFixture { request, _ in
            let date = ["date": "Sat, 21 Nov 2020 12:00:00 GMT"]
            if request.url.hasSuffix("/healthz") { return .json("{}", fields: date) }
            return .json(
                #"{"accepted":1,"duplicates":0,"rejected":[{"index":1,"code":"timestamp_out_of_range","detail":"D"}]}"#,
                status: 202, fields: date)
        }
        try fixture.add("S")
        try fixture.store.signals.report(CrashDetails(type: "E"), version: "1.0", at: fixture.moment)
        let report = await fixture.synchroniser().run(
            at: ClientFixture.moment("2027-12-25T10:00:00Z"))
        #expect(part(.analytics, report)?.error == .wrongClock && part(.signals, report)?.error == .wrongClock)
        #expect(try fixture.store.analytics.queueCounts().waiting == 2)
        #expect(fixture.store.signals.counts().crashes == 1)
    }

    /// A response of a proxy or a captive portal does not mean that the server has rejected the data.
    @Test(arguments: [400, 413, 422]) func aRefusalThatIsNotTheServersCostsNothing(status: Int) async throws {
        let fixture = try ClientFixture { request, _ in
            request.method == "GET"
                ? .problem(404, "not_found") : .json("<html><h1>Bad Request</h1></html>", status: status)
        }
        try fixture.add("One")
        try fixture.store.suggestions.add("Mubi", at: fixture.moment)
        let waiting = try fixture.store.analytics.queueCounts().waiting
        #expect(waiting > 0)
        let report = await fixture.synchroniser().run(at: fixture.moment)
        #expect(report.hasFailed)
        let events = try fixture.store.analytics.queueCounts()
        #expect(events.waiting == waiting && events.rejected == 0)
        let names = try fixture.store.suggestions.counts()
        #expect(names.waiting == 1 && names.refused == 0)
    }

    @Test(arguments: ["-5", "0", "2", "9223372036854775807"])
    func anAnswerThatDoesNotSpeakOfEachNameSettlesNone(count: String) async throws {
        let fixture = try ClientFixture { request, _ in
            .json(#"{"accepted":\#(count),"duplicates":\#(count)}"#, status: 202)
        }
        try fixture.store.suggestions.add("Mubi", at: fixture.moment)
        let report = await fixture.synchroniser().run(at: fixture.moment)
        #expect(report.parts.first { $0.name == .suggestions }?.result == .failed)
        #expect(try fixture.store.suggestions.counts().waiting == 1)
    }

    @Test func whatAClockThatRanAheadDatedIsSentAsOfNow() async throws {
        let counting = Counting()
        let fixture = try ClientFixture { request, _ in
            request.method == "GET" ? .problem(404, "not_found") : counting.ingest(request)
        }
        try fixture.store.analytics.recordOpening(at: ClientFixture.moment("2099-01-01T00:00:00Z"))
        _ = await fixture.synchroniser().run(at: fixture.moment)
        let body = try #require(fixture.transport.requests.last { $0.method == "POST" }?.body)
        let text = String(decoding: body, as: UTF8.self)
        #expect(text.contains("app_downloaded") && text.contains("2026-11-20T10:00:00"))
        #expect(!text.contains("2099"))
    }
}
