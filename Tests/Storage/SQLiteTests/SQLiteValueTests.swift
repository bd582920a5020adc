import SQLDatabase
import SQLiteDatabase
import Testing

@Suite struct SQLiteValueTests {
    private let store: SQLiteStore

    init() throws {
        store = try SQLiteStore.temporary()
        try store.write { try $0.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a ANY) STRICT") }
    }

    private func roundTrip(_ value: SQLValue) throws -> SQLValue? {
        try store.write { session in
            try session.execute("INSERT OR REPLACE INTO t VALUES (1, ?)", [value])
        }
        return try store.read { session in
            try session.first("SELECT a, typeof(a) FROM t") { row in
                switch try row.text(1) {
                case "integer": .integer(try row.integer(0))
                case "text": .text(try row.text(0))
                case "blob": .blob(try row.blob(0))
                default: .null
                }
            }
        }
    }

    @Test(arguments: [Int64.min, -1, 0, 1, 1234, 4_294_967_296, .max])
    func returnsIntegers(_ value: Int64) throws {
        #expect(try roundTrip(.integer(value)) == .integer(value))
    }

    @Test(arguments: [
        "", " ", "12.34", "L'été «à 12,34 €»", "it's \"quoted\"; DROP TABLE t; --", "👩‍👩‍👧‍👦 🇫🇷", "e\u{301}",
        "nul\u{0}inside",
        "\u{0}", "\u{FFFD}", "\u{10FFFF}", "fifteen bytes!!", "sixteen bytes!!!",
    ])
    func returnsTexts(_ value: String) throws {
        let answer = try roundTrip(.text(value))
        #expect(answer == .text(value))
        // Equal strings may have different scalars; the bytes must be equal.
        if case .text(let text) = answer { #expect(Array(text.utf8) == Array(value.utf8)) }
    }

    @Test func returnsATextLongerThanAPage() throws {
        let long = String(repeating: "é🙂", count: 100_000)
        #expect(try roundTrip(.text(long)) == .text(long))
    }

    @Test(arguments: [[], [0], [0, 0, 0], [0x27, 0, 0xff, 0xc3], Array(0...255)] as [[UInt8]])
    func returnsBlobs(_ value: [UInt8]) throws {
        #expect(try roundTrip(.blob(value)) == .blob(value))
    }

    @Test func tellsNullFromEmpty() throws {
        #expect(try roundTrip(.null) == .null)
        #expect(try roundTrip(.text("")) == .text(""))
        #expect(try roundTrip(.blob([])) == .blob([]))
        #expect(try roundTrip(.text(orNull: nil)) == .null)
        #expect(try roundTrip(.integer(orNull: 7)) == .integer(7))
    }

    @Test func readsOptionalColumns() throws {
        try store.read { session in
            try session.forEach("SELECT NULL, 5, 'x', x'00'", []) { row throws in
                #expect(row.isNull(0))
                #expect(!row.isNull(1))
                #expect(try row.optionalInteger(0) == nil)
                #expect(try row.optionalText(0) == nil)
                #expect(try row.optionalBlob(0) == nil)
                #expect(try row.optionalInteger(1) == 5)
                #expect(try row.optionalText(2) == "x")
                #expect(try row.optionalBlob(3) == [0])
            }
        }
    }

    @Test func refusesAColumnOfAnotherType() throws {
        try store.read { session in
            try session.forEach("SELECT 1, 'x', x'00', NULL, 1.5", []) { row throws in
                for column in [1, 2, 3, 4, 5, -1, Int.max, Int.min] {
                    #expect(throws: SQLError.self) { try row.integer(column) }
                }
                for column in [0, 2, 3, 4, 5] { #expect(throws: SQLError.self) { try row.text(column) } }
                for column in [0, 1, 3, 4, 5] { #expect(throws: SQLError.self) { try row.blob(column) } }
                let error = #expect(throws: SQLError.self) { try row.text(0) }
                #expect(error?.code == .unexpectedType)
                // The failed reads have not converted the values.
                #expect(try row.integer(0) == 1)
            }
        }
    }

    @Test(arguments: [0, 1, 3]) func refusesAnotherNumberOfArguments(_ count: Int) throws {
        let error = #expect(throws: SQLError.self) {
            try store.write {
                try $0.execute("INSERT INTO t VALUES (?, ?)", Array(repeating: .integer(1), count: count))
            }
        }
        #expect(error?.number == 21)
        #expect(try store.read { try $0.query("SELECT id FROM t") { try $0.integer(0) } } == [])
    }

    @Test func keepsNoArgumentForTheNextUseOfAStatement() throws {
        let sql = "SELECT ?"
        try store.read { session throws in
            #expect(try session.first(sql, [.text("secret")]) { try $0.text(0) } == "secret")
            #expect(try session.first(sql, [.null]) { $0.isNull(0) } == true)
            #expect(throws: SQLError.self) { try session.first(sql) { try $0.text(0) } }
        }
    }
}
