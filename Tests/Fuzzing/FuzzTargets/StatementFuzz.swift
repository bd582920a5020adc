import Foundation
import SubGuardDomain

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
        if let sample = try? Statement.sample(start(format) + input.dropFirst(), options) {
            try hold(sample.rows.allSatisfy { $0.cells.count == sample.fields.count }, "a row that has other columns")
        }
        guard let statement = try? Statement.read(start(format) + input.dropFirst(), options) else { return }
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

    /// What makes the format known.
    private static func start(_ format: StatementFormat) -> [UInt8] {
        switch format {
        case .csv: []
        case .ofx: Array("<OFX>".utf8)
        case .qif: Array("!Type:Bank\n".utf8)
        case .camt: Array("<Document><BkToCstmrStmt>".utf8)
        }
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
