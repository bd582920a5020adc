import Foundation
import SubGuardClient
import SubGuardDomain
import SubGuardEngine
import Synchronization
import Testing

@Suite struct CatalogueSyncTests {
    private static func item(_ number: Int, _ name: String) -> String {
        """
        {"id":"00000000-0000-7000-8000-00000000000\(number)","name":"\(name)","slug":"s-\(number)","category":"video",\
        "typical_amount":"12.34","currency":"EUR","billing_cycle":"monthly","website":"javascript:alert(1)",\
        "logo_url":null,"cancel_url":null,"notice_days":null,"aliases":[],"updated_at":"2026-02-28T00:00:00Z",\
        "new_field":[1]}
        """
    }

    private static func page(_ items: [String], deleted: String? = nil, next: String? = nil, token: String? = nil)
        -> String
    {
        let fields = [
            "\"items\":[\(items.joined(separator: ","))]", deleted.map { "\"deleted\":[\($0)]" },
            "\"next_cursor\":\(next.map { "\"\($0)\"" } ?? "null")", token.map { "\"sync_token\":\"\($0)\"" },
        ]
        return "{\(fields.compactMap { $0 }.joined(separator: ","))}"
    }

    private func run(_ fixture: ClientFixture, at now: String, force: Bool = false) async -> SyncReport.Part? {
        await fixture.synchroniser().run(force: force, at: ClientFixture.moment(now)).parts.first
    }

    @Test func aDayIsServedWithoutARequestThenARevalidationAsksForChanges() async throws {
        let fixture = try ClientFixture { request, number in
            switch number {
            case 1: .json(Self.page([Self.item(1, "One")], next: "c+1"))
            case 2: .json(Self.page([Self.item(2, "Two")], token: "t1"))
            case 3: .json(Self.page([], deleted: "", token: "t1"), fields: ["etag": "\"e\""])
            case 4: TransportAnswer(status: 304)
            default: .json(Self.page([Self.item(3, "Three")], deleted: Self.gone(1), token: "t2"))
            }
        }
        #expect(await run(fixture, at: "2026-11-20T10:00:00Z")?.reason == "whole")
        #expect(await run(fixture, at: "2026-11-21T09:59:59Z")?.reason == "fresh")
        #expect(fixture.transport.requests.count == 2)
        #expect(await run(fixture, at: "2026-11-21T10:00:00Z")?.reason == "unchanged")
        #expect(await run(fixture, at: "2026-11-21T10:00:01Z", force: true)?.reason == "unchanged")
        #expect(fixture.transport.requests[3].fields["If-None-Match"] == "\"e\"")
        // After a clock was set back, the age is unknown.
        #expect(await run(fixture, at: "2026-11-01T10:00:00Z")?.reason == "changes")
        #expect(try fixture.store.catalogue.items().map(\.name) == ["Two", "Three"])
        // Non-HTTPS links are dropped.
        #expect(try fixture.store.catalogue.items().allSatisfy { $0.website == nil })
        #expect(
            fixture.transport.targets == [
                "/api/v1/catalogue?limit=500", "/api/v1/catalogue?limit=500&cursor=c+1",
                "/api/v1/catalogue?limit=500&since=t1", "/api/v1/catalogue?limit=500&since=t1",
                "/api/v1/catalogue?limit=500&since=t1",
            ])
        #expect(fixture.transport.requests[1].url.contains("cursor=c%2B1"))
    }

    private static func gone(_ number: Int, into other: Int? = nil) -> String {
        let id = { (number: Int) in "00000000-0000-7000-8000-00000000000\(number)" }
        return "{\"id\":\"\(id(number))\",\"merged_into\":\(other.map { "\"\(id($0))\"" } ?? "null")}"
    }

    @Test func aTokenThatIsTooOldStartsOver() async throws {
        let fixture = try ClientFixture { _, number in
            switch number {
            case 1: .json(Self.page([Self.item(1, "One")], token: "t1"))
            case 2: .json(Self.page([Self.item(2, "Two")], deleted: "", next: "c1"))
            case 3: .problem(410, "sync_token_expired")
            default: .json(Self.page([Self.item(3, "Three")], token: "t9"))
            }
        }
        _ = await run(fixture, at: "2026-11-20T10:00:00Z")
        #expect(await run(fixture, at: "2026-11-22T10:00:00Z")?.reason == "whole")
        #expect(try fixture.store.catalogue.items().map(\.name) == ["Three"])
    }

    @Test func aBreakInTheMiddleLeavesTheWholeOldCopy() async throws {
        let isBroken = Mutex(true)
        let fixture = try ClientFixture { request, _ throws(TransportError) in
            if request.url.contains("cursor=") {
                if isBroken.withLock({ $0 }) { throw .unreachable(.cut) }
                return .json(Self.page([Self.item(2, "Two")], token: "t1"))
            }
            return .json(Self.page([Self.item(1, "One")], next: "c1"))
        }
        #expect(await run(fixture, at: "2026-11-20T10:00:00Z")?.result == .failed)
        #expect(try fixture.store.catalogue.copy() == nil && fixture.store.catalogue.items().isEmpty)
        #expect(try fixture.store.sync.last().failures["catalogue"] != nil)
        isBroken.withLock { $0 = false }
        #expect(await run(fixture, at: "2026-11-20T10:00:00Z")?.result == .done)
        #expect(try fixture.store.catalogue.copy()?.itemCount == 2)
        #expect(try fixture.store.sync.last().failures.isEmpty)
    }

    @Test(arguments: [
        #"{"items":[{}],"next_cursor":null,"sync_token":"t"}"#, #"{"items":[],"next_cursor":null}"#,
        #"{"next_cursor":null,"sync_token":"t"}"#, #"{"items":[],"deleted":[{"id":"x"}],"sync_token":"t"}"#,
    ])
    func whatIsNoPageChangesNothing(_ body: String) async throws {
        let fixture = try ClientFixture { _, _ in .json(body) }
        #expect(await run(fixture, at: "2026-11-20T10:00:00Z")?.reason == "unreadable_answer")
        #expect(try fixture.store.catalogue.copy() == nil)
    }

    @Test func aServerWithoutAnEndHasOne() async throws {
        let fixture = try ClientFixture { _, number in .json(Self.page([], next: "c\(number)")) }
        #expect(await run(fixture, at: "2026-11-20T10:00:00Z")?.result == .failed)
        #expect(fixture.transport.requests.count == 400)
    }

    /// Each search reads every item.
    @Test func aCatalogueThatIsTooLargeIsNotReadToItsEnd() async throws {
        let entries = (0..<500).map { _ in Self.gone(1) }.joined(separator: ",")
        let fixture = try ClientFixture { _, number in .json(Self.page([], deleted: entries, next: "c\(number)")) }
        #expect(await run(fixture, at: "2026-11-20T10:00:00Z")?.result == .failed)
        #expect(fixture.transport.requests.count == 101)
        #expect(try fixture.store.catalogue.copy() == nil)
    }

    @Test func namesThatTheServerRefusesAreDropped() async throws {
        let names = ["A\\u001b[2J", "B\\u202e", "\\u200b", "Été “26” 🎉"]
        let fixture = try ClientFixture { _, _ in
            let items = names.enumerated().map { Self.item($0 + 1, $1) }
            let alias = items[3].replacing("\"aliases\":[]", with: "\"aliases\":[\"x\\ny\",\"ete\"]")
            return .json(Self.page(items.dropLast() + [alias], token: "t1"))
        }
        #expect(await run(fixture, at: "2026-11-20T10:00:00Z")?.result == .done)
        let items = try fixture.store.catalogue.items()
        #expect(items.map(\.name) == ["Été “26” 🎉"] && items.map(\.aliases) == [["ete"]])
    }

    @Test func fieldsThatTheServerRefusesAreDropped() async throws {
        let fixture = try ClientFixture { _, _ in
            let items = [("-1", "A\\u001b[2J"), ("366", ""), ("365", "new_kind"), ("9223372036854775807", "video")]
            let written = items.enumerated().map { place, fields in
                Self.item(place + 1, "\(place)").replacing("notice_days\":null", with: "notice_days\":\(fields.0)")
                    .replacing("\"video\"", with: "\"\(fields.1)\"")
            }
            return .json(Self.page(written, token: "t1"))
        }
        #expect(await run(fixture, at: "2026-11-20T10:00:00Z")?.result == .done)
        let items = try fixture.store.catalogue.items()
        #expect(items.map(\.category) == ["other", "other", "new_kind", "video"])
        #expect(items.map(\.noticeDays) == [nil, nil, 365, nil])
    }

    @Test func theCopyOfAnotherServerIsNotAskedAbout() async throws {
        let one = try ClientFixture { _, _ in .json(Self.page([Self.item(1, "One")], token: "secret-token")) }
        _ = await run(one, at: "2026-11-20T10:00:00Z")
        let transport = ScriptedTransport { _, _ in .json(Self.page([Self.item(2, "Two")], token: "t")) }
        let other = ServerConnection(try ServerAddress("https://b.example"), transport: transport, version: "1")
        let synchroniser = Synchroniser(store: one.store, server: other, account: nil, device: DeviceProperties())
        _ = await synchroniser.revalidateCatalogue(at: one.moment)
        #expect(transport.targets == ["/api/v1/catalogue?limit=500"])
        #expect(try one.store.catalogue.items().map(\.name) == ["Two"])
    }
}
