/// How far two texts are apart.
package enum EditDistance {
    /// The number of elements to insert, remove, replace or swap with the next one (optimal string alignment). Takes
    /// the product of both lengths.
    package static func between<Element: Equatable>(_ left: [Element], _ right: [Element]) -> Int {
        // The distances of the first elements of `left` to each beginning of `right`, and those of one element less.
        var (row, former) = (Array(0...right.count), Array(0...right.count))
        var next = row
        for (index, element) in left.enumerated() {
            next[0] = index + 1
            for (position, other) in right.enumerated() {
                var least = min(row[position] + (element == other ? 0 : 1), row[position + 1] + 1, next[position] + 1)
                if index > 0, position > 0, element == right[position - 1], left[index - 1] == other {
                    least = min(least, former[position - 1] + 1)
                }
                next[position + 1] = least
            }
            (former, row, next) = (row, next, former)
        }
        return row[right.count]
    }

    /// Whether the distance is one. Takes the length of the texts.
    package static func isOne<Element: Equatable>(_ left: [Element], _ right: [Element]) -> Bool {
        guard abs(left.count - right.count) <= 1 else { return false }
        let least = min(left.count, right.count)
        var start = 0
        while start < least, left[start] == right[start] { start += 1 }
        var end = 0
        while end < least - start, left[left.count - 1 - end] == right[right.count - 1 - end] { end += 1 }
        switch (left.count - start - end, right.count - start - end) {
        case (0, 1), (1, 0), (1, 1): return true
        case (2, 2): return left[start] == right[start + 1] && left[start + 1] == right[start]
        default: return false
        }
    }
}
