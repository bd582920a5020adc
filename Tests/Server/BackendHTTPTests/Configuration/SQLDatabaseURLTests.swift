import BackendHTTP
import SQLDatabase
import TestKit
import Testing

@Suite struct SQLDatabaseURLTests {
    @Test(arguments: [
        ("sqlite:data/subguard.sqlite", "data/subguard.sqlite"),
        ("sqlite:/var/lib/été 1?.sqlite", "/var/lib/été 1?.sqlite"),
        ("sqlite:///var/lib/a%20b", "/var/lib/a%20b"),
        ("SQLite:x", "x"),
        ("sqlite:c:d", "c:d"),
    ])
    func takesThePathAsItStands(_ text: String, _ path: String) throws {
        let url = try SQLDatabaseURL(text)
        #expect(url.location == .sqlite(path: path))
        #expect("\(url)" == "sqlite:\(path)")
    }

    @Test(arguments: [
        ("", SQLDatabaseURLError.unknownScheme), ("data/subguard.sqlite", .unknownScheme),
        ("mysql://root:hunter2@h/d", .unknownScheme), ("sqlite:", .invalidPath), ("sqlite:data/", .invalidPath),
        ("sqlite://data/x", .invalidPath), ("sqlite:///", .invalidPath), ("sqlite:a\u{0}b", .invalidPath),
        ("sqlite::memory:", .inMemory), ("postgres:h", .noHost), ("postgres://", .noHost),
        ("postgres://u:hunter2@ter2@h/d", .rawCharacter("@", "%40")),
        ("postgres://u:hunter2/x@h/d", .rawCharacter("/", "%2F")),
        ("postgres://u@h/d?sslmode=requir&password=hunter2", .parameter("sslmode")),
    ])
    func refusesOtherTexts(_ text: String, _ expected: SQLDatabaseURLError) {
        let error = #expect(throws: SQLDatabaseURLError.self) { try SQLDatabaseURL(text) }
        #expect(error == expected)
        #expect(error.map { !"\($0)".contains("hunter2") } == true)
    }

    @Test(arguments: [
        ("postgres://h", "postgres://h"),
        ("postgres://h:5432/d", "postgres://h:5432/d"),
        ("postgres://u@h/d", "postgres://u@h/d"),
        ("postgresql://u:hunter2@h:5432/d", "postgresql://u:***@h:5432/d"),
        ("postgres://:hunter2@h/d", "postgres://:***@h/d"),
        ("postgres://u@h/d?sslmode=require&password=hunter2", "postgres://u@h/d?…"),
        ("postgres://u:hun?ter2@h/d", "postgres://…"),
        ("postgres://h/d?user=u@x&password=hunter2", "postgres://…"),
        ("postgres://u:hunter2", "postgres://…"),
        ("postgres://u:hunter2#", "postgres://…?…"),
    ])
    func printsNoPassword(_ text: String, _ printed: String) throws {
        let url = try SQLDatabaseURL(text)
        #expect(url.location == .postgres)
        #expect(url.description == printed)
        var dumped = ""
        dump(url, to: &dumped)
        for form in [url.description, String(reflecting: url), "\([url])", dumped] {
            #expect(!form.contains("hunter2"))
            #expect(!form.contains("ter2"))
        }
    }

    @Test(arguments: ["a:hunter2%ZZ@h/d", "u@h/d?hunter2=bar", "[::1/d"])
    func refusesWhatTheDriverCannotRead(rest: String) {
        let error = #expect(throws: SQLDatabaseURLError.self) { try SQLDatabaseURL("postgres://" + rest) }
        #expect(error == .unreadable)
        #expect(error.map { !"\($0)".contains("ter2") } == true)
    }

    @Test func opensAnSQLiteStore() throws {
        let folder = try TemporaryFolder()
        let store = try SQLDatabaseURL("sqlite:" + folder["data/store.sqlite"]).open()
        #expect(store.dialect == .sqlite)
        try store.write { try $0.execute("CREATE TABLE t (a INTEGER)") }
        try store.close()
        #expect(try folder.names() == ["data"])
    }

    @Test(arguments: TestDatabase.allCases) func opensWhatItNames(database: TestDatabase) throws {
        let folder = try TemporaryFolder()
        let text =
            database == .sqlite ? "sqlite:\(folder["a.sqlite"])" : try TestDatabase.makePostgresDatabase()
        let store = try SQLDatabaseURL(text).open()
        #expect(store.dialect.rawValue == database.rawValue)
        #expect(try store.read { try $0.tableNames(store.dialect) } == [])
    }
}
