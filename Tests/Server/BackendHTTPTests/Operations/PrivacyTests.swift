import BackendHTTP
import JSONWire
import Operations
import ServerAccess
import SubGuardDomain
import TestKit
import Testing

@Suite struct PrivacyTests {
    private static let registry = PrivacyRegistry(analyticsDays: 90, eventIDDays: 401, crashDays: 90)

    /// Fails for an undescribed table or column, and for a description of one that does not exist.
    @Test func explainsEveryTableAndWhatConcernsDevicesAndAccountsColumnByColumn() throws {
        let server = try TestServer()
        defer { server.end() }
        let report = try PrivacyReport(context: server.outside.context, registry: Self.registry)
        let described = Set(report.tables.map(\.name)).symmetricDifference(Self.registry.tables.keys).sorted()
        #expect(described == [])
        for table in report.tables where [.devices, .accounts].contains(table.subject) {
            let described = Set(Self.registry.tables[table.name]?.fields.keys.map { $0 } ?? [])
            #expect(described.symmetricDifference(table.columns.map(\.name)).sorted() == [], "\(table.name)")
        }
    }

    @Test func tellsItToEverybody() throws {
        let server = try TestServer(settings: ["crash_retention_days": "31"])
        defer { server.end() }
        let answer = try server.get("/api/v1/privacy")
        let report = try answer.json()
        let tables = report["tables"]?.arrayValue ?? []
        let items = try #require(tables.first { $0["table"]?.stringValue == "catalogue_items" })
        #expect(items["rows"]?.integerValue == Int64(CatalogueDraft.starter.count))
        let tombstones = tables.first { $0["table"]?.stringValue == "catalogue_tombstones" }
        #expect(tombstones?["retention"]?.stringValue?.contains("180 days") == true)
        let groups = tables.first { $0["table"]?.stringValue == "crash_groups" }
        #expect(groups?["retention"]?.stringValue?.contains("31 days") == true)
        #expect(report["events"]?.arrayValue?.strings("name") == EventRegistry.events.map(\.name))
        #expect(try server.get("/api/v1/privacy", "If-None-Match: \(try answer.etag())").status == 304)
    }
}

extension PrivacyTests {
    @Test func countsWhatIsPackedIntoRows() throws {
        let server = try TestServer()
        defer { server.end() }
        let events = (1...7).map { EventText(UInt64($0), user: ($0 - 1) % 3 + 1) }
        #expect(try server.post("/api/v1/analytics", events.text).status == 202)
        _ = try server.admin(.owner, "GET", "/api/v1/admin/dashboard")
        let tables = try server.get("/api/v1/privacy").json()["tables"]?.arrayValue ?? []
        func records(_ name: String) -> Int64? {
            tables.first { $0["table"]?.stringValue == name }?["records"]?.integerValue
        }
        #expect(records("event_blocks") == 7)
        #expect(records("event_id_chunks") == 0, "not indexed yet")
        #expect(records("user_pages") == 3)
        #expect(records("catalogue_items") == nil)
    }

    @Test func tellsWhenEachTableWasLastPurged() throws {
        let server = try TestServer()
        defer { server.end() }
        try RetentionLog(context: server.outside.context).note("crash_groups", "crash_samples", removed: 3)
        server.clock.advance(by: .seconds(60))
        try RetentionLog(context: server.outside.context).note("crash_groups", removed: 0)
        let tables = try server.get("/api/v1/privacy").json()["tables"]?.arrayValue ?? []
        func purged(_ name: String) -> String? {
            tables.first { $0["table"]?.stringValue == name }?["last_purged_at"]?.stringValue
        }
        #expect(purged("crash_groups") == "2026-11-20T10:01:00Z")
        #expect(purged("crash_samples") == "2026-11-20T10:00:00Z")
        #expect(purged("catalogue_items") == nil)
    }
}
