import PostgresDatabase
import TestKit
import Testing

struct PostgresRefusalTests {
    @Test func tellsWhyTheServerRefuses() throws {
        let url = try TestDatabase.makePostgresDatabase()
        let (head, tail) = try #require(url.firstRange(of: "@").map { (url[..<$0.lowerBound], url[$0.lowerBound...]) })
        let database = try #require(tail.split(separator: "/").last)
        #expect(PostgresRefusal.find(url: url.replacing(database, with: "nosuch")) == .refused(sqlState: "3D000"))
        let stranger = String(head.split(separator: "//")[0]) + "//stranger" + tail
        #expect(PostgresRefusal.find(url: stranger) == .refused(sqlState: "28000"))
        #expect(PostgresRefusal.find(url: "postgres://u:p@127.0.0.1:1/d") == .nobodyListens)
        #expect(PostgresRefusal.find(url: "postgres://u:p@nosuch.invalid/d") == .unknownHost)
        #expect(PostgresRefusal.find(url: url) == .unknown, "it connects")
    }

    /// The last address that told a reason decides.
    @Test(arguments: [
        (
            "server at \"h\", port 5432 failed: server does not support SSL, but SSL was required",
            PostgresRefusal.withoutTLS
        ),
        ("server at \"h\", port 5432 failed: SSL error: certificate verify failed", .certificate),
        (
            "failed: root certificate file \"/r.crt\" does not exist\nEither provide the file or change sslmode",
            .certificate
        ),
        ("at \"a\" failed: Connection refused\nat \"b\" failed: FATAL:  57P03", .refused(sqlState: "57P03")),
        ("at \"a\" failed: FATAL:  28P01\nat \"b\" failed: timeout expired\n", .timeout),
        ("invalid sslmode value: \"requir\"", .parameter("sslmode")), ("", .unknown), ("something else", .unknown),
    ])
    func readsTheLibrarysMessage(_ message: String, _ expected: PostgresRefusal) {
        #expect(PostgresRefusal(message) == expected)
    }

    @Test func tellsAForeignEncoding() throws {
        let url = try TestDatabase.makePostgresDatabase()
        let store = try PostgresStore(url: url)
        defer { try? store.close() }
        #expect(try store.foreignEncoding() == nil)
    }
}
