public import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
public import SubGuardDomain
import SubGuardEngine

extension StatementEncoding: ExpressibleByArgument {
    public init?(argument: String) { self.init(name: argument) }
}

/// The separator of a CSV file: an ASCII character that stands neither in numbers nor around texts.
struct StatementSeparator: ExpressibleByArgument {
    let character: Character

    init?(argument: String) {
        switch argument {
        case "tab", "\\t", "\t": character = "\t"
        default:
            guard argument.utf8.count == 1, let only = argument.first, only.isASCII, !only.isLetter, !only.isNumber,
                !only.isNewline, only != "\""
            else { return nil }
            character = only
        }
    }
}

extension DateOrder: ExpressibleByArgument {}

extension ImportCommand {
    func statementMapping() throws -> [String: StatementField] {
        var mapping: [String: StatementField] = [:]
        for pair in map {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let field = StatementField(rawValue: String(parts[1])) else {
                let names = StatementField.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("--map must be COLUMN=field; fields: \(names)")
            }
            mapping[String(parts[0])] = field
        }
        return mapping
    }

    private var acceptance: StatementAcceptance {
        switch accept {
        case nil: .none
        case "all": .all
        case "sure": .sure
        case let ids?: .chosen(Set(ids.lowercased().split(separator: ",").map { String($0).trimmedBlanks }))
        }
    }

    func runStatements() throws {
        let files = try files.map { StatementFile(name: $0, bytes: try Self.bytes($0)) }
        try Session.write(options, isDryRun: dryRun) { session in
            var importOptions = StatementImportOptions()
            importOptions.reading.mapping = try statementMapping()
            importOptions.reading.encoding = encoding
            importOptions.reading.dateOrder = dateOrder
            importOptions.reading.separator = separator?.character
            importOptions.reading.language = session.language
            importOptions.reading.currency = try currency.map { code in
                try session.checked { () throws(Fault) in try FieldRules.currency(code) }
            }
            importOptions.skipsBadRows = skipBad
            importOptions.isDryRun = dryRun
            importOptions.acceptance = acceptance
            if accept == nil, !dryRun, !session.isJSON, Invocation.current.canAsk {
                importOptions.isDryRun = true
                let seen = try importing(files, &importOptions, session)
                importOptions.isDryRun = false
                importOptions.acceptance = .chosen(session.ask(seen.proposals))
            }
            session.print(try importing(files, &importOptions, session), listsAll: all)
        }
    }

    /// Imports the files; on a terminal, asks for each column that cannot be told.
    private func importing(
        _ files: [StatementFile], _ importOptions: inout StatementImportOptions, _ session: Session
    ) throws -> StatementImportReport {
        while true {
            do {
                return try session.store.statements.importFiles(files, importOptions, at: session.moment)
            } catch let error as DeviceStoreError {
                guard !session.isJSON, Invocation.current.canAsk, case .invalid(let fault) = error,
                    fault.code == .required, let field = StatementField(rawValue: fault.pointer), field != .currency,
                    let column = session.askColumn(fault)
                else { throw error }
                importOptions.reading.mapping[column] = field
            }
        }
    }
}

extension String {
    fileprivate var trimmedBlanks: String { trimmingCharacters(in: .whitespaces) }
}

extension Session {
    /// The name or number of a column; nil for an empty answer.
    fileprivate func askColumn(_ fault: Fault) -> String? {
        StandardStream.output(TerminalText.line(language.sentence(fault.detail)) + "\n")
        StandardStream.output(text("Which column is it? Name or number, empty to stop: "))
        let answer = (readLine() ?? "").trimmedBlanks
        return answer.isEmpty ? nil : answer
    }

    /// Asks about each proposal on the terminal; the end of input answers no to the rest.
    fileprivate func ask(_ proposals: [StatementProposal]) -> Set<String> {
        var accepted: Set<String> = []
        var answersAll = false
        for proposal in proposals {
            if !answersAll {
                StandardStream.output(line(proposal) + "\n")
                StandardStream.output(text("Add it? [y]es, [n]o, [a]ll the rest, [q]uit: "))
                switch readLine()?.lowercased().first {
                // `o` is French for yes.
                case "y", "o": break
                case "a", "t": answersAll = true
                case "q", nil: return accepted
                default: continue
                }
            }
            accepted.insert(proposal.id)
        }
        return accepted
    }

    private func line(_ proposal: StatementProposal) -> String {
        let why = proposal.why.map { language.sentence($0.text) }.joined(separator: " ")
        return text(
            "\(proposal.id)  \(TerminalText.line(proposal.name)): \(money(proposal.amount)), \(proposal.cycle.displayName(language)), \(text(proposal.confidence.phrase))"
        ) + "\n    " + TerminalText.line(why)
    }

