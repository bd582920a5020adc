import Cryptography
import SQLDatabase

/// A table to be copied between databases of either kind.
struct CopiedTable {
    /// Referenced tables come before referencing ones.
    private static let first = [
        "suggestion_groups", "crash_groups", "alert_thresholds", "accounts", "account_sessions",
    ]
    /// Migrations already insert their rows, or the rows cannot be deleted, so they are overwritten.
    private static let writtenOver: Set<String> = ["audit_heads", "store_metadata"]

    let name: String
    private let columns: [(name: String, type: String)]
    private let key: [String]
    private let keyPlaces: [Int]

    /// Not copied: each database has its own migrations, and logos may be files on either side (``LogoCopy``).
    private static let leftOut: Set<String> = ["schema_migrations", "catalogue_logo_contents"]

    /// Every table to be copied, in an order that satisfies foreign keys.
    static func all(in session: any SQLSession, _ dialect: SQLDialect) throws -> [CopiedTable] {
        let names = try session.tableNames(dialect).filter { !leftOut.contains($0) }
        return try (first + names.filter { !first.contains($0) }).map { try CopiedTable($0, in: session, dialect) }
    }

    private init(_ name: String, in session: any SQLSession, _ dialect: SQLDialect) throws {
        self.name = name
        let generated = Set(try session.generatedColumns(ofTable: name, dialect))
        columns = try session.columns(ofTable: name, dialect).filter { !generated.contains($0.name) }
        let key = try session.keyColumns(ofTable: name, dialect)
        self.key = key
        keyPlaces = key.compactMap { [columns] column in columns.firstIndex { $0.name == column } }
        guard !key.isEmpty, keyPlaces.count == key.count else {
            throw SQLError(code: .other, number: 0, context: "table without a key")
        }
    }

    /// Fewer rows at once if each holds a large value.
    private var rowsAtOnce: Int64 { name == "event_blocks" ? 20 : 1000 }
    var isWrittenOver: Bool { Self.writtenOver.contains(name) }

    func count(in session: any SQLSession) throws -> Int {
        Int(clamping: try session.integer("SELECT count(*) FROM \(name)") ?? 0)
    }

    /// The last row's key; nil for an empty table.
    func lastKey(in session: any SQLSession) throws -> [SQLValue]? {
        let order = key.map { "\($0) DESC" }.joined(separator: ", ")
        let row = try session.first(
            "SELECT \(list(columns.map(\.name))) FROM \(name) ORDER BY \(order) LIMIT 1", [], read)
        return row.map { row in keyPlaces.map { row[$0] } }
    }

    /// Visits rows after a key in ascending order, in parts.
    func forEachPart(
        after start: [SQLValue]?, in session: any SQLSession, _ visit: ([[SQLValue]]) throws -> Void
    ) throws {
        let select = "SELECT \(list(columns.map(\.name))) FROM \(name)"
        let rest = "ORDER BY \(list(key)) LIMIT ?"
        let holes = list([String](repeating: "?", count: key.count))
        var last = start
        while true {
            let rows =
                if let last {
                    try session.query(
                        "\(select) WHERE (\(list(key))) > (\(holes)) \(rest)", last + [.integer(rowsAtOnce)], read)
                } else {
                    try session.query("\(select) \(rest)", [.integer(rowsAtOnce)], read)
                }
            guard let end = rows.last else { return }
            try visit(rows)
            last = keyPlaces.map { end[$0] }
        }
    }

    func insert(_ rows: [[SQLValue]], in transaction: any SQLTransaction) throws {
        let names = columns.map(\.name)
        var sql = "INSERT INTO \(name) (\(list(names))) VALUES (\(list(names.map { _ in "?" })))"
        if isWrittenOver {
            let others = names.filter { !key.contains($0) }.map { "\($0) = excluded.\($0)" }
            sql += " ON CONFLICT (\(list(key))) DO UPDATE SET \(list(others))"
        }
        try transaction.execute(sql, rows: rows)
    }

    /// Advances the generated ids beyond the copied ones.
    func continueNumbers(in transaction: any SQLTransaction, _ dialect: SQLDialect) throws {
        // SQLite does so automatically.
        guard dialect == .postgres, key == ["id"], columns.contains(where: { $0.name == "id" && $0.type == "INTEGER" })
        else { return }
        try transaction.forEach(
            """
            SELECT setval(s.name, (SELECT max(id) FROM \(name)))
            FROM (SELECT pg_get_serial_sequence('\(name)', 'id') AS name) s
            WHERE s.name IS NOT NULL AND EXISTS (SELECT 1 FROM \(name))
            """, []
        ) { _ in }
    }

    /// The number of rows and the SHA-256 over all values in the order of the keys. Equal for databases of either kind
    /// with the same contents.
    func checksum(in session: any SQLSession) throws -> (rows: Int, digest: [UInt8]) {
        var hash = SHA256()
        var count = 0
        try forEachPart(after: nil, in: session) { rows in
            count += rows.count
            for value in rows.joined() { hash.update(Self.bytes(of: value)) }
        }
        return (count, hash.finish())
    }

    /// Type, length and bytes, so that distinct rows have distinct encodings.
    private static func bytes(of value: SQLValue) -> [UInt8] {
        func marked(_ kind: UInt8, _ bytes: some Collection<UInt8>) -> [UInt8] {
            [kind] + withUnsafeBytes(of: UInt64(bytes.count).bigEndian) { Array($0) } + bytes
        }
        return switch value {
        case .null: marked(0, [])
        case .integer(let integer): marked(1, withUnsafeBytes(of: integer.bigEndian) { Array($0) })
        case .text(let text): marked(2, Array(text.utf8))
        case .blob(let blob): marked(3, blob)
        }
    }

    private func read(_ row: any SQLRow) throws -> [SQLValue] {
        try columns.enumerated().map { place, column in
            if row.isNull(place) { return .null }
            return switch column.type {
            case "INTEGER": .integer(try row.integer(place))
            case "TEXT": .text(try row.text(place))
            default: .blob(try row.blob(place))
            }
        }
    }

    private func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}
