import Backend
import HTTPServer
import ServerContract
import SubGuardContract
import SubGuardDomain

/// The figures: dashboard, funnel, cohorts, ranking.
struct InsightRoutes: Sendable {
    let gate: AdminGate
    let store: InsightStore
    let ranking: RankingStore

    func bindings() -> [RouteBinding] {
        [
            gate.binding(.dashboard) { request, _ in
                var query = try QueryReader(request, known: ["format"])
                let format = query.figureFormat()
                try query.requireValid()
                return try FigureAnswer(try store.dashboard()).response(to: request, as: format)
            },
            gate.binding(.funnel) { request, _ in
                let (range, format) = try Self.range(of: request)
                return try FigureAnswer(try store.funnel(range)).response(to: request, as: format)
            },
            gate.binding(.cohorts) { request, _ in
                let (range, format) = try Self.range(of: request)
                return try FigureAnswer(try store.cohorts(range)).response(to: request, as: format)
            },
            gate.binding(.ranking) { request, _ in
                var query = try QueryReader(request, known: ["limit", "format"])
                let limit = query.integer("limit", in: 1...500, default: 10)
                let format = query.figureFormat()
                try query.requireValid()
                return try FigureAnswer(try ranking.ranking(limit: limit)).response(to: request, as: format)
            },
        ]
    }

    private static func range(of request: Request) throws -> (DayRange, FigureFormat) {
        var query = try QueryReader(request, known: ["from", "to", "format"])
        let range = DayRange(from: query.day("from"), to: query.day("to"))
        if let from = range.from, let to = range.to, from > to {
            query.note("to", .outOfRange, "Must not be before from.")
        }
        let format = query.figureFormat()
        try query.requireValid()
        return (range, format)
    }
}

extension QueryReader {
    /// Whether a report is wanted as JSON, the default, or as CSV.
    mutating func figureFormat() -> FigureFormat {
        FigureFormat(rawValue: choice("format", of: ["json", "csv"], default: "json")) ?? .json
    }
}
