import ArgumentParser

/// A first argument that is no command. The parser would call it an unexpected argument.
enum UnknownCommand {
    /// Throws a usage error that names the command closest to `argument`, if one differs by at most two letters.
    static func refuse(_ argument: String?, names: Set<String>) throws {
        // The parser adds `help`.
        let names = names.union(["help"])
        guard let argument, !argument.isEmpty, !argument.hasPrefix("-"), !names.contains(argument) else { return }
        guard let nearest = nearest(to: argument, among: names.sorted()) else {
            throw ValidationError("Unknown command '\(argument)'")
        }
        throw ValidationError("Unknown command '\(argument)'. Did you mean '\(nearest)'?")
    }

    private static func nearest(to word: String, among names: [String]) -> String? {
        let bound = min(2, word.count - 1)
        let ranked = names.map { (name: $0, distance: distance(Array(word), Array($0))) }
        return ranked.filter { $0.distance <= bound }.min { $0.distance < $1.distance }?.name
    }

    /// The number of letters to insert, remove, replace or swap with the next one.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        // The distances of the first letters of `left` to each beginning of `right`, and those of one letter less.
        var (row, former) = (Array(0...right.count), [Int]())
        for (index, letter) in left.enumerated() {
            var next = [index + 1]
            for (position, other) in right.enumerated() {
                var least = min(row[position] + (letter == other ? 0 : 1), row[position + 1] + 1, next[position] + 1)
                if index > 0, position > 0, letter == right[position - 1], left[index - 1] == other {
                    least = min(least, former[position - 1] + 1)
                }
                next.append(least)
            }
            (former, row) = (row, next)
        }
        return row[right.count]
    }
}
