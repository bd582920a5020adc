import ArgumentParser
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct BudgetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "budget", abstract: "Limits for a month or a year.",
        subcommands: [Set.self, List.self, Delete.self])

    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sets the limit for a category, or for all, and prints its id.")

        @Option(parsing: .unconditional, help: "The limit.") var amount: String
        @Option(help: "An ISO 4217 code, such as EUR.") var currency: String
        @Option(help: "pro, personal or a name; without it, all categories.") var category: String?
        @Option(help: "month or year.") var period = Budget.Period.month
        @OptionGroup var options: GlobalOptions

        func run() throws {
            try Session.write(options) { session in
                let budget = try session.store.budgets.set(
                    category: category, amount: amount, currency: currency, period: period, at: session.moment)
                session.print(id: budget.id) { json in
                    json.field("category", budget.category?.wire)
                    json.field("limit", budget.limit.decimal)
                    json.field("currency", budget.limit.currency.code)
                    json.field("period", budget.period.rawValue)
                }
            }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Budgets and how they stand.")

        @OptionGroup var options: GlobalOptions

        func run() throws {
            try Session.read(options) { session in
                session.print(
                    try session.store.budgets.list(at: session.moment),
                    json: { standing, json in
                        json.field("id", standing.budget.id.lowercased)
                        json.field("category", standing.budget.category?.wire)
                        json.field("currency", standing.budget.limit.currency.code)
                        json.field("period", standing.budget.period.rawValue)
                        json.field("limit", standing.budget.limit.decimal)
                        json.field("spent", standing.spent.decimal)
                        json.field("expected", standing.expected.decimal)
                        json.field("remaining", standing.remaining.decimal)
                        json.field("state", standing.state.rawValue)
                    },
                    columns: [
                        ("id", .left), (session.text("category", "catégorie"), .left),
                        (session.text("limit", "limite"), .right), (session.text("spent", "dépensé"), .right),
                        (session.text("to come", "à venir"), .right), (session.text("state", "état"), .left),
                    ], empty: session.text("No budget is set.", "Aucun budget n'est fixé.")
                ) { standing in
                    let colours: [BudgetStanding.State: TerminalStyle.Colour] = [
                        .within: .green, .atRisk: .orange, .exceeded: .red,
                    ]
                    return [
                        .init(standing.budget.id.lowercased, .grey),
                        .init(
                            standing.budget.category?.displayName(session.language) ?? session.text("all", "toutes")),
                        .init(session.money(standing.budget.limit)), .init(session.money(standing.spent)),
                        .init(session.money(standing.expected)),
                        .init(standing.state.rawValue, colours[standing.state]),
                    ]
                }
            }
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Takes a limit away.")

        @Argument(help: "Its id, or the beginning of it.") var id: String
        @OptionGroup var options: GlobalOptions

        func run() throws {
            try Session.write(options) { session in
                let id = try session.budgetID(id)
                try session.store.budgets.delete(id, at: session.moment)
                session.print(deleted: id)
            }
        }
    }
}
