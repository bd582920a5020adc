import BackendTestKit
import Foundation
import JSONWire
import ServerAccess
import SubGuardDomain
import Telemetry
import Testing

/// Symbols applied to reports in the form that sentry-cocoa sends from iOS.
@Suite struct SymbolStoreTests {
    private let fixture: BackendFixture
    private let crashes: CrashStore
    private let symbols: SymbolStore

    init() throws {
        fixture = try BackendFixture()
        crashes = CrashStore(context: fixture.context)
        symbols = SymbolStore(context: fixture.context)
    }

    private static let first = "5f3a1c9e-7b42-3d8a-9c01-2e4f6a8b0d13"
    private static let second = "0badc0de-0000-3000-8000-00000000beef"
    /// Two builds of an app, whose functions begin elsewhere.
    private static let firstList = """
        0000000100000000 T __mh_execute_header
        0000000100001000 T _main
        0000000100002000 t _$s4Shop4CartC5totalSiyF
        0000000100003000 t _$s4Shop4CartC3addyySiF
        """
    private static let secondList = """
        0000000100000000 T __mh_execute_header
        0000000100001040 T _main
        0000000100002080 t _$s4Shop4CartC5totalSiyF
        0000000100003080 t _$s4Shop4CartC3addyySiF
        """
    private static let total = "Shop in Shop.Cart.total() -> Swift.Int"

    /// A crash at an offset, called from `main`.
    private func event(
        _ debugID: String, _ offset: Int, main: Int = 0x1010, release: String = "1.0",
        at: String = "2026-11-20T08:00:00Z"
    ) -> String {
        func address(_ offset: Int) -> String { "0x" + String(0x1_0480_0000 + offset, radix: 16) }
        return """
            {"event_id":"\(SentryID.text(makeID(UInt64.random(in: 1...UInt64.max))))","timestamp":"\(at)",
            "platform":"cocoa","level":"fatal","release":"\(release)",
            "exception":{"values":[{"type":"EXC_BREAKPOINT","value":"Array index is out of range",\
            "stacktrace":{"frames":[
            {"function":"<redacted>","package":"/usr/lib/dyld","image_addr":"0x1a0000000",
            "instruction_addr":"0x1a0000100","in_app":false},
            {"function":"<redacted>","package":"/private/var/containers/Bundle/Application/X/Shop.app/Shop",
            "image_addr":"0x104800000","instruction_addr":"\(address(main))","in_app":true},
            {"function":"<redacted>","package":"/private/var/containers/Bundle/Application/X/Shop.app/Shop",
            "image_addr":"0x104800000","instruction_addr":"\(address(offset))","in_app":true}]}}]},
            "debug_meta":{"images":[
            {"type":"macho","debug_id":"\(debugID.uppercased())","image_addr":"0x104800000","image_size":1048576,
            "code_file":"/private/var/containers/Bundle/Application/X/Shop.app/Shop","arch":"arm64"},
            {"type":"macho","debug_id":"11111111-2222-3333-4444-555555555555","image_addr":"0x1a0000000",
            "image_size":4096,"code_file":"/usr/lib/dyld","arch":"arm64"}]}}
            """
    }

    private func send(_ events: String...) throws { try record(events, in: crashes) }

    private func send(to store: CrashStore, _ events: String..., by network: Network = Network(mark: 1)) throws {
        try record(events, in: store, by: network)
    }

