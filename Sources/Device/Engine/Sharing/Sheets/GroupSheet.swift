public import Foundation
public import SubGuardDomain

/// The expenses and repayments of a group with the names of its people, to be exchanged with Spliit.
public struct GroupSheet: Sendable, Hashable {
    /// An expense, or a repayment between two people.
    public struct Entry: Sendable, Hashable {
        /// The id in the file; nil in CSV, which has none.
        public var id: String?
        /// Where it stands in the file, such as `line 3`, for faults.
        public var place: String
        /// The day of the expense or repayment.
        public var on: CalendarDay
        /// What it was for, as the file has it.
        public var title: String
        /// The category in the words of the program; empty for none.
        public var category = ""
        /// Further text; empty for none.
        public var notes = ""
        /// What was paid in all; positive.
        public var amount: Money
        /// Whether the one payer gave the amount to the one other person.
        public var isRepayment = false
        /// The minor units that each paid, by name; the sum is ``amount``.
        public var payers: [Part]
        /// How the amount is split among ``parts``.
        public var split: SplitKind
        /// Who shares it, by name, with the weights of `Split`; weights of even splits are 0.
        public var parts: [Part]
    }

    /// What one person bears of an entry.
    public struct Part: Sendable, Hashable {
        /// The person's name in the sheet.
        public var name: String
        /// Minor units of a payer; of others, the weight of the split: see `Split.weights`.
        public var number: Int64
    }

    /// The group's id in the file; nil in CSV, which has none.
    public var id: String?
    /// The name of the group: that of the file, else the one that was given to read it.
    public var name: String
    /// The people of the group, in its order.
    public var people: [String]
    /// Expenses and repayments, in the order of the file; oldest first in the sheet of a group.
    public var entries: [Entry]
    /// The program that wrote it.
    public var source = SheetSource.spliit
    /// Rows that change no balance and do not say who paid; they are not among ``entries``.
    public var rowsWithoutEffect = 0
}

/// The programs whose sheets are read.
public enum SheetSource: String, Sendable, Hashable, CaseIterable {
    /// Spliit: its CSV or JSON export.
    case spliit
    /// Splitwise: its CSV export.
    case splitwise
    /// Cospend: its CSV export.
    case cospend
    /// IHateMoney: its CSV or JSON export.
    case ihatemoney
}

/// What an import of a sheet brought.
public struct SheetImport: Sendable, Hashable {
    /// The group that has the entries now, whether it is new or was there.
    public var groupID: UUID
    /// How many expenses were added.
    public var expenses = 0
    /// How many repayments were added.
    public var repayments = 0
    /// Entries that the group has already.
    public var known = 0
    /// The people who were added, by name.
    public var people: [String] = []
}

extension GroupSheet.Entry {
    /// One entry for each payer, as Spliit has only one: the parts of each add up to those of the whole.
    func byPayer() throws(Fault) -> [GroupSheet.Entry] {
        guard payers.count > 1 else { return [self] }
        var rest = try shares()
        var entries: [GroupSheet.Entry] = []
        for (index, payer) in payers.enumerated() {
            let amount = Money(minorUnits: payer.number, currency: amount.currency)
            var own = rest
            if index < payers.count - 1 {
                let whole = rest.reduce(0) { $0 + $1.number }
                var left = payer.number
                for place in own.indices {
                    let (high, low) = rest[place].number.multipliedFullWidth(by: payer.number)
                    own[place].number = min(left, whole == 0 ? 0 : whole.dividingFullWidth((high, low)).quotient)
                    left -= own[place].number
                }
                for place in own.indices where left > 0 {
                    let more = min(left, rest[place].number - own[place].number)
                    own[place].number += more
                    left -= more
                }
            }
            for place in rest.indices { rest[place].number -= own[place].number }
            var entry = self
            entry.amount = amount
            entry.payers = [payer]
            entry.split = .exact
            entry.parts = own.filter { $0.number > 0 }
            entries.append(entry)
        }
        return entries
    }

    /// The minor units that each person bears, by name.
    func shares() throws(Fault) -> [GroupSheet.Part] {
        // The ids only tell the names apart.
        let people = parts.map { DerivedID.of($0.name) }
        let split = Split(kind: split, people: people, weights: split == .even ? [] : parts.map(\.number))
        return zip(parts, try split.parts(of: amount)).map { GroupSheet.Part(name: $0.name, number: $1.minorUnits) }
    }

    /// What makes two entries the same to a reader of both files: day, title, amount and people.
    var likeness: String {
        let shared =
            split == .even ? parts.map(\.name) : ((try? shares()) ?? parts).filter { $0.number > 0 }.map(\.name)
        let head = [on.iso, isRepayment ? "" : title, amount.currency.code, "\(amount.minorUnits)", "\(isRepayment)"]
        return (head + payers.map { "\($0.name)=\($0.number)" }.sorted() + ["|"] + shared.sorted())
            .joined(separator: "\u{1F}")
    }

    /// An income of the amount, which the one payer received for the people of the split: they have paid it, and the
    /// payer bears it, which leaves the same balances.
    func received() throws(Fault) -> GroupSheet.Entry {
        guard let holder = payers.first, payers.count == 1 else {
            throw Fault("payers", .outOfRange, "One person must have received an income.")
        }
        var entry = self
        entry.payers = try shares().filter { $0.number > 0 }
        entry.split = .even
        entry.parts = [GroupSheet.Part(name: holder.name, number: 0)]
        entry.isRepayment = false
        return entry
    }
}
