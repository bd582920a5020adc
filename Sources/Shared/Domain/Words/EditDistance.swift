/// How far two texts are apart.
package enum EditDistance {
    /// The number of elements to insert, remove, replace or swap with the next one (optimal string alignment). Takes
    /// the product of both lengths.
    package static func between<Element: Equatable>(_ left: [Element], _ right: [Element]) -> Int {
        // The distances of the first elements of `left` to each beginning of `right`, and those of one element less.
        var (row, former) = (Array(0...right.count), [Int]())
        for (index, element) in left.enumerated() {
            var next = [index + 1]
            for (position, other) in right.enumerated() {
                var least = min(row[position] + (element == other ? 0 : 1), row[position + 1] + 1, next[position] + 1)
                if index > 0, position > 0, element == right[position - 1], left[index - 1] == other {
                    least = min(least, former[position - 1] + 1)
                }
                next.append(least)
            }
            (former, row) = (row, next)
        }
        return row[right.count]
    }
}
