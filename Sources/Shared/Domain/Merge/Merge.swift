/// Merges the records of two databases.
///
/// The newest edit of each register wins. Records that exist on one side only are kept: a missing record does not mean
/// that it was deleted. The result does not depend on the order or number of merges.
package enum Merge {
    /// A register of the first database that a newer edit of the second one replaced.
    package struct Override: Sendable, Hashable {
        package var key: MergeRecord.Key
        package var register: String
        package var old: MergeRegister
        package var new: MergeRegister
    }

    /// What a merge changes.
    package struct Outcome: Sendable, Hashable {
        /// Differences from the first database: new records complete, others with the changed registers only.
        package var changes: [MergeRecord] = []
        /// Keys of records that were not in the first database.
        package var added: [MergeRecord.Key] = []
        /// Registers whose values changed. Registers with a newer timestamp and the same values are not included.
        package var overridden: [Override] = []
    }

    /// The winner of two registers.
    package static func merged(_ left: MergeRegister, _ right: MergeRegister) -> MergeRegister {
        right.wins(over: left) ? right : left
    }

    /// Merges two records with the same key.
    package static func merged(_ left: MergeRecord, _ right: MergeRecord) -> MergeRecord {
        MergeRecord(key: left.key, registers: left.registers.merging(right.registers, uniquingKeysWith: merged))
    }

    /// All records of both sides.
    package static func merged(
        _ left: [MergeRecord.Key: MergeRecord], _ right: [MergeRecord.Key: MergeRecord]
    ) -> [MergeRecord.Key: MergeRecord] {
        left.merging(right, uniquingKeysWith: merged)
    }

    /// The changes to make in the first database, in the order of the incoming records.
    ///
    /// - Parameter present: returns the first database's record for a key.
    package static func changes(
        from incoming: some Sequence<MergeRecord>, present: (MergeRecord.Key) throws -> MergeRecord?
    ) rethrows -> Outcome {
        var outcome = Outcome()
        for record in incoming {
            guard let mine = try present(record.key) else {
                outcome.changes.append(record)
                outcome.added.append(record.key)
                continue
            }
            var changed: [String: MergeRegister] = [:]
            for (name, theirs) in record.registers.sorted(by: { $0.key < $1.key }) {
                guard let old = mine.registers[name] else {
                    changed[name] = theirs
                    continue
                }
                guard theirs.wins(over: old) else { continue }
                changed[name] = theirs
                if theirs.values != old.values {
                    outcome.overridden.append(Override(key: record.key, register: name, old: old, new: theirs))
                }
            }
            if !changed.isEmpty { outcome.changes.append(MergeRecord(key: record.key, registers: changed)) }
        }
        return outcome
    }
}

/// A field value. The order decides between equal timestamps and has no other meaning.
package enum MergeValue: Sendable, Hashable, Comparable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])

    package static func < (left: MergeValue, right: MergeValue) -> Bool {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): left < right
        // By scalars, not by characters: two spellings of one letter are different values.
        case (.text(let left), .text(let right)): left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
        case (.bytes(let left), .bytes(let right)): left.lexicographicallyPrecedes(right)
        default: left.rank < right.rank
        }
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .integer: 1
        case .text: 2
        case .bytes: 3
        }
    }
}

/// Fields that only make sense together, such as an amount and its currency, and when they were last edited.
package struct MergeRegister: Sendable, Hashable {
    package var values: [MergeValue]
    package var stamp: HybridTimestamp

    package init(values: [MergeValue], stamp: HybridTimestamp) {
        self.values = values
        self.stamp = stamp
    }

    /// Whether this register replaces the other: by newer timestamp, then by greater values.
    func wins(over other: MergeRegister) -> Bool {
        guard stamp == other.stamp else { return stamp > other.stamp }
        return other.values.lexicographicallyPrecedes(values)
    }
}

/// One row: its table, its key and its registers by name.
package struct MergeRecord: Sendable, Hashable {
    /// The table and the values of the primary key.
    package struct Key: Sendable, Hashable {
        package var table: String
        package var values: [MergeValue]

        package init(table: String, values: [MergeValue]) {
            self.table = table
            self.values = values
        }
    }

    package var key: Key
    package var registers: [String: MergeRegister]

    package init(key: Key, registers: [String: MergeRegister]) {
        self.key = key
        self.registers = registers
    }
}
