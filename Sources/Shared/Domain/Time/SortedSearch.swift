extension Array {
    /// The first place whose element satisfies the condition, or the end, where all such elements come last.
    @inlinable package func partitionIndex(where belongsAfter: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if belongsAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
