import Foundation
import JSONWire
package import ServerAccess
package import SubGuardContract
import SubGuardDomain

extension APIOperation {
    package static let audit = APIOperation(
        .get, "/api/v1/admin/audit", "listAudit", tag: .administration, access: .permission(.auditRead),
        summary: "List the audit log",
        """
        Every change with its author, newest first. Each row is written in the transaction of its change and never \
        altered: its `hash` covers the row before it. `subguardd audit verify` checks the chain, \
        `subguardd audit export` prints the whole log.
        """, query: .object(AuditQuery.self),
        answers: [
            .other(
                200,
                [
                    .json(ListPage<AuditEntry>.self),
                    .other("application/jsonl", ["type": "string"], example: .string("\(AuditEntry.exampleLine)\n")),
                    .other("text/csv", ["type": "string"], example: "sequence,happened_at,actor\r\n"),
                ], "A page of rows.")
        ])
}

/// The filters and format of a query of the audit log.
package struct AuditQuery: WireObject {
    package let limit: Int
    private let cursor: String?
    private let action: AuditAction?
    private let subjectID: UUID?
    private let tokenID: UUID?
    private let actor: String?
    private let from: CalendarDay?
    private let to: CalendarDay?
    package let format: Format
    private let hasMark: Bool

    package enum Format: String, Sendable, CaseIterable {
        case json
        case jsonl
        case csv
    }

    package static let wire = WireSchema<AuditQuery>(
        nil, make: AuditQuery.init,
        Field("limit", \.limit, .pageLimit, "Rows on a page.", default: 50),
        Field(
            "cursor", \.cursor, optional: .cursorText,
            "`next_cursor` of the page before, with the same parameters. Opaque."),
        Field(
            "action", \.action, optional: .choice, "Only changes of this kind.", example: .catalogueUpdate),
        Field("subject_id", \.subjectID, optional: .givenID, "Only changes of this object."),
        Field("token_id", \.tokenID, optional: .givenID, "Only changes made with this token."),
        Field(
            "actor", \.actor, optional: .text(1...200),
            "Only changes whose author's name contains this text, with its case.", example: "Zoë"),
        Field("from", \.from, optional: .day, "The first day, in UTC."),
        Field("to", \.to, optional: .day, "The last day, in UTC."),
        Field(
            "format", \.format, .choice, "`jsonl`: one row a line. `csv`: a table for a spreadsheet.", default: .json),
        Field(byteOrderMark: \.hasMark)
    ) { query, reading in
        reading.check(cursor: query.cursor, of: query.list)
        reading.check(from: query.from, to: query.to)
    }

    package var filter: AuditFilter {
        AuditFilter(
            action: action, subjectID: subjectID, tokenID: tokenID, actor: actor, days: DayRange(from: from, to: to))
    }
    /// The sequence of the last row on the previous page.
    package var after: Int64? { cursor.flatMap { PageCursor($0, of: list) }?.number }

    /// A page of `rows`, which contain one row more than `limit` if there is another page.
    package func page(_ rows: [AuditEntry]) -> ListPage<AuditEntry> {
        ListPage(rows, limit: limit, of: list, cursor: { PageCursor(number: $0.sequence) }, item: { $0 })
    }

    private var list: PageCursor.List {
        PageCursor.List(
            "audit", ids: 0, action?.rawValue, subjectID?.lowercased, tokenID?.lowercased, actor, from?.iso, to?.iso)
    }
}

extension AuditEntry: WireObject {
    package static let wire = WireSchema<AuditEntry>("AuditEntry") {
        Field("sequence", \.sequence, .integer(1...Int64.max), example: 4711)
        Field("happened_at", \.happenedAt, .instant)
        Field(
            "actor", \.shownActor?.name, nullable: .text(),
            "The token's name, or the user of the command line. Null in the history of an item without the permission "
                + "`audit.read`.", example: "Zoë, editor")
        Field("token_id", \.shownActor?.tokenID, nullable: .id)
        Field("request_id", \.shownActor?.requestID, nullable: .text(), example: "0f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e")
        Field("action", \.change.action, .text(1...Int.max), "`<area>.<verb>`.", example: "catalogue.update")
        Field("subject_id", \.change.subjectID, nullable: .id)
        Field(
            "before", \.change.before, .auditedState, "The state before; null when there was none.",
            example: #"{"name":"Netfix"}"#)
        Field(
            "after", \.change.after, .auditedState, "The state after; null when it was deleted.",
            example: #"{"name":"Netflix"}"#)
        Field(
            "hash", \.hashText, .text(pattern: "^[0-9a-f]{64}$"), "SHA-256 of the row before and of this one.",
            example: "9f2c5a7e1b3d4f60718293a4b5c6d7e8f9012a3b4c5d6e7f8091a2b3c4d5e6f7")
    }

    fileprivate static var exampleLine: String { String(decoding: wire.example.serialized(), as: UTF8.self) }
}

extension WireType where Value == String? {
    /// A state in the audit log: JSON as text, or nil.
    fileprivate static var auditedState: WireType {
        .written(["type": ["object", "array", "null"], "items": [:]], example: .null) { text, writer in
            if let text { writer.raw(text.utf8) } else { writer.null() }
        }
    }
}
