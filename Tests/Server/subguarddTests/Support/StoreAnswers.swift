import Foundation
import JSONWire
import TestKit

/// Responses that must be the same for every kind of database.
struct StoreAnswers: Equatable {
    /// The whole catalogue, including the sync token.
    let catalogue: String
    /// The figures of the dashboard, by name.
    let figures: [String: String]
    /// The admin tokens, except when each was last used.
    let tokens: [String]
    /// Contents of logos by path.
    let logos: [String: [UInt8]]
    /// Hashes of the audit log.
    let audit: [String]

    init(_ server: RunningServer, token: String) throws {
        catalogue = try server.get("/api/v1/catalogue?limit=500").text
        let items = try JSONValue.parse(Array(catalogue.utf8)).objectValue?["items"]?.arrayValue ?? []
        logos = try items.compactMap { $0["logo_url"]?.stringValue }.reduce(into: [:]) { logos, path in
            let answer = try server.get(path)
            logos[path] = answer.status == 200 ? answer.body : nil
        }
        let dashboard = try server.json("/api/v1/admin/dashboard", token: token)
        figures = (dashboard?.members ?? []).reduce(into: [:]) { figures, member in
            if let value = member.value["value"] { figures[member.name] = "\(value)" }
        }
        let kept = try server.json("/api/v1/admin/tokens", token: token)?["items"]?.arrayValue ?? []
        tokens = kept.map { "\(String(describing: $0["id"])) \(String(describing: $0["name"]))" }.sorted()
        let entries = try server.json("/api/v1/admin/audit?limit=500", token: token)?["items"]?.arrayValue ?? []
        audit = entries.compactMap { $0["hash"]?.stringValue }
    }
}
