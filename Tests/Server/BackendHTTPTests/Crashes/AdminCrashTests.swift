import JSONWire
import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@Suite struct AdminCrashTests {
    private func fill(_ server: TestServer, _ count: Int) throws {
        let crashes = (0..<count).map {
            #"""
            {"id":"\#(makeID(UInt64($0)).lowercased)","timestamp":"2026-11-20T09:00:0\#($0)Z","type":"=T\#($0)",\#
            "app_version":"1.0"}
            """#
        }
        #expect(try server.post("/api/v1/crashes", #"{"crashes":[\#(crashes.joined(separator: ","))]}"#).status == 202)
    }

    @Test func listsTheLastSeenFirstInPages() throws {
        let server = try TestServer()
        defer { server.end() }
        try fill(server, 3)
        let first = try server.admin(.analyst, "GET", "/api/v1/admin/crashes?limit=2").json()
        #expect(first["items"]?.arrayValue?.strings("title") == ["=T2", "=T1"])
        let cursor = try #require(first["next_cursor"]?.stringValue)
        let second = try server.admin(.analyst, "GET", "/api/v1/admin/crashes?limit=2&cursor=\(cursor)").json()
        #expect(second["items"]?.arrayValue?.strings("title") == ["=T0"])
        #expect(second["next_cursor"]?.isNull == true)
    }

    @Test func keepsItsTagWhileNothingChanges() throws {
        let server = try TestServer()
        defer { server.end() }
        try fill(server, 1)
        let tag = try server.admin(.analyst, "GET", "/api/v1/admin/crashes").etag()
        let again = try server.admin(.analyst, "GET", "/api/v1/admin/crashes", "If-None-Match: \(tag)")
        #expect(again.status == 304)
        try fill(server, 2)
        #expect(try server.admin(.analyst, "GET", "/api/v1/admin/crashes", "If-None-Match: \(tag)").status == 200)
    }

    @Test func writesATable() throws {
        let server = try TestServer()
        defer { server.end() }
        try fill(server, 1)
        let response = try server.admin(.analyst, "GET", "/api/v1/admin/crashes?format=csv")
        #expect(response["Content-Type"] == "text/csv; charset=utf-8")
        expect(response.text, contains: ["id,title,", ",'=T0,", ",1.0=1\r\n"])
    }

    @Test func namesFaultsOfTheQueryAndUnknownGroups() throws {
        let server = try TestServer()
        defer { server.end() }
        try server.expectInvalid(
            try server.admin(
                .analyst, "GET", "/api/v1/admin/crashes?limit=0&cursor=x&format=xml&q=&status=closed&sort=count&p=1"),
            [
                ("p", "unknown_parameter"), ("limit", "out_of_range"), ("cursor", "invalid_cursor"),
                ("status", "unknown_value"),
                ("sort", "unknown_value"), ("q", "required"), ("format", "unknown_value"),
            ])
        // A cursor is valid only with the parameters of its list.
        try fill(server, 2)
        let page = try server.admin(.analyst, "GET", "/api/v1/admin/crashes?limit=1").json()
        let cursor = try #require(page["next_cursor"]?.stringValue)
        try server.expectInvalid(
            try server.admin(.analyst, "GET", "/api/v1/admin/crashes?sort=-count&cursor=\(cursor)"),
            [("cursor", "invalid_cursor")])
        let unknown = try server.admin(.analyst, "GET", "/api/v1/admin/crashes/\(makeID(9).lowercased)")
        try server.expectProblem(unknown, .notFound)
    }
}