    private func record(_ events: [String], in crashes: CrashStore, by network: Network = Network(mark: 1)) throws {
        var submission = CrashSubmission()
        for event in events {
            var scrubber = CrashScrubber()
            let report = CrashReport(
                json: Array(event.utf8)[...], id: nil, shiftMilliseconds: 0, receivedAt: fixture.now,
                scrubber: &scrubber)
            submission.reports.append(try #require(report))
        }
        try crashes.record(submission, receivedAt: fixture.now, quota: network)
    }

    @discardableResult
    private func add(_ list: String, to debugID: String?) throws -> SymbolUpload.Outcome {
        var upload = SymbolUpload(symbols, SymbolUpload.Choice(debugID: debugID), by: .editor)
        do {
            try upload.take(Array(list.utf8)[...])
            return try upload.finish()
        } catch {
            upload.abandon()
            throw error
        }
    }

    private func groups() throws -> [CrashGroup] {
        try crashes.list(CrashListQuery(), after: nil, limit: 100).groups.sorted { $0.culprit ?? "" < $1.culprit ?? "" }
    }

    private func frames(_ details: CrashGroup.Details, _ sample: Int = 0) throws -> [JSONObject] {
        let report = try JSONValue.parse(Array(details.samples[sample].body.utf8))
        let values = report.objectValue?["exception"]?.objectValue?["values"]?.arrayValue
        let trace = values?.first?.objectValue?["stacktrace"]?.objectValue
        return (trace?["frames"]?.arrayValue ?? []).compactMap(\.objectValue)
    }

    @Test func namesWhatIsStored() throws {
        try send(event(Self.first, 0x2010))
        let before = try #require(try groups().first)
        #expect(before.culprit == "Shop +0x2010")
        let outcome = try add(Self.firstList, to: Self.first.uppercased().filter { $0 != "-" })
        #expect(outcome.file.debugID == Self.first)
        #expect(outcome.file.functionCount == 3)
        #expect(outcome.named == 1)
        #expect(outcome.merged == 0)
        let after = try #require(try groups().first)
        #expect(after.culprit == Self.total)
        #expect(after.id == before.id)
        #expect(after.count == 1)
        let details = try #require(try crashes.find(after.id))
        #expect(details.parts.isEmpty)
        let frames = try frames(details)
        // What has no symbols keeps image and offset, and what has them, too.
        #expect(frames[0]["function"] == nil)
        #expect(frames[0]["package"]?.stringValue == "dyld")
        #expect(frames[0]["image_offset"]?.integerValue == 0x100)
        #expect(frames[1]["function"]?.stringValue == "main")
        #expect(frames[2]["function"]?.stringValue == "Shop.Cart.total() -> Swift.Int")
        #expect(frames[2]["image_offset"]?.integerValue == 0x2010)
        #expect(frames[2]["debug_id"]?.stringValue == Self.first)
        // What arrives later has the names at once.
        try send(event(Self.first, 0x3004))
        #expect(try groups().map(\.culprit) == ["Shop in Shop.Cart.add(Swift.Int) -> ()", Self.total])
    }

    /// A call at the end of a function returns to where the next one begins.
    @Test func aCallerIsTheFunctionThatCalled() throws {
        try send(event(Self.first, 0x3000, main: 0x2000))
        try add(Self.firstList, to: Self.first)
        let frames = try frames(try #require(try crashes.find(try groups()[0].id)))
        #expect(frames[1]["function"]?.stringValue == "main")
        #expect(frames[2]["function"]?.stringValue == "Shop.Cart.add(Swift.Int) -> ()")
    }

    @Test func groupsOfOneFunctionBecomeOneAndArePartedAgain() throws {
        try send(
            event(Self.first, 0x2010, at: "2026-11-18T08:00:00Z"), event(Self.first, 0x2010),
            event(Self.first, 0x2020, main: 0x1018, release: "1.1", at: "2026-11-17T08:00:00Z"),
            event(Self.second, 0x2090, main: 0x1044, release: "2.0", at: "2026-11-19T08:00:00Z"))
        let separate = try groups()
        #expect(separate.count == 3)
        let resolved = try #require(separate.first { $0.culprit == "Shop +0x2090" })
        try crashes.apply(.resolve, to: resolved.id, ifRevision: nil, by: .editor)
        let oldest = try #require(separate.first { $0.culprit == "Shop +0x2010" })

        #expect(try add(Self.firstList, to: Self.first).merged == 1)
        #expect(try add(Self.secondList, to: Self.second).merged == 1)
        let one = try #require(try groups().first)
        #expect(try groups().count == 1)
        #expect(one.id == oldest.id)
        #expect(one.count == 4)
        #expect(one.status == .open)
        #expect(one.firstSeenAt.rfc3339 == "2026-11-17T08:00:00Z")
        #expect(one.lastSeenAt.rfc3339 == "2026-11-20T08:00:00Z")
        #expect(one.releases.map { "\($0.name ?? "") \($0.count)" } == ["1.0 2", "1.1 1", "2.0 1"])
        let trend = try crashes.trends(of: [one.id], days: 4, through: try #require(CalendarDay(iso: "2026-11-20")))
        #expect(trend[one.id] == [1, 1, 1, 1])
        let details = try #require(try crashes.find(one.id))
        #expect(details.parts.map(\.place) == ["Shop +0x2010", "Shop +0x2020", "Shop +0x2090"])
        #expect(details.parts.map(\.count) == [2, 1, 1])
        #expect(details.parts.map(\.status) == [.open, .open, .resolved])
        #expect(details.samples.count == 4)
        // A link to one of them leads to the whole.
        #expect(try crashes.find(resolved.id)?.group == one)
        let health = try crashes.releaseHealth(at: fixture.now)
        #expect(health.map(\.reports).reduce(0, +) == 4)
        #expect(try crashes.counts() == [.open: 1])

        // It goes on counting, and a report of another place joins it at once.
        try send(event(Self.second, 0x2090, main: 0x1044, release: "2.0"), event(Self.first, 0x2044))
        #expect(try groups().map(\.count) == [6])
        #expect(try crashes.find(one.id)?.parts.map(\.count) == [2, 1, 2, 1])

        let parted = try crashes.part(one.id, ifRevision: nil, by: .editor)
        #expect(parted.id == oldest.id)
        #expect(parted.count == 2)
        let after = try groups()
        #expect(after.map(\.count).sorted() == [1, 1, 2, 2])
        #expect(after.first { $0.id == resolved.id }?.count == 2)
        #expect(after.first { $0.id == resolved.id }?.status == .resolved)
        #expect(after.allSatisfy { $0.culprit == Self.total })
        #expect(after.allSatisfy { $0.releases.map(\.count).reduce(0, +) == $0.count })
        // The same symbols do not make them one again.
        #expect(try add(Self.firstList, to: Self.first).merged == 0)
        try send(event(Self.first, 0x2010))
        #expect(try groups().map(\.count).sorted() == [1, 1, 2, 3])
        #expect(throws: BackendError.self) { try crashes.part(one.id, ifRevision: nil, by: .editor) }
        let audit = try AuditLog(context: fixture.context).list(after: nil, limit: 10).map(\.change.action)
        #expect(
            audit == ["crash.symbols_add", "crash.part", "crash.symbols_add", "crash.symbols_add", "crash.resolve"])
    }

    @Test func decisionsAreForAllParts() throws {
        try send(event(Self.first, 0x2010), event(Self.first, 0x2020))
        try add(Self.firstList, to: Self.first)
        let one = try #require(try groups().first)
        fixture.now = fixture.now.adding(seconds: 60)
        try crashes.apply(.resolve, to: one.id, ifRevision: nil, by: .editor)
        #expect(try crashes.find(one.id)?.parts.map(\.status) == [.resolved, .resolved])
        let late = fixture.now.adding(seconds: 60)
        fixture.now = late
        try send(event(Self.first, 0x2020, at: late.rfc3339))
        #expect(try groups().first?.status == .open)
        #expect(try groups().first?.regressedAt == late)
        #expect(try crashes.find(one.id)?.parts.map(\.status) == [.resolved, .open])
        try crashes.apply(.delete, to: one.id, ifRevision: nil, by: .editor)
        #expect(try fixture.count("SELECT count(*) FROM crash_groups") == 0)
        #expect(try fixture.count("SELECT count(*) FROM crash_samples") == 0)
    }

    @Test func removingSymbolsGivesBackWhatWas() throws {
        try send(event(Self.first, 0x2010), event(Self.first, 0x2020), event(Self.second, 0x2090, main: 0x1044))
        let before = try groups()
        try add(Self.firstList, to: Self.first)
        try add(Self.secondList, to: Self.second)
        try symbols.remove(Self.first, by: .editor)
        #expect(try groups().map(\.culprit) == ["Shop +0x2010", "Shop +0x2020", Self.total])
        try symbols.remove(Self.second, by: .editor)
        let after = try groups()
        #expect(after.map(\.culprit) == before.map(\.culprit))
        #expect(after.map(\.id) == before.map(\.id))
        #expect(after.map(\.count) == before.map(\.count))
        #expect(try symbols.list().isEmpty)
        #expect(try fixture.count("SELECT count(*) FROM crash_symbol_pages") == 0)
        #expect(throws: BackendError.notFound(what: "symbol file")) { try symbols.remove(Self.first, by: .editor) }
    }

    /// Other symbols of the same image, for example with sizes, take the place of the first.
    @Test func replacesSymbols() throws {
        try send(event(Self.first, 0x2010), event(Self.first, 0x3010))
        try add("0000000100001000 T _main\n", to: Self.first)
        #expect(try groups().count == 1)
        let outcome = try add(Self.firstList, to: Self.first)
        #expect(outcome.isReplacement)
        #expect(try groups().map(\.culprit) == ["Shop in Shop.Cart.add(Swift.Int) -> ()", Self.total])
        #expect(try symbols.list().map(\.functionCount) == [3])
        #expect(try fixture.count("SELECT count(*) FROM crash_symbol_files") == 1)
    }

    @Test func namesByLinesOfBreakpad() throws {
        try send(event(Self.first, 0x2010))
        let list = """
            MODULE mac arm64 \(Self.first.uppercased().filter { $0 != "-" })0 Shop
            FILE 3 /Users/builder/Shop/Cart.swift
            FUNC 2000 40 0 Shop.Cart.total() -> Swift.Int
            2000 10 40 3
            2010 30 41 3
            """
        let outcome = try add(list, to: nil)
        #expect(outcome.file.name == "Shop")
        #expect(outcome.file.architecture == "arm64")
        let frames = try frames(try #require(try crashes.find(try groups()[0].id)))
        #expect(frames[2]["filename"]?.stringValue == "Cart.swift")
        #expect(frames[2]["lineno"]?.integerValue == 41)
        // Beyond every function of the list.
        #expect(frames[1]["function"] == nil)
    }

    /// A group of an app that names its functions itself is the same function.
    @Test func joinsWhatDevicesNamed() throws {
        func named() -> String {
            event(Self.second, 0x2090).replacing(
                #""<redacted>","package":"/private"#, with: #""F","package":"/private"#)
        }
        try send(named(), event(Self.first, 0x2010))
        try add("0000000100001000 T _F\n", to: Self.first)
        let one = try #require(try groups().first)
        #expect(try groups().count == 1)
        #expect(one.culprit == "Shop in F")
        #expect(one.count == 2)
        try send(named())
        #expect(try groups().map(\.count) == [3])
        try symbols.remove(Self.first, by: .editor)
        #expect(try groups().map(\.count).sorted() == [1, 2])
    }

    /// Also when the group that the device named came last.
    @Test func joinsWhatDevicesNamedLater() throws {
        try send(event(Self.first, 0x2010), event(Self.first, 0x2020), event(Self.first, 0x2030))
        func named() -> String {
            event(Self.second, 0x2090).replacing(
                #""<redacted>","package":"/private"#, with: #""F","package":"/private"#)
        }
        try send(named())
        try add("0000000100001000 T _F\n", to: Self.first)
        #expect(try groups().map(\.count) == [4])
        try send(named(), event(Self.first, 0x2040))
        #expect(try groups().map(\.count) == [6])
        try add("0000000100001000 T _F\n0000000100002028 T _G\n", to: Self.first)
        // F: one of the first, and what the device named.
        #expect(try groups().map(\.count).sorted() == [2, 4])
        try symbols.remove(Self.first, by: .editor)
        #expect(try groups().map(\.count).sorted() == [1, 1, 1, 1, 2])
    }

    /// Who sends crashes chooses at how many places: joining them takes time in proportion. A pair at a time took
    /// minutes.
    @Test func manyPlacesOfAFunctionAreJoinedAtOnce() throws {
        for place in 0..<400 {
            try send(to: crashes, event(Self.first, 0x2010 + place, main: 0x1010), by: Network(mark: place / 20))
        }
        let outcome = try add(Self.firstList, to: Self.first)
        #expect(outcome.named == 400)
        #expect(outcome.merged == 399)
        #expect(try groups().map(\.count) == [400])
        #expect(try add(Self.firstList.replacing("CartC5total", with: "CartC4sum2"), to: Self.first).named == 400)
        #expect(try groups().map(\.count) == [400])
        try symbols.remove(Self.first, by: .editor)
        #expect(try fixture.count("SELECT count(*) FROM crash_groups WHERE merged_into IS NULL") == 400)
    }

    @Test func anUploadThatFailsChangesNothing() throws {
        try send(event(Self.first, 0x2010))
        try add(Self.firstList, to: Self.first)
        let before = (try groups(), try symbols.list())
        for (list, id, pointer) in [
            ("nonsense\n", Self.first as String?, "#"), ("", Self.first, "#"), (Self.firstList, nil, "#/debug_id"),
            ("UUID: \(Self.second) (arm64) Shop\n0000000100001000 T _main\n", Self.first, "#/debug_id"),
            (Self.secondList + "\nnonsense\n", Self.first, "#"),
        ] {
            do {
                try add(list, to: id)
                Issue.record("was taken: \(list)")
            } catch BackendError.invalid(let faults) {
                #expect(faults.first?.pointer == pointer)
            }
        }
        #expect(try groups() == before.0)
        #expect(try symbols.list() == before.1)
        #expect(try fixture.count("SELECT count(*) FROM crash_symbol_files") == 1)
    }

    @Test func readsInParts() throws {
        var limits = SymbolLimits()
        limits.partBytes = 1000
        let store = SymbolStore(context: fixture.context, limits: limits)
        var upload = SymbolUpload(store, SymbolUpload.Choice(debugID: Self.first), by: .editor)
        // In an order that spreads neighbours over the parts.
        for number in (0..<500).map({ $0 * 37 % 500 }) {
            let address = String(0x1_0000_2000 + number * 16, radix: 16)
            try upload.take(Array("00000001\(address.suffix(8)) T _f\(number)\n".utf8)[...])
        }
        #expect(try symbols.list().isEmpty)
        #expect(try upload.finish().file.functionCount == 500)
        try send(event(Self.first, 0x2000 + 16 * 123 + 4, main: 0x2000 + 16 * 499 + 8))
        #expect(try groups().first?.culprit == "Shop in f123")
        let frames = try frames(try #require(try crashes.find(try groups()[0].id)))
        #expect(frames[1]["function"]?.stringValue == "f499")
    }

    @Test func isBounded() throws {
        var limits = SymbolLimits()
        limits.files = 1
        limits.fileBytes = 10_000
        let store = SymbolStore(context: fixture.context, limits: limits)
        var upload = SymbolUpload(store, SymbolUpload.Choice(debugID: Self.first), by: .editor)
        try upload.take(Array(Self.firstList.utf8)[...])
        _ = try upload.finish()
        var other = SymbolUpload(store, SymbolUpload.Choice(debugID: Self.second), by: .editor)
        try other.take(Array(Self.secondList.utf8)[...])
        #expect(throws: BackendError.self) { try other.finish() }
        other.abandon()
        #expect(try symbols.list().map(\.debugID) == [Self.first])
        #expect(try fixture.count("SELECT count(*) FROM crash_symbol_files") == 1)
        // What has not ended takes room as well.
        limits.files = 10
        limits.partBytes = 1
        var begun = SymbolUpload(
            SymbolStore(context: fixture.context, limits: limits), SymbolUpload.Choice(debugID: Self.second),
            by: .editor)
        try begun.take(Array((Self.secondList + "\n").utf8)[...])
        limits.storedBytes = Int64(try fixture.count("SELECT sum(stored_bytes) FROM crash_symbol_files")) + 10
        var another = SymbolUpload(
            SymbolStore(context: fixture.context, limits: limits), SymbolUpload.Choice(debugID: Self.second),
            by: .editor)
        #expect(throws: BackendError.self) { try another.take(Array((Self.firstList + "\n").utf8)[...]) }
        begun.abandon()
        another.abandon()
        var long = SymbolUpload(store, SymbolUpload.Choice(debugID: Self.first), by: .editor)
        #expect(throws: BackendError.self) { try long.take([UInt8](repeating: 0x0A, count: 10_001)[...]) }
    }

    @Test func forgetsUploadsThatDidNotEnd() throws {
        var limits = SymbolLimits()
        limits.partBytes = 1
        let store = SymbolStore(context: fixture.context, limits: limits)
        var upload = SymbolUpload(store, SymbolUpload.Choice(debugID: Self.first), by: .editor)
        try upload.take(Array((Self.firstList + "\n").utf8)[...])
        #expect(try fixture.count("SELECT count(*) FROM crash_symbol_pages") == 1)
        #expect(try store.purge() == 0)
        fixture.now = fixture.now.adding(seconds: 7 * 3600)
        #expect(try store.purge() == 1)
        #expect(try fixture.count("SELECT count(*) FROM crash_symbol_pages") == 0)
        #expect(throws: (any Error).self) { try upload.finish() }
    }

    /// For each part a report is read, so a page has the first of them.
    @Test func listsTheFirstParts() throws {
        try add(Self.firstList, to: Self.first)
        for number in 0..<60 { try send(event(Self.first, 0x2010 + number * 4)) }
        let one = try #require(try groups().first)
        let details = try #require(try crashes.find(one.id))
        #expect(one.count == 60 && details.partCount == 60 && details.parts.count == 50)
        #expect(details.parts.first?.place == "Shop +0x2010")
    }

    /// One function reported at many places does not drive other crashes out.
    @Test func hiddenPartsGiveWayBeforeAnyGroup() throws {
        var limits = CrashStoreLimits()
        limits.groups = 8
        let store = CrashStore(context: fixture.context, limits: limits)
        try add(Self.firstList, to: Self.first)
        try send(to: store, event(Self.second, 0x9010), event(Self.second, 0x9020))
        let places = 0..<30
        for place in places {
            fixture.now = fixture.now.adding(seconds: 1)
            try send(to: store, event(Self.first, 0x2010 + place * 4, main: 0x1010, release: "1.\(place % 3)"))
        }
        let full = try groups()
        #expect(full.map(\.count).sorted() == [1, 1, 30])
        let one = try #require(full.first { $0.culprit == Self.total })
        #expect(one.releases.map(\.count).reduce(0, +) == 30)
        #expect(try fixture.count("SELECT count(*) FROM crash_groups") <= 9)
        let parts = try #require(try crashes.find(one.id)).parts
        #expect(parts.count > 1 && parts.map(\.count).reduce(0, +) == 30)
        // Each place that was folded counts on.
        for place in places { try send(to: store, event(Self.first, 0x2010 + place * 4, main: 0x1010)) }
        #expect(try groups().first { $0.culprit == Self.total }?.count == 60)
        try symbols.remove(Self.first, by: .editor)
        #expect(try groups().map(\.count).reduce(0, +) == 62)
        let days = try fixture.count("SELECT sum(event_count) FROM crash_group_days")
        #expect(days == 62)
    }

    /// A part that many networks report keeps its reach, and the newest reports, when the first part takes it over.
    @Test func aFoldedPartKeepsItsReach() throws {
        var limits = CrashStoreLimits()
        limits.groups = 6
        let store = CrashStore(context: fixture.context, limits: limits)
        try send(to: store, event(Self.first, 0x2010))
        for mark in 0..<20 {
            fixture.now = fixture.now.adding(seconds: 60)
            try send(to: store, event(Self.first, 0x2020), by: Network(mark: mark))
        }
        try add(Self.firstList, to: Self.first)
        let one = try #require(try groups().first)
        for number in 0..<40 { try send(to: store, event(Self.second, 0x9000 + number * 16), by: Network(mark: 63)) }
        let left = try #require(try groups().first { $0.id == one.id })
        #expect(left.count == 21)
        #expect(try #require(try crashes.find(one.id)).samples.count == 5)
        // Its rank is that of what many reported, so it outlives what one invents later, too.
        fixture.now = fixture.now.adding(days: 3)
        for number in 0..<40 { try send(to: store, event(Self.second, 0xA000 + number * 16), by: Network(mark: 63)) }
        #expect(try groups().contains { $0.id == one.id })
    }

    private struct Network: CrashQuota {
        let mark: Int
        func take(_ addition: CrashAddition, _ count: Int64) -> Bool { true }
        func giveBack(_ addition: CrashAddition, _ count: Int64) {}
    }

    @Test func evictionAndRetentionTakeAllParts() throws {
        var limits = CrashStoreLimits()
        limits.groups = 3
        let store = CrashStore(context: fixture.context, limits: limits)
        try send(event(Self.first, 0x2010), event(Self.first, 0x2020))
        try add(Self.firstList, to: Self.first)
        for offset in [0x9010, 0x9020, 0x9030] {
            try send(to: store, event(Self.second, offset))
        }
        #expect(try groups().map(\.count).reduce(0, +) == 5)
        #expect(try groups().contains { $0.title == CrashStore.overflowTitle && $0.count == 2 })
        #expect(try fixture.count("SELECT count(*) FROM crash_groups WHERE merged_into IS NOT NULL") == 0)

        try send(event(Self.first, 0x2010), event(Self.first, 0x2020, at: "2026-11-01T00:00:00Z"))
        try crashes.purge(before: try instant("2026-11-10T00:00:00Z"))
        #expect(try groups().first { $0.culprit == Self.total }?.count == 2)
        try crashes.purge(before: try instant("2026-11-30T00:00:00Z"))
        #expect(try fixture.count("SELECT count(*) FROM crash_groups") == 0)
    }
}
