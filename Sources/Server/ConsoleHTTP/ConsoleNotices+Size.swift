import Console
import Telemetry

/// The memory that results take.
extension ConsoleNotices.Result {
    /// About, in bytes: the texts, and a hundred or two for each part.
    var keptBytes: Int {
        switch self {
        case .suggestions(let decided): decided.count * 100
        case .crashes(let decisions, let changed, _): decisions.count * 100 + Self.bytes(of: changed)
        case .releases(let decisions): Self.bytes(of: decisions.map(\.name))
        case .imported(let report, let content, let fileName, _):
            (content?.utf8.count ?? 0) + fileName.utf8.count + report.keptBytes
        case .logos(let results):
            results.reduce(0) { $0 + 200 + $1.fileName.utf8.count + ($1.item?.name.utf8.count ?? 0) }
        }
    }

    private static func bytes(of texts: [String]) -> Int { texts.reduce(0) { $0 + 100 + $1.utf8.count } }
}
