import Catalogue
import Console
import Foundation
import JSONWire
import SubGuardDomain
import Telemetry

/// Results as they are stored: what can be undone, which another server may be asked to do.
extension ConsoleNotices.Result {
    /// Nil for a result that stays in memory.
    var stored: String? {
        let object: JSONObject
        switch self {
        case .suggestions(let decided):
            let results = decided.map { suggestion -> JSONValue in
                let instant = suggestion.decidedAt.map { JSONValue.number("\($0.millisecondsSinceEpoch)") }
                return [
                    "id": .string(suggestion.id.lowercased), "outcome": .string(suggestion.outcome.rawValue),
                    "decided_at": instant ?? .null,
                ]
            }
            object = ["kind": "suggestions", "results": .array(results)]
        case .crashes(let decisions, let changed, let isUndo):
            let results = decisions.map { decision -> JSONValue in
                [
                    "id": .string(decision.id.lowercased), "outcome": .string(decision.outcome.rawValue),
                    "former": decision.former.map { .string($0.rawValue) } ?? .null,
                ]
            }
            object = [
                "kind": "crashes", "is_undo": .bool(isUndo), "changed": .array(changed.map { .string($0) }),
                "results": .array(results),
            ]
        case .releases, .imported, .logos: return nil
        }
        return String(decoding: JSONValue.object(object).serialized(), as: UTF8.self)
    }

    /// Nil for a text that ``stored`` did not write.
    init?(stored text: String) {
        guard let object = (try? JSONValue.parse(Array(text.utf8)))?.objectValue else { return nil }
        let results = (object["results"]?.arrayValue ?? []).compactMap(\.objectValue)
        func id(_ result: JSONObject) -> UUID? { result["id"]?.stringValue.flatMap { UUID(strict: $0) } }
        func word<Word: RawRepresentable<String>>(_ result: JSONObject, _ name: String) -> Word? {
            result[name]?.stringValue.flatMap { Word(rawValue: $0) }
        }
        switch object["kind"]?.stringValue {
        case "suggestions":
            self = .suggestions(
                results.compactMap { result in
                    guard let id = id(result), let outcome: SuggestionOutcome = word(result, "outcome") else {
                        return nil
                    }
                    let instant = result["decided_at"]?.integerValue
                    return ConsoleNotices.DecidedSuggestion(
                        id: id, outcome: outcome,
                        decidedAt: instant.map { UTCInstant(millisecondsSinceEpoch: $0) })
                })
        case "crashes":
            let decisions = results.compactMap { result -> CrashDecision? in
                guard let id = id(result), let outcome: CrashOutcome = word(result, "outcome") else { return nil }
                return CrashDecision(id: id, outcome: outcome, former: word(result, "former"))
            }
            self = .crashes(
                decisions, changed: (object["changed"]?.arrayValue ?? []).compactMap(\.stringValue),
                isUndo: object["is_undo"]?.boolValue ?? false)
        default: return nil
        }
    }
}

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
