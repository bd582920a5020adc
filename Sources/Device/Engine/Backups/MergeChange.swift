import Foundation
import SQLDatabase
public import SubGuardDomain
import SubGuardSQL

/// One value that a merge replaced.
public struct MergeChange: Sendable, Hashable {
    /// A value before or after the change.
    public enum Value: Sendable, Hashable {
        case none
        case text(String)
        case money(Money)
        case day(CalendarDay)
        case flag(Bool)
        case count(Int)
        case cycle(BillingCycle)
        case scope(SubscriptionScope)
        case category(SubscriptionCategory)
        case state(SubscriptionState)
        case status(SubscriptionStatus)
        case charge(OccurrenceFate)
        case reminders(ReminderPlan)
        case split(SplitKind)
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
            case amount(Money)
            /// A percentage in hundredths, as minor units of two decimals.
            case percent(Money)
            case count(Int64)
            /// An equal part.
            case none
        }

        public var name: String
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
    public var old: Value
    public var new: Value
}

/// Turns the values of a replaced register into what people know: amounts with their currency, names in place of ids.
struct MergeWords {
    /// Columns that people never see, or that are part of another one.
    private static let hidden: Set<String> = [
        "currency", "paid_currency", "acted_at", "tracked_from", "created_at", "position", "is_overruled",
        "avatar_kind", "content", "size", EntityTable.Column.isRemoved.name,
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
