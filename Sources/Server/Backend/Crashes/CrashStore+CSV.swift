import Foundation
import SubGuardDomain
import TextCoding

extension CrashStore {
    /// Writes the groups as CSV, one row each. Formulas are neutralised.
    package static func csv(_ groups: [CrashGroup]) -> [UInt8] {
        var writer = CSVWriter()
        writer.record([
            "id", "title", "culprit", "platform", "level", "status", "count", "first_seen_at", "last_seen_at",
            "releases",
        ])
        for group in groups {
            let releases = group.releases.map { "\($0.name ?? "?")=\($0.count)" }.joined(separator: " ")
            writer.guardedRecord(
                [
                    group.id.lowercased, group.title, group.culprit ?? "", group.platform ?? "",
                    group.level.rawValue,
                    group.status.rawValue, "\(group.count)", group.firstSeenAt.rfc3339, group.lastSeenAt.rfc3339,
                    releases,
                ])
        }
        return writer.bytes
    }
}
