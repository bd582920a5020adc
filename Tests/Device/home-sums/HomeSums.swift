import ArgumentParser
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

/// Answers questions about one store, for a check that compares many sums in the home currency with a reference.
///
/// Each line of the standard input is a command:
///
/// - `set CODE RATE DAY` sets a rate.
/// - `annual HOME`, `spent HOME FIRST LAST` and `coming HOME AMOUNT CODE…` each print a sum as a line of JSON.
@main
struct HomeSums: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "home-sums")

    @Option(help: "The database.") var store: String
    @Option(help: "The current time in UTC.") var now: String

    func run() throws {
        guard let now = UTCInstant(rfc3339: now) else { throw ValidationError("--now: not a time") }
        let moment = Moment(now: now, zone: .gmt)
        let store = try DeviceStore(path: store, now: now, entitlement: .premium(until: nil))
        defer { try? store.close() }
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            guard words.count > 1 else { throw ValidationError("not a command: \(line)") }
            if words[0] == "set" {
                guard words.count == 4 else { throw ValidationError("not a rate: \(line)") }
                try store.rates.set(words[1], unitsPerEuro: words[2], on: Self.day(words[3]), at: moment)
                continue
            }
            try store.settings.set(.homeCurrency, to: words[1], at: moment)
            guard let sum = try Self.sum(words, store.rates, moment) else {
                throw ValidationError("not a question: \(line)")
            }
            print(Self.json(sum))
        }
    }

    private static func sum(_ words: [String], _ rates: DeviceStore.Rates, _ moment: Moment) throws -> HomeSum? {
        switch (words[0], words.count) {
        case ("annual", 2):
            return try rates.annualCost(at: moment)
        case ("spent", 4):
            return try rates.spent(from: day(words[2]), through: day(words[3]), at: moment)
        case ("coming", 4...) where words.count.isMultiple(of: 2):
            let amounts = try stride(from: 2, to: words.count, by: 2).map { index in
                guard let currency = Currency(code: words[index + 1]) else {
                    throw ValidationError("not a currency: \(words[index + 1])")
                }
                return try Money(decimal: words[index], currency: currency)
            }
            return try rates.coming(amounts, at: moment)
        default:
            return nil
        }
    }

    private static func day(_ text: String) throws -> CalendarDay {
        guard let day = CalendarDay(iso: text) else { throw ValidationError("not a day: \(text)") }
        return day
    }

    private static func json(_ sum: HomeSum) -> String {
        var json = JSONWriter(capacity: 256)
        json.beginObject()
        json.field("amount", sum.amount.decimal)
        json.field("monthly", sum.monthly.decimal)
        json.key("rates")
        json.beginArray()
        for used in sum.rates {
            json.beginObject()
            json.field("currency", used.currency.code)
            json.field("on", used.on.iso)
            json.field("rate", used.rate.decimal)
            json.endObject()
        }
        json.endArray()
        json.key("unconverted")
        json.beginArray()
        for currency in sum.unconverted { json.string(currency.code) }
        json.endArray()
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
