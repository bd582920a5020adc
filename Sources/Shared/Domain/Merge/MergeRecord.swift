/// A value of a field, as every store can hold it. The order decides between equal timestamps and means nothing else.
public enum MergeValue: Sendable, Hashable, Comparable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])

    public static func < (left: MergeValue, right: MergeValue) -> Bool {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): left < right
        // By scalars: two spellings of one letter must not count as equal here and as different there.
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
public struct MergeRegister: Sendable, Hashable {
    public var values: [MergeValue]
    public var stamp: HybridTimestamp

    public init(values: [MergeValue], stamp: HybridTimestamp) {
        self.values = values
        self.stamp = stamp
    }

    /// Whether this one stands against the other: the newer edit, and of two at the same reading the greater values.
    func wins(over other: MergeRegister) -> Bool {
        guard stamp == other.stamp else { return stamp > other.stamp }
        return other.values.lexicographicallyPrecedes(values)
    }
}

/// One entity in a store: which table, which key, and its registers by name.
public struct MergeRecord: Sendable, Hashable {
    public struct Key: Sendable, Hashable {
        public var table: String
        public var values: [MergeValue]

        public init(table: String, values: [MergeValue]) {
            self.table = table
            self.values = values
        }
    }

    public var key: Key
    public var registers: [String: MergeRegister]

    public init(key: Key, registers: [String: MergeRegister]) {
        self.key = key
        self.registers = registers
    }
}
