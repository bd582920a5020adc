public import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
public import SubGuardDomain
import SubGuardEngine
import SubGuardStatementImport
import SubGuardStatements

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
extension DecimalMark: ExpressibleByArgument {}

extension ImportCommand {
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
            importOptions.reading.mapping = try mapping()
            importOptions.reading.encoding = encoding
            importOptions.reading.dateOrder = dateOrder
            importOptions.reading.separator = separator?.character
            importOptions.reading.decimalMark = decimalMark
            importOptions.reading.language = session.language
            importOptions.reading.currency = try currency.map { code in
                try FieldRules.currency(code)
            }
            importOptions.skipsBadRows = skipBad
            importOptions.isDryRun = dryRun
            importOptions.acceptance = acceptance
            if accept == nil, !dryRun, !session.isJSON, Invocation.current.canAsk {
                importOptions.isDryRun = true
                let seen = try importing(files, &importOptions, session)
                importOptions.isDryRun = false
                let probable = Set(seen.corrections.map(\.proposal.id))
                importOptions.acceptance = .chosen(session.ask(seen.proposals.filter { !probable.contains($0.id) }))
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
                guard !session.isJSON, Invocation.current.canAsk, let fault = error.faults.first,
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
            """
            \(proposal.id)  \(TerminalText.line(proposal.name)): \(money(proposal.amount)), \
            \(proposal.cycle.phrase(language)), \(text(proposal.confidence.phrase))
            """
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
            + report.excluded.map { "  " + TerminalText.line(text(sentence($0))) }
    }

    private func lines(_ report: StatementImportReport) -> [String] {
        var lines: [String] = []
        for file in report.files {
            let (name, format) = (TerminalText.line(file.name), "\(file.format.rawValue), \(file.encoding.rawValue)")
            lines.append(
                text("\(file.rows) entry in \(name) (\(format))|\(file.rows) entries in \(name) (\(format))"))
            if let layout = file.layout {
                lines.append("  " + columns(layout, file.dates))
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
        if report.files.contains(where: \.isDecimalMarkAssumed) {
            lines.append("  " + text("if the decimal mark is wrong, give --decimal-mark point or comma"))
        }
        for row in report.refused {
            lines.append("  " + (report.files.count > 1 ? TerminalText.line(row.file) + ", " : "") + line(row))
        }
        lines += counts(report)
        for refund in report.refunds { lines += self.lines(refund) }
        for correction in report.corrections { lines += self.lines(correction, report) }
        for change in report.priceChanges {
            lines.append(
                text(
                    "\(change.name): price \(money(change.to)) instead of \(money(change.from)) from \(day(change.on))")
            )
        }
        for other in report.otherAmounts {
            lines.append(TerminalText.line(text(sentence(other))))
            guard !other.isOlder else { continue }
            let command =
                "subguard price \(ShellWord.quoted(other.name)) --amount \(other.amount.decimal) --from \(other.on.iso)"
            lines.append("  " + TerminalText.line(text("if it is the new price: \(command)")))
        }
        lines += report.chargedAfterCancelling.map { TerminalText.line(text(sentence($0))) }
        lines += report.chargedTwice.map { TerminalText.line(text(sentence($0))) }
        let added = report.proposals.filter { report.accepted[$0.id] != nil }
        if !added.isEmpty {
            lines.append(report.isDryRun ? text("Would be added:") : text("Added:"))
            lines += added.map { line($0) }
        }
        let probable = Set(report.corrections.map(\.proposal.id))
        let open = report.proposals.filter { report.accepted[$0.id] == nil && !probable.contains($0.id) }
        if !open.isEmpty {
            lines.append(text("Recurring charges; add them with --accept all, sure or their ids:"))
            lines += open.map { line($0) }
        }
        return lines
    }

    /// What is stored, what the statement says, and how to decide otherwise.
    private func lines(_ correction: StatementCorrection, _ report: StatementImportReport) -> [String] {
        let (stored, proposal) = (correction.subscription, correction.proposal)
        guard report.accepted[proposal.id] == nil else { return [] }
        let (name, id, count) = (TerminalText.line(stored.name), proposal.id, proposal.charges.count)
        let (old, new) = (money(correction.price), money(proposal.amount))
        let cycle = proposal.cycle.phrase(language)
        let what =
            report.corrected.contains(correction.id)
            ? text("\(name): corrected to \(new), \(cycle), instead of \(old)")
            : text("\(name): entered with \(old); the file has \(new), \(cycle)")
        let charges = text("\(count) charge|\(count) charges")
        return [text("\(what); \(charges)"), "  " + text("if it is another subscription: --accept \(id)")]
    }

    /// What was done, what the rest is, and, where there is nothing, that there is nothing.
    private func counts(_ report: StatementImportReport) -> [String] {
        var counts: [Sentence] = [
            "\(report.accepted.count) subscription added|\(report.accepted.count) subscriptions added",
            "\(report.charged) charge confirmed|\(report.charged) charges confirmed",
        ]
        let back = report.confirmed.count - report.charged
        if back > 0 { counts.append("\(back) charge refunded|\(back) charges refunded") }
        counts.append("\(report.refusedCount) row skipped|\(report.refusedCount) rows skipped")
        var lines = [(report.isDryRun ? text("dry run: ") : "") + list(counts)]
        if report.hasNothingRecurring {
            lines.append(text("No recurring charge was found."))
        } else if report.hasNothingNew {
            lines.append(text("All recurring charges are there already; nothing was changed."))
        }
        return lines + report.knownPhrases.map { TerminalText.line(text($0)) }
    }

    /// With what corrects a charge that stays.
    private func lines(_ refund: StatementRefund) -> [String] {
        let line = TerminalText.line(text(sentence(refund)))
        guard refund.effect == .kept, let id = refund.occurrence, let charge = refund.charge else { return [line] }
        let occurrence = ShellWord.quoted("\(refund.name):\(id.billingOn.iso)")
        let command =
            charge.isRefunded
            ? "subguard skip \(occurrence)" : "subguard paid \(occurrence) --amount \(charge.paid.decimal)"
        return [line, "  " + TerminalText.line(text("to correct it: \(command)"))]
    }

    /// `row 8, Date “31/02/2026”: Must be a date, such as 2027-01-15.`
    private func line(_ row: StatementImportReport.RefusedRow) -> String {
        let why = language.sentence(row.fault.detail)
        if row.column.isEmpty { return text("row \("\(row.row)"): \(why)") }
        return text("row \("\(row.row)"), \(TerminalText.line(row.column)) “\(TerminalText.line(row.value))”: \(why)")
    }

    /// `columns Libellé=description, Montant=amount; dates dmy; decimal mark ,`, without dates that need no order.
    private func columns(_ layout: StatementLayout, _ dates: StatementDateReading?) -> String {
        let used = layout.columns.filter { $0.field != .ignore }.map {
            "\(RefusedBooking.shown($0.name))=\($0.field.rawValue)"
        }
        let mark = String(layout.decimalMark.character)
        var parts = [text("columns \(used.joined(separator: ", "))")]
        if let dates { parts.append(text("dates \(dates.order.rawValue)")) }
        parts.append(text("decimal mark \(mark)"))
        if layout.chargesArePositive { parts.append(text("positive amounts are charges")) }
        return parts.dropFirst().reduce(parts[0]) { line, part in text("\(line); \(part)") }
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
