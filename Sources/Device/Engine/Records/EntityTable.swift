import SQLDatabase
import SubGuardDomain

/// Describes a table for reading, writing, backups and merges: its key, and its columns in registers that change
/// together.
package struct EntityTable: Sendable {
    enum Kind: Sendable { case integer, text, uuid, day, instant, subscription }

    struct Column: Sendable {
        let name: String
        let kind: Kind
        /// The value in rows written before the column existed.
        var missing: SQLValue = .null
        /// A column without a place in backups and merges that holds the value entered while the program derives
        /// another one from other rows; NULL while it does not. Writing the row ends that.
        var overruling: String?

        /// SQL for the value entered. `row` is empty, or a table's name with a dot.
        func reading(_ row: String) -> String {
            overruling.map { "coalesce(\(row)\($0), \(row)\(name))" } ?? row + name
        }
    }

    struct Register: Sendable {
        let name: String
        let columns: Range<Int>
    }

    let name: String
    let key: [Column]
    let columns: [Column]
    let registers: [Register]
    /// The register that a new row leaves as it is on other devices while nothing is entered for it: two devices can
    /// make the row, and the one that named no amount or no notes took those of the other one.
    private let optional: Register?
    /// The place of `is_removed`: the rows of such a table are marked, not deleted, when they are taken back. A deleted
    /// one would return from another device at the next merge.
    let removalPlace: Int?

    let selectAll: String
    let selectOne: String
    private let insertSQL: String
    private let updateSQL: String
    private let restampSQL: String
    let deleteSQL: String

    /// - Parameters:
    ///   - registers: names and columns; a register with one column has the name of the column.
    ///   - optional: the name of a register that a new row may leave as it is on other devices.
    init(
        _ name: String, key: [Column], registers: [(name: String, columns: [Column])], optional: String? = nil,
        order: String? = nil
    ) {
        self.name = name
        self.key = key
        columns = registers.flatMap(\.columns)
        removalPlace = columns.firstIndex { $0.name == Column.isRemoved.name }
        var start = 0
        self.registers = registers.map { register in
            defer { start += register.columns.count }
            return Register(name: register.name, columns: start..<start + register.columns.count)
        }
        self.optional = self.registers.first { $0.name == optional }
        let keys = key.map(\.name)
        let all = keys + columns.map(\.name) + ["stamp", "stamps"]
        let read = (keys + columns.map { $0.reading("") } + ["stamp", "stamps"]).joined(separator: ", ")
        let condition = keys.map { "\($0) = ?" }.joined(separator: " AND ")
        selectAll =
            "SELECT \(read) FROM \(name) ORDER BY \(order ?? keys.joined(separator: ", "))"
        selectOne = "SELECT \(read) FROM \(name) WHERE \(condition)"
        insertSQL = """
            INSERT INTO \(name) (\(all.joined(separator: ", "))) \
            VALUES (\(all.map { _ in "?" }.joined(separator: ", ")))
            """
        let sets =
            (columns.map(\.name) + ["stamp", "stamps"]).map { "\($0) = ?" }
            + columns.compactMap(\.overruling).map { "\($0) = NULL" }
        updateSQL = "UPDATE \(name) SET \(sets.joined(separator: ", ")) WHERE \(condition)"
        restampSQL = "UPDATE \(name) SET stamp = ?, stamps = ? WHERE \(condition)"
        deleteSQL = "DELETE FROM \(name) WHERE \(condition)"
    }

    func insert(_ row: EntityRow, in session: any SQLTransaction) throws {
        try session.execute(
            insertSQL, row.key + row.values + [.text(row.stamps.base), .text(row.stamps.wire)])
    }

    func update(_ row: EntityRow, in session: any SQLTransaction) throws {
        try session.execute(
            updateSQL, row.values + [.text(row.stamps.base), .text(row.stamps.wire)] + row.key)
    }

    /// Writes nothing but the timestamps of a row.
    func restamp(_ row: EntityRow, in session: any SQLTransaction) throws {
        try session.execute(restampSQL, [.text(row.stamps.base), .text(row.stamps.wire)] + row.key)
    }

    func row(_ key: [SQLValue], in session: any SQLSession) throws -> EntityRow? {
        try session.first(selectOne, key, read)
    }

    func read(_ row: any SQLRow) throws -> EntityRow {
        let width = key.count + columns.count
        var values: [SQLValue] = []
        values.reserveCapacity(width)
        for (index, column) in (key + columns).enumerated() {
            if row.isNull(index) {
                values.append(.null)
            } else {
                switch column.kind {
                case .integer, .day, .instant, .subscription: values.append(.integer(try row.integer(index)))
                case .text: values.append(.text(try row.text(index)))
                case .uuid: values.append(.blob(try row.blob(index)))
                }
            }
        }
        return EntityRow(
            key: Array(values[..<key.count]), values: Array(values[key.count...]),
            stamps: Stamps(base: try row.text(width), wire: try row.text(width + 1)))
    }

    /// The register that decides whether a row with several registers holds anything; nil for other tables. It is
    /// stamped with every edit of the row, so that an earlier undo on another device does not empty a row that was
    /// edited later.
    private var presence: String? {
        switch name {
        case "ledger": "fate"
        case "shares": "split"
        default: nil
        }
    }

    /// Takes back a row, as an edit of now: it says so from then on, or is deleted if its table has no way to say so.
    /// Does nothing when there is none, or it is taken back already.
    func remove(_ key: [SQLValue], in unit: UnitOfWork) throws {
        guard let row = try row(key, in: unit.session) else { return }
        if let values = try absence(row.values, key, in: unit.session) {
            try save(key, values, in: unit)
        } else {
            try unit.session.execute(deleteSQL, key)
        }
    }

    /// Writes a row edited by the user. Changed registers get the current timestamp, or that of
    /// ``UnitOfWork/stamping``, the others keep theirs. Returns whether anything changed.
    @discardableResult
    func save(_ key: [SQLValue], _ values: [SQLValue], in unit: UnitOfWork) throws -> Bool {
        guard var row = try row(key, in: unit.session) else {
            var stamps = Stamps(base: try unit.stampOfNewRow().wire, wire: "")
            if name == EntityTables.budgets.name {
                // What it is for follows from its id, which all devices derive.
                stamps["category"] = HybridTimestamp.ofFile.wire
                try unit.noteAddition(self, key[0])
            }
            if let optional, values[optional.columns].elementsEqual(columns[optional.columns].map(\.missing)) {
                stamps[optional.name] = ""
                stamps.normalise(registers.map(\.name))
            }
            try insert(EntityRow(key: key, values: values, stamps: stamps), in: unit.session)
            return true
        }
        let changed = registers.filter { row.values[$0.columns] != values[$0.columns] }
        guard !changed.isEmpty else { return false }
        // A budget has the same id wherever it is set.
        if name == EntityTables.budgets.name { try unit.noteAddition(self, key[0]) }
        let now = try unit.stamp()
        for register in changed {
            let (old, new) = (row.values[register.columns], values[register.columns])
            row.stamps[register.name] = unit.stamp(now, over: row.stamps[register.name], from: old, to: new).wire
        }
        if let presence, unit.stamping == .edit { row.stamps[presence] = now.wire }
        row.values = values
        try update(row, in: unit.session)
        return true
    }
}

