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
