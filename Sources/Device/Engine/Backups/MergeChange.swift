import Foundation
import SQLDatabase
public import SubGuardDomain

/// One value that a merge replaced.
public struct MergeChange: Sendable, Hashable {
    /// A value before or after the change.
    public enum Value: Sendable, Hashable {
        /// No value: an empty field, or no row.
        case none
        /// A text, a time in RFC 3339, or, in place of an id, the name of what it refers to.
        case text(String)
        /// An amount or price.
        case money(Money)
        /// A calendar day, such as the end of a trial.
        case day(CalendarDay)
        /// Yes or no, such as whether the amount varies.
        case flag(Bool)
        /// A number, such as the days of a notice period, or the bytes of a photo.
        case count(Int)
        /// How often a subscription is charged.
        case cycle(BillingCycle)
        /// Whether a subscription or budget is for work or personal.
        case scope(SubscriptionScope)
        /// The category of a subscription or budget.
        case category(SubscriptionCategory)
        /// The state that a subscription has from a day on.
        case state(SubscriptionState)
        /// How a subscription stands today; only in the facts of ``StoreDifferences/Side``.
        case status(SubscriptionStatus)
        /// Whether a charge was confirmed or skipped.
        case charge(OccurrenceFate)
        /// When a subscription has reminders.
        case reminders(ReminderPlan)
        /// How a cost is split among people.
        case split(SplitKind)
        /// The period of a budget.
        case period(Budget.Period)
        /// The parts of people.
        case parts([Part])

        /// The form of the contract.
        public var wire: String {
            switch self {
            case .none: "–"
            case .text(let text): text
            case .money(let amount): amount.description
            case .day(let day): day.iso
            case .flag(let flag): "\(flag)"
            case .count(let count): "\(count)"
            case .cycle(let cycle): cycle.wire
            case .scope(let scope): scope.rawValue
            case .category(let category): category.wire
            case .state(let state): state.wire
            case .status(let status): status.rawValue
            case .reminders(let plan): plan.wire.isEmpty ? Value.none.wire : plan.wire
            case .split(let kind): kind.rawValue
            case .period(let period): period.rawValue
            case .parts(let parts): parts.map(\.wire).joined(separator: ", ")
            case .charge(let fate): fate.status(billingOn: .earliest, today: .earliest).rawValue
            }
        }
    }

    /// What one person pays or bears.
    public struct Part: Sendable, Hashable {
        /// What a person bears.
        public enum Size: Sendable, Hashable {
            /// What a payer paid, or a part that was fixed as an amount.
            case amount(Money)
            /// A percentage in hundredths, as minor units of two decimals.
            case percent(Money)
            /// A number of shares, such as 2 where another person has 1.
            case count(Int64)
            /// An equal part.
            case none
        }

        /// The person's name; the first eight characters of their id when they are not in the database.
        public var name: String
        /// How much the person pays or bears.
        public var size: Size

        /// `Ana 12.50 EUR`, `Ana 25.00 %`.
        var wire: String {
            switch size {
            case .amount(let amount): "\(name) \(amount)"
            case .percent(let number): "\(name) \(number.decimal) %"
            case .count(let count): "\(name) \(count)"
            case .none: name
            }
        }
    }

    /// The name of the column, such as `amount`.
    public var column: String
    /// The value before the change.
    public var old: Value
    /// The value after the change.
    public var new: Value
}

/// Turns the values of a replaced register into what people know: amounts with their currency, names in place of ids.
struct MergeWords {
    /// Columns that people never see, or that are part of another one.
    private static let hidden: Set<String> = [
        "currency", "paid_currency", "acted_at", "tracked_from", "created_at", "position", "is_overruled",
        "decided", "avatar_kind", "content", "size", EntityTable.Column.isRemoved.name,
    ]

    private let session: any SQLSession
    private let table: EntityTable
    private let key: MergeRecord.Key
    private let columns: [EntityTable.Column]

    init(_ session: any SQLSession, _ table: EntityTable, _ key: MergeRecord.Key, _ register: String) {
        self.session = session
        self.table = table
        self.key = key
        let register = table.registers.first { $0.name == register }
        columns = register.map { Array(table.columns[$0.columns]) } ?? []
    }

    /// A description of the register's values, with the names of the database now; without any, of a missing row.
    func values(_ values: [MergeValue]) throws -> [(column: String, value: MergeChange.Value)] {
        try columns.filter { !Self.isHidden($0.name, of: table) }.map { column in
            (column.name, values.isEmpty ? .none : try value(column, values))
        }
    }

    /// Of a photo, its size stands for the file.
    static func isHidden(_ column: String, of table: EntityTable) -> Bool {
        guard table.name == EntityTables.personPhotos.name else { return hidden.contains(column) }
        return column != "size"
    }

    /// The values that differ.
    static func changes(
        from old: [(column: String, value: MergeChange.Value)], to new: [(column: String, value: MergeChange.Value)]
    ) -> [MergeChange] {
        zip(old, new).compactMap { old, new in
            old.value == new.value ? nil : MergeChange(column: old.column, old: old.value, new: new.value)
        }
    }

