import SubGuardDomain

/// Leaves out of a merge what bears a timestamp of more than a day ahead: it would win every merge until then.
struct StampSieve {
    private let unit: UnitOfWork
    private let bound: HybridTimestamp
    /// The records of the backup that were left out, wholly or in part; in its order.
    private(set) var refused: [MergeRecord] = []

    init(_ unit: UnitOfWork) {
        self.unit = unit
        bound = unit.bound
    }

    /// The records without what lies ahead. Of a row that is here, the other registers stay; a new one is left out with
    /// all that refers to it.
    mutating func honest(_ records: [MergeRecord]) throws -> [MergeRecord] {
        guard records.contains(where: { $0.registers.values.contains { $0.stamp > bound } }) else { return records }
        var left: [MergeRecord?] = records
        var missing: Set<MergeValue> = []
        var places: Set<Int> = []
        var waiting = Array(records.indices)
        let referring = Self.referring(records)
        // Each record once, and again for each row left out that it refers to.
        while let place = waiting.popLast() {
            guard let candidate = left[place] else { continue }
            let record = records[place]
            let registers = candidate.registers.filter { _, register in
                register.stamp <= bound && missing.isDisjoint(with: register.values)
            }
            let isWhole = registers.count == candidate.registers.count
            guard !isWhole || !missing.isDisjoint(with: record.key.values) else { continue }
            places.insert(place)
            if try isHere(record.key) {
                left[place] = registers.isEmpty ? nil : MergeRecord(key: record.key, registers: registers)
            } else {
                left[place] = nil
                // The id of a row that others can refer to; a share has that of its subscription.
                if let key = EntityTables.named(record.key.table)?.key, key.count == 1, key[0].kind == .uuid {
                    for id in record.key.values where missing.insert(id).inserted { waiting += referring[id] ?? [] }
                }
            }
        }
        refused = places.sorted().map { records[$0] }
        return left.compactMap(\.self)
    }

    /// By id: the places of the records that contain it.
    private static func referring(_ records: [MergeRecord]) -> [MergeValue: [Int]] {
        var places: [MergeValue: [Int]] = [:]
        for (place, record) in records.enumerated() {
            for value in record.key.values + record.registers.values.flatMap(\.values) {
                guard case .bytes(let bytes) = value, bytes.count == 16 else { continue }
                places[value, default: []].append(place)
            }
        }
        return places
    }

    /// A record of this store in which what lies ahead loses against every edit.
    func lowered(_ record: MergeRecord) -> MergeRecord {
        var record = record
        for (name, register) in record.registers where register.stamp > bound {
            record.registers[name]?.stamp = Self.lowest
        }
        return record
    }

    /// Later than values set by the program, earlier than everything else.
    private static let lowest = HybridTimestamp(milliseconds: 0, counter: 1, node: 0)

    private func isHere(_ key: MergeRecord.Key) throws -> Bool {
        guard let table = EntityTables.named(key.table) else { return false }
        return try unit.row(key, in: table) != nil
    }
}
