import Foundation
import SubGuardDomain
import TextCoding

extension SuggestionStore {
    /// Writes the groups as CSV, one row each. Formulas are neutralised.
    package static func csv(_ groups: [SuggestionGroup]) -> [UInt8] {
        var writer = CSVWriter()
        writer.record(["id", "name", "status", "count", "first_seen_at", "last_seen_at", "item_id", "decided_at"])
        for group in groups {
            writer.guardedRecord([
                group.id.lowercased, group.name, group.status.rawValue, "\(group.count)", group.firstSeenAt.rfc3339,
                group.lastSeenAt.rfc3339, group.itemID?.lowercased ?? "", group.decidedAt?.rfc3339 ?? "",
            ])
        }
        return writer.bytes
    }
}