    /// - Parameter listsAll: whether to list regular payments that are not proposed.
    fileprivate func print(_ report: StatementImportReport, listsAll: Bool) {
        print(
            object: { report.write(to: &$0, listsAll: listsAll) },
            text: { (lines(report) + (listsAll ? excluded(report) : [])).joined(separator: "\n") })
    }

    private func excluded(_ report: StatementImportReport) -> [String] {
        guard !report.excluded.isEmpty else { return [text("No regular payments were left out.")] }
        return [text("Regular payments that are not proposed:")]
            + report.excluded.map { "  " + TerminalText.line($0.line(language)) }
    }

    private func lines(_ report: StatementImportReport) -> [String] {
        var lines: [String] = []
        for file in report.files {
            let format = "\(file.format.rawValue), \(file.encoding.rawValue)"
            lines.append(
                text("\(file.rows) entry in \(file.name) (\(format))|\(file.rows) entries in \(file.name) (\(format))"))
            if let layout = file.layout {
                lines.append("  " + columns(layout))
            } else if let dates = file.dates {
                lines.append("  " + text("dates \(dates.order.rawValue)"))
            }
            if file.dates?.isAssumed == true {
                lines.append(
                    "  "
                        + text(
                            "no row proves the order of the dates; if it is wrong, give --date-order dmy, mdy or ymd"))
            }
        }
        for note in report.files.flatMap(\.notes) {
            lines.append("  " + TerminalText.line(language.sentence(note.text)))
        }
        for row in report.refused { lines.append("  " + line(row)) }
        let counts: [Sentence] = [
            "\(report.accepted.count) subscription added|\(report.accepted.count) subscriptions added",
            "\(report.confirmed.count) charge confirmed|\(report.confirmed.count) charges confirmed",
            "\(report.refused.count) skipped|\(report.refused.count) skipped",
        ]
        lines.append((report.isDryRun ? text("dry run: ") : "") + list(counts))
        for change in report.priceChanges {
            lines.append(
                text(
                    "\(change.name): price \(money(change.to)) instead of \(money(change.from)) from \(day(change.on))")
            )
        }
        for charged in report.chargedAfterCancelling {
            let (name, amount) = (charged.name, money(charged.charge.amount))
            lines.append(text("\(name): still charged after cancelling, \(amount) on \(day(charged.charge.on))"))
        }
        for twice in report.chargedTwice {
            let (name, amount, on) = (
                TerminalText.line(twice.name), money(twice.charge.amount), day(twice.charge.on)
            )
            lines.append(
                twice.charge.isRefunded
                    ? text("\(name): charged twice, \(amount) again on \(on), which came back")
                    : text("\(name): charged twice, \(amount) again on \(on)"))
        }
        let open = report.proposals.filter { report.accepted[$0.id] == nil }
        if !open.isEmpty {
            lines.append(text("Recurring charges; add them with --accept all, sure or their ids:"))
            lines += open.map { line($0) }
        }
        return lines
    }

    /// `row 8, Date “31/02/2026”: Must be a date, such as 2027-01-15.`
    private func line(_ row: StatementImportReport.RefusedRow) -> String {
        let why = language.sentence(row.fault.detail)
        if row.column.isEmpty { return text("row \("\(row.row)"): \(why)") }
        return text("row \("\(row.row)"), \(TerminalText.line(row.column)) “\(TerminalText.line(row.value))”: \(why)")
    }

    /// `Libellé=description, Montant=amount; dates dmy, decimal mark ,`.
    private func columns(_ layout: StatementLayout) -> String {
        let used = layout.columns.filter { $0.field != .ignore }.map { "\($0.name)=\($0.field.rawValue)" }
        let mark = String(layout.decimalMark)
        let line = text(
            "columns \(used.joined(separator: ", ")); dates \(layout.dateOrder.rawValue); decimal mark \(mark)")
        return layout.chargesArePositive ? line + "; " + text("positive amounts are charges") : line
    }
}

extension StatementConfidence {
    fileprivate var phrase: Sentence {
        switch self {
        case .sure: "sure"
        case .likely: "likely"
        case .unsure: "unsure"
        }
    }
}

