import ArgumentParser
import DeviceWords
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct RatesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rates", abstract: "Manage exchange rates, for sums in your home currency.",
        discussion: """
            Set the home currency with `subguard settings set home_currency EUR`. Rates are units of a currency for \
            one euro, as the European Central Bank publishes them.
            """,
        subcommands: [Import.self, Set.self, Status.self], defaultSubcommand: Status.self)

    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Import reference rates of the European Central Bank.",
            discussion: """
                Reads eurofxref-hist.csv (all days since 1999), eurofxref.csv and the XML files, as they are or \
                in the zip archives in which the bank offers them. Rates of the same day and currency are replaced.
                """)

        @Argument(help: "File; - for standard input.") var file: String
        @OptionGroup var options: GlobalOptions

        func run() throws {
            let bytes = try ImportCommand.bytes(file)
            try Session.write(options) { session in
                let report = try session.store.rates.importFile(bytes, at: session.moment)
                session.print { json in
                    json.field("from", report.days.lowerBound.iso)
                    json.field("through", report.days.upperBound.iso)
                    json.field("rates", report.count)
                    json.field("changed", report.changed)
                } text: {
                    let (first, last) = (session.day(report.days.lowerBound), session.day(report.days.upperBound))
                    return session.text(
                        "\(report.count) rates from \(first) to \(last), of which new: \(report.changed)")
                }
            }
        }
    }

    struct Set: WriteCommand {
        static let configuration = CommandConfiguration(abstract: "Set the rate of a currency from a day on.")

        @Argument(help: "Currency code, such as USD.") var code: String
        @Argument(help: "Units of the currency for one euro, such as 1.0823.") var rate: String
        @Option(name: .customLong("on"), help: "First day. Default: today.") var day: DayArgument?
        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) throws {
            let today = session.moment.today
            let rate = try session.store.rates.set(
                code, unitsPerEuro: rate.replacing(",", with: "."), on: day?.day(today, towards: .last) ?? today,
                at: session.moment)
            session.print {
                $0.fields(rate)
            } text: {
                session.rate(rate)
            }
        }
    }

    struct Status: ReadCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show how old the rates are, and which currencies have none.")

        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) throws {
            let status = try session.store.rates.status(at: session.moment)
            session.print(
                object: { json in
                    json.field("home_currency", status.home?.code)
                    json.field("from", status.days?.lowerBound.iso)
                    json.field("through", status.days?.upperBound.iso)
                    json.field("age_days", status.days.map { $0.upperBound.days(until: session.moment.today) })
                    json.field("rates", status.count)
                    json.rates("own", status.own)
                    json.codes("missing", status.missing)
                }, text: { session.text(of: status) })
        }
    }
}

extension Session {
    fileprivate func rate(_ rate: DatedRate) -> String {
        text("1 EUR = \(number(rate.rate.decimal)) \(rate.currency.code) from \(day(rate.on))")
    }

    private func age(of last: CalendarDay, _ age: Int) -> String {
        let last = day(last)
        return text("\(age) day old, up to \(last)|\(age) days old, up to \(last)")
    }

    fileprivate func text(of status: RateStatus) -> String {
        var sheet = FactSheet()
        sheet.add(text("home currency"), status.home?.code ?? "–")
        let age = status.days.map { $0.upperBound.days(until: moment.today) } ?? 0
        sheet.add(text("reference rates"), status.days.map { self.age(of: $0.upperBound, age) } ?? "–")
        for own in status.own { sheet.add(text("own rate"), rate(own)) }
        sheet.add(text("no rate for"), status.missing.map(\.code).joined(separator: ", "))
        return sheet.text(style)
    }
}

extension JSONWriter {
    fileprivate mutating func fields(_ rate: DatedRate) {
        field("currency", rate.currency.code)
        field("rate", rate.rate.decimal)
        field("on", rate.on.iso)
    }

    mutating func rates(_ name: String, _ rates: [DatedRate]) { array(name, rates) { $0.fields($1) } }

    mutating func codes(_ name: String, _ currencies: [Currency]) {
        strings(name, currencies.map(\.code))
    }
}

/// What a sum in the home currency adds up.
enum HomeSummands {
    case costs
    case annualCosts
    /// Those of budgets: what was spent can count for several of them.
    case limits
    /// Limits that do not add up: no sum.
    case noLimits
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
            json.home(home, of: summands)
        } text: {
            ([try text()] + homeLines(home, of: summands)).joined(separator: "\n")
        }
    }

    /// The sum, its rates, and what could not be converted.
    func homeLines(_ home: HomeSum, of summands: HomeSummands = .costs) -> [String] {
        var lines: [String] = []
        if summands != .noLimits, !home.rates.isEmpty || home.unconverted.isEmpty {
            let sum =
                switch summands {
                case .costs: text("together \(money(home.amount))")
                case .annualCosts: text("together \(money(home.amount)) per year, \(money(home.monthly)) per month")
                case .limits, .noLimits: text("limits together \(money(home.amount))")
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
    /// A member `home` with the sum in the home currency; null for limits that do not add up.
    mutating func home(_ home: HomeSum, of summands: HomeSummands = .costs) {
        let isAnnual = summands == .annualCosts
        object("home") { json in
            json.field("currency", home.home.code)
            json.field(isAnnual ? "annual" : "amount", summands == .noLimits ? nil : home.amount.decimal)
            if isAnnual { json.field("monthly", home.monthly.decimal) }
            json.rates("rates", home.rates)
            json.codes("unconverted", home.unconverted)
        }
    }
}
