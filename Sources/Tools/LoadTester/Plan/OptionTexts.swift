import ArgumentParser
import Foundation
import SubGuardContract
import SubGuardDomain

/// Durations on the command line: `20ms`, `1.5s`, `2m`, `1h`, `500us`.
enum DurationText {
    private static let microseconds = ["us": 1.0, "ms": 1000, "s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000]

    static func parse(_ text: String) throws -> Duration {
        let unit = text.reversed().prefix { !$0.isNumber }.reversed()
        guard let number = Double(text.dropLast(unit.count)), number.isFinite, (0...1e9).contains(number),
            let microseconds = microseconds[String(unit)]
        else { throw ValidationError("'\(text)' is not a duration such as 20ms, 1.5s or 2m") }
        return .microseconds(Int64((number * microseconds).rounded()))
    }
}

extension Duration {
    /// To the nearest; at most 146 years.
    var nanoseconds: Int64 { Int64(min((self / .nanoseconds(1)).rounded(), 0x1p62)) }

    var inSeconds: Double { self / .seconds(1) }
}

/// The distribution of batch sizes, `SIZE:WEIGHT,…`.
struct BatchMix: Sendable, Equatable, CustomStringConvertible {
    /// Mostly full queues, some single events, some long absences.
    static let usual = BatchMix(sizes: [1, 100, 1000], weights: [10, 80, 10])

    /// The number of events of a batch.
    let sizes: [Int]
    /// How often a batch of each size is sent, relative to the others.
    let weights: [Int]

    /// The mean number of events per batch.
    var mean: Double { Double(zip(sizes, weights).reduce(0) { $0 + $1.0 * $1.1 }) / Double(weights.reduce(0, +)) }

    var description: String { zip(sizes, weights).map { "\($0):\($1)" }.joined(separator: ",") }
}

extension BatchMix {
    /// Parses `1:10,100:80,1000:10`: sizes with weights. The default weight is 1.
    init(_ text: String) throws {
        var (sizes, weights): ([Int], [Int]) = ([], [])
        let limits = AnalyticsLimits.batchSize
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: ":", omittingEmptySubsequences: false)
            guard words.count <= 2, let size = Int(words[0]), let weight = Int(words.count == 2 ? words[1] : "1"),
                limits.contains(size), (1...1_000_000).contains(weight), !sizes.contains(size)
            else {
                throw ValidationError(
                    "'\(part)' is not SIZE:WEIGHT, such as 100:80, with a new size of \(limits.lowerBound) to "
                        + "\(limits.upperBound) and a weight of 1 to 1000000")
            }
            sizes.append(size)
            weights.append(weight)
        }
        self.init(sizes: sizes, weights: weights)
    }
}

extension IngestSigningKey {
    /// Reads a file with `NAME:BASE64`, as in `ingest_signing_keys`.
    init(file: String) throws {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            throw ValidationError("it cannot be read")
        }
        guard let key = IngestSigningKey(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw ValidationError("it must contain NAME:BASE64, a key of 16 to 64 bytes")
        }
        self = key
    }
}
