import EventLog
import SQLDatabase
import SubGuardSQL

extension FigureComparison {
    /// Compares `funnel_days` with the users, who were compared with the events before.
    mutating func compareFunnels() throws {
        var kept: [FunnelRow: FunnelCounts] = [:]
        try session.forEach("SELECT dimension, day_count, first_day, segment, counts FROM funnel_days", []) { row in
            let (dimension, span) = (try row.integer(0), try row.integer(1))
            let (firstDay, segment) = (try row.integer(2), try row.integer(3))
            guard let dimension = FunnelDimension.allCases.first(where: { $0.number == dimension }),
                let span = FunnelRow.Span(rawValue: span), let code = UInt8(exactly: segment)
            else { throw SQLError.malformed("funnel_days") }
            kept[FunnelRow(dimension, span, containing: firstDay, code)] = try FunnelCounts(try row.blob(4))
        }
        for (row, changes) in staged.funnels.rows {
            for (bucket, count) in changes { kept[row, default: FunnelCounts()][bucket] &+= count }
        }
        let found = fold.funnels.rows
        for row in Set(kept.keys).union(found.keys).sorted() {
            var recomputed = FunnelCounts()
            for (bucket, count) in found[row] ?? [] { recomputed[bucket] &+= count }
            let stored = kept[row] ?? FunnelCounts()
            let buckets = (0..<Int64(FunnelBucket.count)).map(FunnelBucket.init).filter { stored[$0] != recomputed[$0] }
            result.compare("funnel_days \(row)", kept: stored, recomputed: recomputed) { counts in
                buckets.map { "\($0) \(counts[$0])" }.joined(separator: ", ")
            }
        }
    }
}

extension FunnelRow: CustomStringConvertible {
    var description: String {
        "\(FigureComparison.words(firstDay))\(span == .day ? "" : " and \(span.rawValue - 1) more days"), "
            + "\(dimension.rawValue) \(segment)"
    }
}

extension FunnelBucket: CustomStringConvertible {
    var description: String {
        guard number > 0 else { return "users" }
        let (stage, lag) = (Int(number) - 1).quotientAndRemainder(dividingBy: Self.lags)
        return "\(Funnel.Stage.Name.allCases[stage].rawValue) after \(lag) days"
    }
}
