import ArgumentParser
import SubGuardDomain

/// The distribution of batch sizes.
package struct BatchMix: Sendable, Equatable, CustomStringConvertible {
    package struct Share: Sendable, Equatable {
        package let size: Int
        package let weight: Int
    }

    package let shares: [Share]

    /// Mostly full queues, some single events, some long absences.
    package static let usual = BatchMix(shares: [
        Share(size: 1, weight: 10), Share(size: 100, weight: 80), Share(size: 1000, weight: 10),
    ])

    private init(shares: [Share]) { self.shares = shares }

    /// Parses `1:10,100:80,1000:10`: sizes with weights. The default weight is 1.
    package init(_ text: String) throws {
        var shares: [Share] = []
        let sizes = AnalyticsLimits.batchSize
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = (part.contains(":") ? part : part + ":1").split(
                separator: ":", omittingEmptySubsequences: false)
            guard words.count == 2, let size = Int(words[0]), let weight = Int(words[1]), sizes.contains(size),
                (1...1_000_000).contains(weight), !shares.contains(where: { $0.size == size })
            else {
                throw ValidationError(
                    "'\(part)' is not SIZE:WEIGHT, such as 100:80, with a new size of \(sizes.lowerBound) to "
                        + "\(sizes.upperBound) and a weight of 1 to 1000000")
            }
            shares.append(Share(size: size, weight: weight))
        }
        self.shares = shares
    }

    /// The mean number of events per batch.
    package var mean: Double {
        let weights = shares.reduce(0) { $0 + $1.weight }
        return Double(shares.reduce(0) { $0 + $1.size * $1.weight }) / Double(weights)
    }

    /// The form accepted by ``init(_:)``.
    package var description: String { shares.map { "\($0.size):\($0.weight)" }.joined(separator: ",") }
}