/// One row of an ``EntityTable``.
package struct EntityRow: Sendable {
    let key: [SQLValue]
    var values: [SQLValue]
    var stamps: Stamps
}

/// The timestamps of a row: that of its creation, and later ones of single registers.
struct Stamps: Sendable, Equatable {
    var base: String
    private var later: [String: String]

    init(base: String, wire: String) {
        self.base = base
        later = [:]
        for part in wire.split(separator: ";") {
            let pair = part.split(separator: "=", omittingEmptySubsequences: false)
            if pair.count == 2 { later[String(pair[0])] = String(pair[1]) }
        }
    }

    /// Nil for text that no device writes: another register than those named, or a time that is none.
    init?(base: String, wire: String, registers: [String]) {
        self.init(base: base, wire: wire)
        func isTime(_ text: String) -> Bool { HybridTimestamp(wire: text) != nil }
        guard base.isEmpty || isTime(base), later.allSatisfy({ registers.contains($0.key) && isTime($0.value) }),
            later.count == wire.split(separator: ";").count
        else { return nil }
    }

    subscript(register: String) -> String {
        get { later[register] ?? base }
        set { if newValue == base { later[register] = nil } else { later[register] = newValue } }
    }

    /// Writes the timestamps in the one form that depends on nothing but the time of each register.
    mutating func normalise(_ registers: [String]) {
        let times = registers.map { ($0, self[$0]) }
        base = times.map(\.1).min() ?? base
        later = [:]
        for (name, time) in times { self[name] = time }
    }

    /// `amount=<32 digits>;name=<32 digits>`, by name.
    var wire: String { later.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ";") }
}

extension EntityTable.Column {
    static func integer(_ name: String, missing: SQLValue = .integer(0)) -> Self {
        Self(name: name, kind: .integer, missing: missing)
    }
    static func text(_ name: String, missing: String = "") -> Self {
        Self(name: name, kind: .text, missing: .text(missing))
    }
    static func uuid(_ name: String) -> Self { Self(name: name, kind: .uuid) }
    static func day(_ name: String) -> Self { Self(name: name, kind: .day) }
    static func instant(_ name: String) -> Self { Self(name: name, kind: .instant) }
    static let subscription = Self(name: "subscription", kind: .subscription)
    /// 1 for a row that was taken back; see ``EntityTable/removalPlace``.
    static let isRemoved = integer("is_removed")
}
