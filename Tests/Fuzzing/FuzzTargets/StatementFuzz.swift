import Foundation
import SubGuardDomain
import SubGuardStatements

/// Input: one byte for the options, then a bank statement of the target's format.
enum StatementFuzz {
    static func run(_ input: [UInt8], _ format: StatementFormat) throws(BrokenPromise) {
        guard let first = input.first else { return }
        var options = StatementOptions()
        if first & 1 == 0 { options.currency = first & 2 == 0 ? .eur : .jpy }
        if first & 4 != 0 { options.dateOrder = .mdy }
        if first & 8 != 0 { options.encoding = .windows1252 }
        if first & 16 != 0 { options.mapping = ["1": .date, "2": .payee, "3": .amount] }
        if first & 32 != 0 { options.language = .french }
        if first & 64 != 0 { options.separator = "|" }
        let file = file(Array(input.dropFirst()), format)
        if let sample = try? Statement.sample(file, options) {
            try hold(sample.rows.allSatisfy { $0.cells.count == sample.fields.count }, "a row that has other columns")
        }
        guard let statement = try? Statement.read(file, options) else { return }
        for booking in statement.bookings {
            try hold(booking.row >= 1, "a row before the first")
            try hold(abs(booking.amount.minorUnits) <= 1_000_000_000_000_000, "an amount beyond the bound")
        }
        try hold(statement.refused.allSatisfy { $0.row >= 1 }, "a refused row before the first")
        let found = RecurringCharges(statement.bookings, catalogue: PayeeCatalogue([])).proposals()
        for proposal in found { try check(proposal, statement.bookings) }
        try hold(
            found == RecurringCharges(statement.bookings.reversed(), catalogue: PayeeCatalogue([])).proposals(),
            "proposals that depend on the order of the file")
    }

    /// The input with what makes its format known.
    private static func file(_ input: [UInt8], _ format: StatementFormat) -> [UInt8] {
        switch format {
        case .csv: input
        case .ofx: Array("<OFX>".utf8) + input + Array("</OFX>".utf8)
        case .qif: Array("!Type:Bank\n".utf8) + input
        case .camt: Array("<Document><BkToCstmrStmt>".utf8) + input
        case .mt940: Array(":20:1\n:25:1\n:60F:C260101EUR0,\n".utf8) + input + Array("\n:62F:C270101EUR0,\n".utf8)
        case .xlsx: workbook(input)
        }
    }

    /// An archive as it is, or one made of the parts between zeros: strings, styles, and a sheet.
    private static func workbook(_ input: [UInt8]) -> [UInt8] {
        guard !input.starts(with: Array("PK".utf8)) else { return input }
        let names = ["xl/sharedStrings.xml", "xl/styles.xml", "xl/worksheets/sheet1.xml"]
        let parts = input.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        let book = Array("<workbook><sheets><sheet r:id='1'/></sheets></workbook>".utf8)
        return StoredZip.bytes([("xl/workbook.xml", book)] + zip(names, parts).map { ($0, Array($1)) })
    }

    private static func check(_ proposal: StatementProposal, _ bookings: [StatementBooking]) throws(BrokenPromise) {
        try hold(!proposal.charges.isEmpty && proposal.charges.count <= bookings.count, "charges lost or invented")
        try hold(proposal.charges.allSatisfy { $0.amount.minorUnits > 0 }, "a charge that is none")
        let days = proposal.charges.map(\.on)
        try hold(days == days.sorted(), "charges out of order")
        for charge in proposal.charges {
            let due = proposal.due(charge)
            try hold(abs(due.days(until: charge.on)) <= 31, "a charge far from the day that it is for")
        }
        guard let last = days.last else { return }
        let made = try? proposal.subscription(id: UUID(), today: last, now: UTCInstant(secondsSinceEpoch: 0))
        try hold(made != nil, "a proposal that is no subscription")
    }
}
