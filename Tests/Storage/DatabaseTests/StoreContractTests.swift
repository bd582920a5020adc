import Foundation
import SQLDatabase
import TestKit
import Testing

/// Guarantees for features, on either database.
struct StoreContractTests {
    private static let values: [SQLValue] = [
        .null, .integer(0), .integer(-1), .integer(.max), .integer(.min), .text(""), .text("O'Neil “🦊” \\ \n ? $1"),
        .text(String(repeating: "é", count: 100_000)), .blob([]), .blob([0, 255, 39, 92]),
        .blob([UInt8](repeating: 7, count: 300_000)),
    ]

    /// The first column, read as the same kind of value.
    private static func read(_ value: SQLValue, _ row: any SQLRow) throws -> SQLValue {
        switch value {
        case .null: row.isNull(0) ? .null : .integer(99)
        case .integer: .integer(try row.integer(0))
        case .text: .text(try row.text(0))
        case .blob: .blob(try row.blob(0))
        }
    }

    private func createTable(in store: any SQLStore) throws {
        _ = try store.write {
            try $0.execute("CREATE TABLE things (id BIGINT PRIMARY KEY, name TEXT, amount BIGINT, CHECK (amount > 0))")
        }
    }

    @Test(arguments: TestDatabase.allCases)
    func everyValueComesBack(database: TestDatabase) throws {
        let store = try database.make().store
        let blob = database == .sqlite ? "BLOB" : "BYTEA"
        _ = try store.write { try $0.execute("CREATE TABLE v (id BIGINT, number BIGINT, words TEXT, bytes \(blob))") }
        for (index, value) in Self.values.enumerated() {
            let column =
                switch value {
                case .text: "words"
                case .blob: "bytes"
                default: "number"
                }
            let inserted = try store.write {
                try $0.execute("INSERT INTO v (id, \(column)) VALUES (?, ?)", [.integer(Int64(index)), value])
            }
            #expect(inserted == 1)
            let found = try store.read { session throws in
                try session.first("SELECT \(column) FROM v WHERE id = ?", [.integer(Int64(index))]) { row throws in
                    try Self.read(value, row)
                }
            }
            #expect(found == value)
        }
        try store.read { session throws in
            let text = "SELECT words FROM v WHERE words IS NOT NULL LIMIT 1"
            #expect(throws: SQLError.self) { try session.first(text) { try $0.integer(0) } }
            #expect(throws: SQLError.self) { try session.first(text) { try $0.blob(0) } }
            #expect(throws: SQLError.self) { try session.first(text) { try $0.text(1) } }
            #expect(throws: SQLError.self) {
                try session.first("SELECT number FROM v WHERE id = 0") { try $0.integer(0) }
            }
        }
    }

    @Test(arguments: TestDatabase.allCases)
    func sumsAndCountsAreNumbers(database: TestDatabase) throws {
        let store = try database.make().store
        try createTable(in: store)
        let numbers: [Int64] = [1, 9_999, 10_000, 123_456_789_012, 4_000_000_000_000_000_000, 7]
        try store.write { transaction throws in
            for (index, number) in numbers.enumerated() {
                try transaction.execute(
                    "INSERT INTO things (id, amount) VALUES (?, ?)", [.integer(Int64(index)), .integer(number)])
            }
        }
        try store.read { session throws in
            #expect(
                try session.first(
                    "SELECT count(*), sum(amount), max(amount), -sum(amount), sum(amount) - sum(amount) FROM things"
                ) {
                    [try $0.integer(0), try $0.integer(1), try $0.integer(2), try $0.integer(3), try $0.integer(4)]
                } == [6, numbers.reduce(0, +), 4_000_000_000_000_000_000, -numbers.reduce(0, +), 0])
            #expect(
                try session.first("SELECT sum(amount) FROM things WHERE id > 99") { try $0.optionalInteger(0) }
                    == .some(nil))
            #expect(
                try session.first("SELECT 1, '?' FROM things WHERE name = '?' -- ?\n OR id = ?", [.integer(2)]) {
                    [try $0.integer(0)]
                } == [1])
        }
    }

    @Test(arguments: TestDatabase.allCases)
    func aTransactionIsAllOrNothing(database: TestDatabase) throws {
        let store = try database.make().store
        try createTable(in: store)
        let count = "SELECT count(*) FROM things"
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try store.write { transaction throws in
                #expect(try transaction.execute("INSERT INTO things (id) VALUES (1)") == 1)
                #expect(try transaction.first(count) { try $0.integer(0) } == 1)
                throw Stop()
            }
        }
        #expect(try store.read { try $0.first(count) { try $0.integer(0) } } == 0)
        try store.write { transaction throws in
            try transaction.execute("INSERT INTO things (id, name) VALUES (1, 'a'), (2, 'b')")
            #expect(try transaction.execute("UPDATE things SET name = 'c'") == 2)
            #expect(try transaction.execute("DELETE FROM things WHERE id = 9") == 0)
        }
        #expect(try store.read { try $0.first(count) { try $0.integer(0) } } == 2)
    }

    @Test(arguments: TestDatabase.allCases)
    func refusalsHaveTheSameCodes(database: TestDatabase) throws {
        let store = try database.make().store
        try createTable(in: store)
        func code(_ sql: String, _ arguments: [SQLValue] = [], times: Int = 1) -> SQLError.Code? {
            do {
                try store.write {
                    if times == 1 { try $0.execute(sql, arguments) }
                    if times > 1 { try $0.execute(sql, rows: Array(repeating: arguments, count: times)) }
                }
                return nil
            } catch { return (error as? SQLError)?.code }
        }
        #expect(code("INSERT INTO things (id) VALUES (1)") == nil)
        #expect(code("INSERT INTO things (id) VALUES (1)") == .uniqueViolation)
        #expect(code("INSERT INTO things (id, amount) VALUES (2, 0)") == .checkViolation)
        #expect(code("SELEC 1") == .other)
        #expect(code("INSERT INTO things (id) VALUES (?)") == .other)
        #expect(code("CREATE TABLE n (id BIGINT NOT NULL REFERENCES things (id))") == nil)
        #expect(code("INSERT INTO n VALUES (NULL)") == .notNullViolation)
        #expect(code("INSERT INTO n VALUES (77)") == .foreignKeyViolation)
        // SQLite stores it.
        for text in ["\0", "a\0b"] {
            let stored: SQLError.Code? = database == .sqlite ? nil : .invalidText
            #expect(code("UPDATE things SET name = ?", [.text(text)]) == stored)
            #expect(code("UPDATE things SET name = ?", [.text(text)], times: 2) == stored)
            #expect(code("UPDATE things SET name = NULL") == nil)
        }
        // A caller that ignores a failure must not believe that its writes were committed.
        let swallowed = Result {
            try store.write { transaction throws in
                try transaction.execute("INSERT INTO things (id) VALUES (50)")
                _ = try? transaction.execute("INSERT INTO things (id) VALUES (1)")
            }
        }
        let stored = try store.read { try $0.first("SELECT 1 FROM things WHERE id = 50") { try $0.integer(0) } }
        #expect((try? swallowed.get()) == nil ? stored == nil : stored == 1)
    }

    @Test(arguments: TestDatabase.allCases)
    func aReadIsOneSnapshotAndWritesNothing(database: TestDatabase) throws {
        let (store, reopen) = try database.make()
        try createTable(in: store)
        let other = try reopen()
        let count = "SELECT count(*) FROM things"
        try store.read { session throws in
            #expect(try session.first(count) { try $0.integer(0) } == 0)
            _ = try other.write { try $0.execute("INSERT INTO things (id) VALUES (1)") }
            #expect(try session.first(count) { try $0.integer(0) } == 0)
            // A statement used while rows of another one, or of itself, are being read.
            let series = "SELECT id FROM things UNION ALL SELECT 5 ORDER BY 1"
            try session.forEach(series, []) { row throws in
                #expect(try session.query(series) { try $0.integer(0) } == [5])
                #expect(try row.integer(0) == 5)
            }
        }
        #expect(try store.read { try $0.first(count) { try $0.integer(0) } } == 1)
    }

    @Test(arguments: TestDatabase.allCases)
    func aStatementRunsForEachRowInTheirOrder(database: TestDatabase) throws {
        let store = try database.make().store
        try createTable(in: store)
        let insert = "INSERT INTO things (id, name, amount) VALUES (?, ?, ?) RETURNING id, name"
        // NULL in every column at some time, and more rows than one pipeline holds.
        var rows: [[SQLValue]] = []
        var sum: Int64 = 0
        for number in Int64(0)..<1000 {
            let name = number % 3 == 0 ? SQLValue.null : .text("O'Neil \(number) 🦊")
            let amount = number % 7 == 0 ? SQLValue.null : .integer(number)
            rows.append([.integer(number), name, amount])
            if amount != .null { sum += number + 1 }
        }
        var seen: [Int] = []
        try store.write { transaction throws in
            try transaction.forEach(insert, rows: rows) { number, row in
                let id = try row.integer(0)
                #expect(id == Int64(number))
                #expect(row.isNull(1) == (number % 3 == 0))
                seen.append(number)
            }
            try transaction.execute("UPDATE things SET amount = amount + 1 WHERE id = ?", rows: rows.map { [$0[0]] })
            try transaction.execute("DELETE FROM things WHERE id = ?", rows: [])
        }
        #expect(seen == Array(0..<1000))
        let stored = try store.read { session throws in
            try session.first("SELECT count(name), sum(amount) FROM things") { [try $0.integer(0), try $0.integer(1)] }
        }
        #expect(stored == [666, sum])
        // A failing statement throws, and the transaction is rolled back.
        let bad: [[SQLValue]] = (Int64(2000)..<2600).map { [.integer($0 == 2300 ? 5 : $0), .text("x"), .integer(1)] }
        let error = #expect(throws: SQLError.self) { try store.write { try $0.execute(insert, rows: bad) } }
        #expect(error?.code == .uniqueViolation)
        #expect(try store.read { try $0.first("SELECT count(*) FROM things") { try $0.integer(0) } } == 1000)
        #expect(try store.write { try $0.execute("DELETE FROM things WHERE id = 1") } == 1)
    }

    /// Results of a batch statement refer to the row's number, however the database runs it.
    @Test(arguments: TestDatabase.allCases)
    func oneStatementForManyRows(database: TestDatabase) throws {
        let store = try database.make().store
        let blob = database == .sqlite ? "BLOB" : "BYTEA"
        _ = try store.write {
            try $0.execute("CREATE TABLE pairs (id BIGINT PRIMARY KEY, mark \(blob), amount BIGINT)")
        }
        let insertion = SQLBatchStatement.insertion(
            into: "pairs", [.integer("id"), .blob("mark"), .integer("amount")],
            conflict: "ON CONFLICT (id) DO UPDATE SET amount = pairs.amount + excluded.amount")
        // More rows than one statement takes; NULL among values, empty blobs, and extreme numbers.
        let rows: [[SQLValue]] = (0..<5000).map { index in
            [
                .integer(Int64(index)), index % 3 == 0 ? .null : .blob([UInt8](repeating: 39, count: index % 5)),
                index % 7 == 0 ? .null : .integer(index == 1 ? .min : Int64(index)),
            ]
        }
        try store.write { transaction throws in
            try transaction.execute(insertion, rows: [])
            try transaction.execute(insertion, rows: rows)
            try transaction.execute(
                insertion, rows: [[.integer(2), .null, .integer(40)], [.integer(9000), .null, .null]])
            try transaction.execute(
                SQLBatchStatement(
                    eachRow: "UPDATE pairs SET amount = ?, mark = ? WHERE id = ?",
                    allRows: """
                        UPDATE pairs SET amount = given.amount, mark = given.mark
                        FROM unnest(?::bigint[], ?::bytea[], ?::bigint[]) AS given (amount, mark, id)
                        WHERE pairs.id = given.id
                        """),
                rows: [
                    [.integer(.max), .blob([0, 255]), .integer(4)], [.null, .null, .integer(5)],
                    [.integer(1), .null, .integer(-3)],
                ])
        }
        let search = SQLBatchStatement(
            eachRow: "SELECT amount, mark FROM pairs WHERE id = ?",
            allRows: """
                SELECT number, amount, mark FROM unnest(?::bigint[]) WITH ORDINALITY AS given (id, number)
                JOIN pairs USING (id)
                """)
        let ids: [Int64] = [2, 77_777, 4, 5, 1, 9000] + (2000..<4500)
        var found: [Int: [SQLValue]] = [:]
        try store.write { transaction throws in
            try transaction.forEach(search, rows: ids.map { [.integer($0)] }) { number, row in
                #expect(found[number] == nil)
                found[number] = [.integer(orNull: try row.optionalInteger(0)), .blob(orNull: try row.optionalBlob(1))]
            }
        }
        #expect(found.count == ids.count - 1)
        #expect(found[0] == [.integer(42), .blob([39, 39])])
        #expect(found[1] == nil)
        #expect(found[2] == [.integer(.max), .blob([0, 255])])
        #expect(found[3] == [.null, .null])
        #expect(found[4] == [.integer(.min), .blob([39])])
        #expect(found[5] == [.null, .null])
        for (index, id) in ids.enumerated().dropFirst(6) {
            #expect(found[index] == [rows[Int(id)][2], rows[Int(id)][1]])
        }
        let tooFew = #expect(throws: SQLError.self) {
            try store.write { try $0.execute(insertion, rows: [[.integer(10_000)]]) }
        }
        #expect(tooFew?.code == .other)
        #expect(try store.read { try $0.first("SELECT count(*) FROM pairs") { try $0.integer(0) } } == 5001)
    }

    /// Reading before writing is safe: no other writer, in any process, can intervene.
    @Test(arguments: TestDatabase.allCases)
    func writersTakeTurns(database: TestDatabase) throws {
        let (store, reopen) = try database.make()
        _ = try store.write { transaction throws in
            try transaction.execute("CREATE TABLE counter (value BIGINT)")
            try transaction.execute("INSERT INTO counter VALUES (0)")
        }
        let stores = [store, try reopen()]
        let results = OwnThread<Void>.each(of: 6) { number in
            for _ in 0..<25 {
                try stores[number % 2].write { transaction throws in
                    let value = try transaction.first("SELECT value FROM counter") { try $0.integer(0) } ?? 0
                    try transaction.execute("UPDATE counter SET value = ?", [.integer(value + 1)])
                }
            }
        }
        for result in results { try result.get() }
        #expect(try store.read { try $0.first("SELECT value FROM counter") { try $0.integer(0) } } == 150)
    }

    @Test(arguments: TestDatabase.allCases)
    func aClosedStoreSaysSo(database: TestDatabase) throws {
        let store = try database.make().store
        try store.close()
        try store.close()
        let error = #expect(throws: SQLError.self) { try store.read { _ in } }
        #expect(error?.code == .closed)
    }
}
