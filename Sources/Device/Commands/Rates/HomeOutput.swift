import DeviceWords
import JSONWire
import SubGuardDomain
import SubGuardEngine

/// What a sum in the home currency adds up.
enum HomeSummands {
    case costs
    case annualCosts
    /// Those of budgets: what was spent can count for several of them.
    case limits
}

extension Session {
    /// Prints rows and, once a home currency is set, their sum in it: the JSON is then an object with `rows` and
    /// `home`, and the text has a line below.
    ///
    /// - Parameter summands: what the sum is of; a yearly cost has the cost of a month beside it.
    func emit(
        home: HomeSum?, of summands: HomeSummands = .costs, rows: (inout JSONWriter) throws -> Void,
        text: () throws -> String
    ) rethrows {
        guard let home else { return try emit(json: rows, text: text) }
        try print { json in
            json.key("rows")
            try rows(&json)
            json.home(home, isAnnual: summands == .annualCosts)
        } text: {
            ([try text()] + homeLines(home, of: summands)).joined(separator: "\n")
        }
    }

    /// The sum, its rates, and what could not be converted.
    func homeLines(_ home: HomeSum, of summands: HomeSummands = .costs) -> [String] {
        var lines: [String] = []
        if !home.rates.isEmpty || home.unconverted.isEmpty {
            let sum =
                switch summands {
                case .costs: text("together \(money(home.amount))")
                case .annualCosts: text("together \(money(home.amount)) per year, \(money(home.monthly)) per month")
                case .limits: text("limits together \(money(home.amount))")
                }
            let rates = home.rates.map { "\(number($0.rate.decimal)) \($0.currency.code) (\(day($0.on)))" }
            lines.append(rates.isEmpty ? sum : sum + text("; 1 EUR = \(rates.joined(separator: ", "))"))
        }
        if !home.unconverted.isEmpty {
            let codes = home.unconverted.map(\.code).joined(separator: ", ")
            lines.append(text("not converted, for want of a rate: \(codes); see `subguard rates --help`"))
        }
        return lines
    }
}

extension JSONWriter {
    /// A member `home` with the sum in the home currency.
    mutating func home(_ home: HomeSum, isAnnual: Bool = false) {
        object("home") { json in
            json.field("currency", home.home.code)
            json.field(isAnnual ? "annual" : "amount", home.amount.decimal)
            if isAnnual { json.field("monthly", home.monthly.decimal) }
            json.rates("rates", home.rates)
            json.codes("unconverted", home.unconverted)
        }
    }
}
