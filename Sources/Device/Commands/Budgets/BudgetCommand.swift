import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct BudgetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "budget", abstract: "Manage spending limits per month or year.",
        subcommands: [Set.self, List.self, Delete.self], defaultSubcommand: List.self)

    struct Set: WriteCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set the limit for a scope, a category or all subscriptions, and print its id.")

        @Option(parsing: .unconditional, help: "The limit, such as 100 or \"100 €\".") var amount: String
        @Option(help: "Currency code, such as EUR. Default: that of the amount, else the one in use.")
        var currency: String?
        @Option(help: "Only pro or only personal subscriptions.") var scope: String?
        @Option(help: "Only subscriptions in this category.") var category: String?
        @Option(help: "month or year.") var period = Budget.Period.month
        @Option(
            help: """
                First day of the period, such as pay day: 25 for a month, 04-06 for a year. A shorter month begins on \
                its last day. Default: that of the budget it replaces, else the first.
                """)
        var begins: String?
        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) throws {
            var reader = ArgumentReader()
            let code = try session.currencyCode(currency, of: amount)
            let limit = try reader.money(session, amount, code)
            for (field, scope, category) in [("scope", scope, nil), ("category", nil, category)] {
                _ = try reader.read(field) {
                    try Budget.Target(scope: scope, category: category)
                }
            }
            _ = try reader.read("begins") {
                try Budget.Start(begins ?? "", period)
            }
            try reader.finish()
            guard let limit else { return }
            let budget = try session.store.budgets.set(
                scope: scope, category: category, amount: limit.decimal, currency: code, period: period,
                begins: begins, at: session.moment)
            session.print(id: budget.id) { budget.write(to: &$0) }
        }
    }

    struct List: ReadCommand {
        static let configuration = CommandConfiguration(abstract: "List budgets with the amounts spent and still due.")

        @OptionGroup var net: NetOption
        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) throws {
            let budgets = try session.store.budgets.list(isNet: net.net, at: session.moment)
            // Together, the limits: what was spent can count for several of them.
            let addsUp = Self.addsUp(budgets.map(\.budget))
            let home = try session.store.rates.coming(addsUp ? budgets.map(\.budget.limit) : [], at: session.moment)
            session.print(
                budgets,
                json: { status, json in
                    json.field("id", status.budget.id.lowercased)
                    json.field("scope", status.budget.target.scope?.rawValue)
                    json.field("category", status.budget.target.category?.wire)
                    json.field("currency", status.budget.limit.currency.code)
                    json.field("period", status.budget.period.rawValue)
                    json.field("begins", status.budget.begins.wire(status.budget.period))
                    let range = status.budget.range(around: session.moment.today)
                    json.field("from", range.lowerBound.iso)
                    json.field("through", range.upperBound.iso)
                    json.field("limit", status.budget.limit.decimal)
                    json.field("spent", status.spent.decimal)
                    json.field("expected", status.expected.decimal)
                    json.field("remaining", status.remaining.decimal)
                    json.field("state", status.state.rawValue)
                    json.field("uncounted", JSONValue.array(status.uncounted.map { .string($0.code) }))
                    net.write(to: &json)
                }, empty: "No budgets yet.", home: budgets.isEmpty && !session.isJSON ? nil : home,
                sumOf: addsUp ? .limits : .noLimits, note: try net.note(session) + Self.note(session, budgets),
                [
                    .id { $0.budget.id }, .text("limit for") { session.name($0.budget.target) },
                    .text("until") { session.day($0.budget.range(around: session.moment.today).upperBound) },
                    .number("limit") { session.money($0.budget.limit) },
                    .number("spent") { session.money($0.spent) }, .number("to come") { session.money($0.expected) },
                    .text("state", { $0.state.colour }) { $0.state.displayName(session.language) },
                ])
        }

        /// Whether the limits are for one period, and no charge counts for two of them: each counts those in its own
        /// currency.
        private static func addsUp(_ budgets: [Budget]) -> Bool {
            guard Swift.Set(budgets.map(\.period)).count <= 1 else { return false }
            return Dictionary(grouping: budgets, by: \.limit.currency).values.allSatisfy { budgets in
                budgets.count == 1 || budgets.allSatisfy { $0.target.scope != nil }
                    || budgets.allSatisfy { $0.target.category != nil }
            }
        }

        /// A line below the sums for charges in other currencies than those of the budgets.
        private static func note(_ session: Session, _ budgets: [BudgetStatus]) -> String {
            let codes = Swift.Set(budgets.flatMap(\.uncounted)).map(\.code).sorted().joined(separator: ", ")
            guard !codes.isEmpty else { return "" }
            return "\n" + session.text("a budget counts charges in its own currency; there are others in \(codes)")
        }
    }

    struct Delete: WriteCommand {
        static let configuration = CommandConfiguration(abstract: "Delete a limit.")

        @Argument(help: "What the budget is for, such as \"Streaming\", or its id.") var id: String
        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) throws {
            try session.delete(
                session.budgetID(id),
                { id in
                    try session.store.budgets.list(at: session.moment).first { $0.budget.id == id }
                        .map { session.text("budget: \(session.name($0.budget))") } ?? id.lowercased
                }, by: session.store.budgets.delete)
        }
    }
}

extension BudgetStatus.State {
    fileprivate var colour: TerminalStyle.Colour {
        switch self {
        case .within: .green
        case .atRisk: .orange
        case .exceeded: .red
        }
    }
}

extension Session {
    /// The currency that was given, else the one that stands beside the amount, else the one in use. Throws a usage
    /// error when there is none.
    fileprivate func currencyCode(_ given: String?, of amount: String) throws -> String {
        if let code = try given ?? statedCurrency(amount) { return code }
        guard let usual = try namedCurrencies().first else { throw Self.missingCurrency }
        return usual.code
    }

    /// The currency that was given, else the one that stands beside the amount. Throws a usage error when there is
    /// none.
    func requireCurrency(_ given: String?, of amount: String) throws -> String {
        if let code = try given ?? statedCurrency(amount) { return code }
        // What is no amount is refused whatever the currency.
        guard AmountText.read(amount) == nil else { throw Self.missingCurrency }
        return Currency.eur.code
    }

    private static var missingCurrency: ValidationError { ValidationError("Missing expected argument '--currency'") }

    func statedCurrency(_ amount: String) throws -> String? {
        try AmountText.read(amount)?.sign?.requireCurrency(preferring: namedCurrencies()).code
    }

    /// What a budget is for, with its limit.
    func name(_ budget: Budget) -> String { "\(name(budget.target)) \(money(budget.limit))" }

    /// What a limit is for: a scope, a category, or all.
    func name(_ target: Budget.Target) -> String {
        switch target {
        case .all: text("all subscriptions")
        case .scope(let scope): scope.displayName(language)
        case .category(let category): category.displayName(language)
        }
    }
}
