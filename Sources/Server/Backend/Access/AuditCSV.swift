import SubGuardDomain
import TextCoding

/// Rows of the audit log as CSV (RFC 4180) for a spreadsheet. Formulas in texts are neutralised; states stay JSON.
package enum AuditCSV {
    package static func write(_ entries: [AuditEntry]) -> [UInt8] {
        var writer = CSVWriter()
        writer.record([
            "sequence", "happened_at", "actor", "token_id", "request_id", "action", "subject_id", "before", "after",
            "hash",
        ])
        for entry in entries {
            let texts = [
                entry.change.actor.name, entry.change.actor.tokenID?.lowercased ?? "",
                entry.change.actor.requestID ?? "", entry.change.action, entry.change.subjectID?.lowercased ?? "",
                entry.change.before ?? "", entry.change.after ?? "", entry.hashText,
            ]
            writer.record(["\(entry.sequence)", entry.happenedAt.rfc3339] + texts.map(SpreadsheetText.guarded))
        }
        return writer.bytes
    }
}
