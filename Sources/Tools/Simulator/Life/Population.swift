/// On which day devices sign up: a launch that is talked about, then steady growth.
struct SignupCurve: Sendable {
    private static let launchFactor = 1.6
    /// Sign-ups are moved off weekends to the days before. The last week gives some to the week before it, and no week
    /// after it gives it any.
    private static let lastWeekFactor = 1.06

    /// The sum of the weights up to each day, the oldest day first.
    private let sums: [Double]

    init(dayCount: Int) {
        var sum = 0.0
        sums = (0..<dayCount).map { day in
            let time = Double(day) / Double(dayCount)
            let growth = 1 + 1.2 * time + 2.4 * time * time
            sum += growth * (day < 7 ? Self.launchFactor : day >= dayCount - 7 ? Self.lastWeekFactor : 1)
            return sum
        }
    }

    /// How many days before the end of the history: 1 is the last day.
    func daysBeforeEnd(_ numbers: inout SeededNumbers) -> Int {
        let target = numbers.fraction() * (sums.last ?? 0)
        let day = sums.partitioningIndex { $0 > target }
        return max(1, sums.count - day)
    }
}

extension Array {
    /// Where the first element stands for which `isBehind` holds, in an array in which it holds for none before it and
    /// for all after it; the count when it holds for none.
    fileprivate func partitioningIndex(_ isBehind: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
