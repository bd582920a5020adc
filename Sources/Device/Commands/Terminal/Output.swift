import Foundation
package import JSONWire
import SubGuardDomain
import SubGuardEngine

extension Session {
    /// Prints one JSON document with `--json`, else the text.
    func emit(json: (inout JSONWriter) throws -> Void, text: () throws -> String) rethrows {
        if isJSON {
            var writer = JSONWriter(capacity: 4096)
            try json(&writer)
            StandardStream.json(String(decoding: writer.bytes, as: UTF8.self))
        } else {
            let text = TerminalText.masked(try text())
            if !text.isEmpty { StandardStream.output(text.hasSuffix("\n") ? text : text + "\n") }
        }
    }

    /// Prints a list: an array of objects with `--json`, else a table, or the line `empty` when there are no rows.
    ///
    /// - Parameters:
    ///   - width: of the table on a terminal; programs get all of it.
    ///   - home: the sum of the list in the home currency; see ``emit(home:of:rows:text:)``.
    ///   - note: lines below the table, each after a line end.
    func print<Row>(
        _ rows: [Row], json: (Row, inout JSONWriter) throws -> Void, empty: Sentence, width: Int? = nil,
        flexible: [Int] = [0], optional: [Int] = [], home: HomeSum? = nil, sumOf summands: HomeSummands = .costs,
        note: String = "", _ columns: [ListColumn<Row>]
    ) rethrows {
        try emit(home: home, of: summands) { writer in
            try writer.array(rows) { try json($1, &$0) }
        } text: {
            guard !rows.isEmpty else { return text(empty) }
            let isShown = Invocation.current.isTerminal(STDOUT_FILENO)
            var table = TextTable(
                columns.map { ($0.heading.map { text($0) } ?? "id", $0.alignment) }, width: isShown ? width : nil,
                flexible: flexible,
                optional: optional)
            for row in rows { table.add(columns.map { $0.cell(row) }) }
            return table.text(style) + note
        }
    }

    /// Prints a JSON object with `--json`, else the text.
    package func print(object: (inout JSONWriter) throws -> Void, text: () throws -> String) rethrows {
        try emit(json: { try $0.object(object) }, text: text)
    }

    /// Prints the id of something just created: an object that begins with it with `--json`, else the id alone.
    func print(id: UUID, _ fields: (inout JSONWriter) throws -> Void = { _ in }) rethrows {
        try print(
            object: { writer in
                writer.field("id", id.lowercased)
                try fields(&writer)
            }, text: { id.lowercased })
    }

    func yesOrNo(_ isTrue: Bool) -> String { isTrue ? text("yes") : text("no") }

    /// Deletes something, and prints that it was.
    ///
    /// - Parameters:
    ///   - name: of a thing that is there.
    ///   - json: what else changed.
    ///   - text: the same in words; nil for nothing.
    func delete(
        _ id: UUID, _ name: (UUID) throws -> String, by delete: (UUID, Moment) throws -> Void,
        json: (inout JSONWriter) -> Void = { _ in }, text sentence: () -> Sentence? = { nil }
    ) throws {
        // What is not there is refused by the deletion.
        let name = (try? name(id)) ?? id.lowercased
        try delete(id, moment)
        print(
            object: { writer in
                writer.field("id", id.lowercased)
                writer.field("deleted", true)
                json(&writer)
            }, text: { text("deleted \(name)") + (sentence().map { "\n" + text($0) } ?? "") })
    }
}

extension JSONWriter {
    mutating func money(_ amount: Money) {
        field("amount", amount.decimal)
        field("currency", amount.currency.code)
    }

    mutating func fields(_ occurrence: Occurrence) {
        field("occurrence_id", occurrence.id.wire)
        field("subscription_id", occurrence.id.subscriptionID.lowercased)
        field("name", occurrence.name)
        money(occurrence.amount)
        field("billing_on", occurrence.billingOn.iso)
        field("status", occurrence.status.rawValue)
    }

    /// - Parameter cancelsOn: the first day of a cancellation that is in force; nil to give only one that is still to
    ///   come.
    mutating func fields(_ summary: SubscriptionSummary, cancelsOn: CalendarDay? = nil) {
        field("id", summary.id.lowercased)
        field("name", summary.name)
        money(summary.amount)
        field("cycle", summary.cycle.wire)
        field("next_billing_on", summary.nextBillingOn?.iso)
        field("scope", summary.scope.rawValue)
        field("category", summary.category.wire)
        field("status", summary.status.rawValue)
        field("annual_amount", summary.annualAmount.decimal)
        field("monthly_amount", summary.monthlyAmount.decimal)
        // The first day of a cancellation, planned or in force.
        field("cancels_on", (cancelsOn ?? summary.cancelsOn)?.iso)
        field("bundled", summary.isBundled)
    }
}
