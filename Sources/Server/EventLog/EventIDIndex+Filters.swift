import Foundation

/// Which filters are in memory: those of the newest and smallest runs, up to ``EventIDIndexShape/filterMemory``. Their
/// ids are the ones that devices send again, and each look-up of a random id needs a filter of every run.
extension EventIDIndex {
    /// Filters read back into memory at once, so that no transaction takes long.
    private static let filtersReadAtOnce = 16

    /// Moves filters between memory and the file after the runs have changed.
    mutating func placeFilters() {
        var used = filterBytes
        if used > shape.filterMemory {
            // Without a file, or on a full disk, they stay in memory.
            guard let file = openFilterFile() else { return }
            for index in byUse.reversed() {
                while used > shape.filterMemory {
                    let before = runs[index].filterBytes
                    guard runs[index].moveFilter(to: file) else { break }
                    used -= before - runs[index].filterBytes
                }
            }
        } else if filterFile != nil {
            var left = Self.filtersReadAtOnce
            for index in byUse {
                while left > 0 {
                    let before = runs[index].filterBytes
                    guard runs[index].moveFilterToMemory(ofAtMost: shape.filterMemory - used) else { break }
                    used += runs[index].filterBytes - before
                    left -= 1
                }
            }
        }
    }

    /// The runs that are not dead, the most useful first.
    private var byUse: [Int] {
        runs.indices.filter { runs[$0].state != .dead }.sorted {
            let (left, right) = (runs[$0], runs[$1])
            return (left.state.rawValue, left.level, -left.id) < (right.state.rawValue, right.level, -right.id)
        }
    }
}
