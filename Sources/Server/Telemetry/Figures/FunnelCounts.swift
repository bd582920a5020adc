import EventLog
import SQLDatabase
import SubGuardSQL

/// The numbers of a row of `funnel_days`, one for each ``FunnelBucket``.
///
/// Packed as the number of users, then for each stage the number of its users, the length of what follows, and for each
/// distance with users the difference to the previous one and their number. So a reader skips what it does not need.
struct FunnelCounts: Hashable {
    private var numbers = [Int64](repeating: 0, count: FunnelBucket.count)

    init() {}

    /// Throws ``SQLError`` when this program cannot have written the bytes.
    init(_ bytes: [UInt8]) throws {
        try Self.read(bytes) { reader in
            self[.users] = try reader.signedNumber()
            for stage in Funnel.Stage.Name.allCases {
                _ = try reader.signedNumber()
                try Self.forEach(in: &reader) { lag, count in
                    self[FunnelBucket(stage: stage.place, lag: lag)] = count
                    return true
                }
            }
        }
    }

    subscript(bucket: FunnelBucket) -> Int64 {
        get { numbers[Int(bucket.number)] }
        set { numbers[Int(bucket.number)] = newValue }
    }

    var isZero: Bool { numbers.allSatisfy { $0 == 0 } }

    var packed: [UInt8] {
        var bytes: [UInt8] = []
        var pairs: [UInt8] = []
        bytes.append(packedSigned: self[.users])
        for stage in Funnel.Stage.Name.allCases {
            pairs.removeAll(keepingCapacity: true)
            var (total, previous): (Int64, Int) = (0, 0)
            for lag in 0..<FunnelBucket.lags {
                let count = self[FunnelBucket(stage: stage.place, lag: lag)]
                guard count != 0 else { continue }
                total &+= count
                pairs.append(packed: lag - previous)
                pairs.append(packedSigned: count)
                previous = lag
            }
            bytes.append(packedSigned: total)
            bytes.append(packed: pairs.count)
            bytes += pairs
        }
        return bytes
    }

    /// Users, and in their order those who have reached each stage.
    typealias Sums = SIMD8<Int64>

    /// - Parameter days: counts only stages that were reached at most so many days after the signup; nil for all.
    static func sums(_ bytes: [UInt8], within days: Int?) throws -> Sums {
        var sums = Sums()
        try read(bytes) { reader in
            sums[0] = try reader.signedNumber()
            for stage in 1...Funnel.Stage.Name.allCases.count {
                let total = try reader.signedNumber()
                guard let days else {
                    sums[stage] = total
                    _ = try reader.take(try reader.count(of: 1))
                    continue
                }
                try forEach(in: &reader) { lag, count in
                    guard lag <= days else { return false }
                    sums[stage] &+= count
                    return true
                }
            }
        }
        return sums
    }

    private static func read(_ bytes: [UInt8], _ body: (inout PackedReader) throws -> Void) throws {
        do {
            try bytes.withUnsafeBytes { bytes in
                var reader = PackedReader(bytes)
                try body(&reader)
                guard reader.isAtEnd else { throw PackedReader.malformed }
            }
        } catch is EventBlockError {
            throw SQLError.malformed("funnel_days")
        }
    }

    /// Visits the distances of a stage in ascending order until `visit` returns false.
    private static func forEach(
        in reader: inout PackedReader, _ visit: (_ lag: Int, _ count: Int64) -> Bool
    ) throws {
        var pairs = PackedReader(try reader.take(try reader.count(of: 1)))
        var lag = 0
        while !pairs.isAtEnd {
            let step = try pairs.number()
            guard step < UInt64(FunnelBucket.lags - lag) else { throw PackedReader.malformed }
            lag += Int(step)
            guard visit(lag, try pairs.signedNumber()) else { return }
        }
    }
}