    private func raw(_ name: String, _ values: [MergeValue]) -> MergeValue {
        columns.firstIndex { $0.name == name }.flatMap { values.indices.contains($0) ? values[$0] : nil } ?? .null
    }

    private func value(_ column: EntityTable.Column, _ values: [MergeValue]) throws -> MergeChange.Value {
        if raw(EntityTable.Column.isRemoved.name, values) == .integer(1) { return .none }
        return switch (raw(column.name, values), column.kind) {
        case (.null, _): .none
        case (.integer(let days), .day): CalendarDay(daysSinceEpoch: Int(days)).map { .day($0) } ?? .none
        case (.integer(let milliseconds), .instant):
            .text(UTCInstant(millisecondsSinceEpoch: milliseconds).rfc3339)
        case (.integer(let number), _): numeric(number, column.name, values)
        case (.text(let text), _): try self.text(text, column.name, values)
        case (.bytes(let id), _): try name(id, column.name).map { .text($0) } ?? .none
        }
    }

    private func numeric(_ number: Int64, _ column: String, _ values: [MergeValue]) -> MergeChange.Value {
        switch column {
        case "amount": .money(Money(minorUnits: number, currency: currency("currency", values)))
        case "paid": .money(Money(minorUnits: number, currency: currency("paid_currency", values)))
        case "fate": OccurrenceFate(rawValue: Int(number)).map { .charge($0) } ?? .none
        case "state":
            raw("is_overruled", values) == .integer(1)
                ? .none : SubscriptionState(rawValue: Int(number)).map { .state($0) } ?? .none
        default: column.hasPrefix("is_") || column == "trial_converts" ? .flag(number != 0) : .count(Int(number))
        }
    }

    private func text(_ text: String, _ column: String, _ values: [MergeValue]) throws -> MergeChange.Value {
        switch column {
        // An empty text means no reminders.
        case "remind": return .reminders(try ReminderPlan(wire: text))
        case _ where text.isEmpty: return .none
        // The number of a colour, which initials had once.
        case "avatar_value" where Int(text) != nil: return .none
        case "split": return SplitKind(rawValue: text).map { .split($0) } ?? .text(text)
        case "period": return Budget.Period(rawValue: text).map { .period($0) } ?? .text(text)
        case "cycle": return BillingCycle(wire: text).map { .cycle($0) } ?? .text(text)
        case "scope": return SubscriptionScope(rawValue: text).map { .scope($0) } ?? .text(text)
        case "category" where table.name == "subscriptions" || table.name == "budgets":
            return .category(try SubscriptionCategory(text))
        case "payers": return .parts(try people(text, as: .exact, currency("currency", values)))
        case "parts":
            guard case .text(let kind) = raw("split", values), let kind = SplitKind(rawValue: kind) else {
                return .text(text)
            }
            return .parts(try people(text, as: kind, currency("currency", values)))
        default: return .text(text)
        }
    }

    private func people(
        _ text: String, as kind: SplitKind, _ currency: Currency
    ) throws -> [MergeChange.Part] {
        let (ids, numbers) = try PersonAmountText.read(text)
        return try ids.enumerated().map { index, id in
            let name = try name(id.rawBytes, "person_id") ?? String(id.lowercased.prefix(8))
            guard numbers.indices.contains(index) else { return MergeChange.Part(name: name, size: .none) }
            let number = Money(minorUnits: numbers[index], currency: kind == .exact ? currency : .eur)
            let size: MergeChange.Part.Size =
                switch kind {
                case .exact: .amount(number)
                case .percent: .percent(number)
                case .shares: .count(numbers[index])
                case .even, .free: .none
                }
            return MergeChange.Part(name: name, size: size)
        }
    }

    /// The currency in a column, or that of the subscription to which the row belongs.
    private func currency(_ column: String, _ values: [MergeValue]) -> Currency {
        if case .text(let code) = raw(column, values), let currency = Currency(code: code) { return currency }
        guard case .bytes(let id) = key.values[0], let id = UUID(rawBytes: id),
            let subscription = try? SubscriptionTable(session).find(id)
        else { return .eur }
        return subscription.price(on: key.day(in: table) ?? .latest).currency
    }

    private func name(_ id: [UInt8], _ column: String) throws -> String? {
        let sql =
            switch column {
            case "bundled_in", "replaced_by": "SELECT name FROM subscriptions WHERE id = ?"
            case "group_id": "SELECT name FROM groups WHERE id = ?"
            case "person_id", "from_id", "to_id": "SELECT name FROM people WHERE id = ?"
            default: "SELECT name FROM catalogue_items WHERE id = ?"
            }
        return try session.first(sql, [.blob(id)]) { try $0.text(0) } ?? UUID(rawBytes: id)?.lowercased
    }
}

extension MergeRecord.Key {
    /// The day in the key of a dated row.
    func day(in table: EntityTable) -> CalendarDay? {
        guard let place = table.key.firstIndex(where: { $0.kind == .day }), values.indices.contains(place),
            case .integer(let days) = values[place]
        else { return nil }
        return CalendarDay(daysSinceEpoch: Int(days))
    }
}