extension StatementImportReport {
    fileprivate func write(to json: inout JSONWriter, listsAll: Bool) {
        json.field("dry_run", isDryRun)
        json.array("files", files) { json, file in
            json.field("name", file.name)
            json.field("format", file.format.rawValue)
            json.field("encoding", file.encoding.rawValue)
            json.field("rows", file.rows)
            if let dates = file.dates {
                if file.layout == nil { json.field("date_order", dates.order.rawValue) }
                json.field("date_order_assumed", dates.isAssumed)
            }
            if !file.notes.isEmpty {
                json.key("notes")
                json.beginArray()
                for note in file.notes { json.string(note.text) }
                json.endArray()
            }
            guard let layout = file.layout else { return }
            json.field("separator", String(layout.separator))
            json.field("date_order", layout.dateOrder.rawValue)
            json.field("decimal_mark", String(layout.decimalMark))
            json.field("charges_are_positive", layout.chargesArePositive)
            json.array("columns", layout.columns) { json, column in
                json.field("name", column.name)
                json.field("field", column.field.rawValue)
            }
        }
        json.array("proposals", proposals) { json, proposal in
            json.field("id", proposal.id)
            json.field("name", proposal.name)
            json.field("payee", proposal.payee.display)
            json.key("catalogue_slug")
            if let slug = proposal.item?.slug { json.string(slug) } else { json.null() }
            json.field("cycle", proposal.cycle.wire)
            json.field("amount", proposal.amount.decimal)
            json.field("currency", proposal.amount.currency.code)
            json.field("confidence", proposal.confidence.rawValue)
            json.array("charges", proposal.charges) { json, charge in Self.write(charge, to: &json) }
            json.field("why", proposal.why.map(\.text).joined(separator: " "))
            json.key("subscription_id")
            if let id = accepted[proposal.id] { json.string(id.lowercased) } else { json.null() }
        }
        json.array("confirmed", confirmed) { json, confirmation in
            json.field("occurrence_id", confirmation.occurrence.wire)
            json.field("name", confirmation.name)
            Self.write(confirmation.charge, to: &json)
        }
        json.array("price_changes", priceChanges) { json, change in
            json.field("subscription_id", change.subscriptionID.lowercased)
            json.field("name", change.name)
            json.field("on", change.on.iso)
            json.field("from", change.from.decimal)
            json.field("to", change.to.decimal)
            json.field("currency", change.to.currency.code)
        }
        json.array("charged_after_cancelling", chargedAfterCancelling) { json, charged in
            json.field("subscription_id", charged.subscriptionID.lowercased)
            json.field("name", charged.name)
            Self.write(charged.charge, to: &json)
            json.field("currency", charged.charge.amount.currency.code)
        }
        json.array("charged_twice", chargedTwice) { json, twice in
            json.key("subscription_id")
            if let id = twice.subscriptionID ?? twice.proposalID.flatMap({ accepted[$0] }) {
                json.string(id.lowercased)
            } else {
                json.null()
            }
            json.key("proposal_id")
            if let id = twice.proposalID { json.string(id) } else { json.null() }
            json.field("name", twice.name)
            Self.write(twice.charge, to: &json)
            json.field("currency", twice.charge.amount.currency.code)
        }
        let aside = proposals.flatMap { proposal in proposal.setAside.map { (proposal: proposal, aside: $0) } }
        json.array("set_aside", aside) { json, element in
            json.field("proposal_id", element.proposal.id)
            json.field("name", element.proposal.name)
            Self.write(element.aside.charge, to: &json)
            json.field("currency", element.aside.charge.amount.currency.code)
            json.field("reason", element.aside.reason.rawValue)
        }
        if listsAll {
            json.array("excluded", excluded) { json, excluded in
                json.field("name", excluded.name)
                json.field("reason", excluded.reason.rawValue)
                json.field("payments", excluded.charges)
                Self.write(excluded.last, to: &json)
                json.field("currency", excluded.last.amount.currency.code)
            }
        }
        json.array("refused", refused) { json, row in
            json.field("file", row.file)
            json.field("row", row.row)
            json.field("field", row.fault.pointer)
            json.field("column", row.column)
            json.field("value", row.value)
            json.field("code", row.fault.code.rawValue)
            json.field("detail", row.fault.detail)
        }
    }

    private static func write(_ charge: StatementCharge, to json: inout JSONWriter) {
        json.field("on", charge.on.iso)
        json.field("amount", charge.amount.decimal)
        if charge.isRefunded { json.field("refunded", true) }
    }
}

extension JSONWriter {
    /// An array of objects.
    fileprivate mutating func array<Element>(
        _ name: String, _ elements: [Element], _ members: (inout JSONWriter, Element) -> Void
    ) {
        key(name)
        beginArray()
        for element in elements {
            beginObject()
            members(&self, element)
            endObject()
        }
        endArray()
    }
}
