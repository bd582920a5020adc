import SQLDatabase
import SubGuardDomain

extension InsightStore {
    package func funnel(_ range: DayRange = DayRange()) throws -> Funnel {
        let now = context.now()
        let (first, last) = range.numbers
        return try read { session in
            let counts = try FigureReader(session: session).sums(.days, from: first, through: last)
            return Funnel(computedAt: now, range: range, counts: counts)
        }
    }
}
