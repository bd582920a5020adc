/// Which items people subscribe to: the popular ones far more often than the rest.
struct CatalogueChoice: Sendable {
    /// The sum of the weights up to each item, the most popular first.
    private let sums: [Double]

    init(itemCount: Int) {
        var sum = 0.0
        sums = (0..<itemCount).map { rank in
            // The second item of such lists is taken about half as often as the first, the tenth a tenth.
            sum += 1 / Double(rank + 2)
            return sum
        }
    }

    /// The rank of an item that the device does not have yet, or nil when it has them all.
    func rank(_ numbers: inout SeededNumbers, except taken: Set<Int>) -> Int? {
        let target = numbers.fraction() * (sums.last ?? 0)
        let first = sums.firstIndex { $0 > target } ?? 0
        return (first..<sums.count).first { !taken.contains($0) } ?? sums.indices.first { !taken.contains($0) }
    }
}
