/// Brings two stores' records together.
///
/// The newest edit of each register wins, and what only one side has stays: that a record is missing on one side is no
/// wish to delete it. The outcome is the same in whatever order stores are merged and however often.
public enum Merge {
    /// A register of the first store that the second one's newer edit replaced.
    public struct Override: Sendable, Hashable {
        public var key: MergeRecord.Key
        public var register: String
        public var old: MergeRegister
        public var new: MergeRegister
    }

    public struct Outcome: Sendable, Hashable {
        /// Only what differs from the first store: new records whole, others with the registers that changed.
        public var changes: [MergeRecord] = []
        /// Keys of records that the first store did not have.
        public var added: [MergeRecord.Key] = []
        /// Registers whose values changed; one that was only confirmed by a newer reading is not among them.
        public var overridden: [Override] = []
    }

    /// One register of two.
    public static func merged(_ left: MergeRegister, _ right: MergeRegister) -> MergeRegister {
        right.wins(over: left) ? right : left
    }

    /// One record of two with the same key.
    public static func merged(_ left: MergeRecord, _ right: MergeRecord) -> MergeRecord {
        MergeRecord(key: left.key, registers: left.registers.merging(right.registers, uniquingKeysWith: merged))
    }

    /// All records of both sides.
    public static func merged(
        _ left: [MergeRecord.Key: MergeRecord], _ right: [MergeRecord.Key: MergeRecord]
    ) -> [MergeRecord.Key: MergeRecord] {
        left.merging(right, uniquingKeysWith: merged)
    }

    /// What has to change in the first store. Records come in the order in which the second store has them.
    ///
    /// - Parameter present: the first store's record of a key.
    public static func changes(
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
