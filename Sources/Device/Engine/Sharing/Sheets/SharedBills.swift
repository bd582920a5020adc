import Foundation
import JSONWire
import SubGuardDomain
import TextCoding

/// The bills of Cospend and IHateMoney: each is paid by one person for several, in proportion to their weights.
///
/// Both programs add up fractions of cents and round at the end. The cents of each bill are therefore divided so that
/// no balance is a cent or more from theirs.
struct SharedBills {
    private struct Bill {
        var place: String
        var fields: [String: String]
        var owers: [String]
    }

    private var bills: [Bill] = []
    private var members: [String] = []
    private var known: Set<String> = []
    private var weights: [String: Double] = [:]
    /// As it is called in Cospend's list of currencies.
    private var mainCurrency = ""

    /// The name of rows with which Cospend writes its members.
    private static let memberRow = "deleteMeIfYouWant"
    /// Other weights are mistakes, and would not be exact.
    private static let weights = 0.000_001...1_000_000
    /// The category of what was paid back, in Cospend.
    private static let reimbursement = "-11"

    static func isHeader(_ header: [String]) -> Bool {
        Set(["what", "amount", "payer_name", "owers"]).isSubset(of: header)
    }

    /// Reads the sections of a file: bills, and those that Cospend writes behind them.
    init(_ records: [CSVReader.Record]) {
        var header: [String] = []
        var isOfBills = false
        for record in records {
            // A header is looked through once, however many rows follow.
            let isBills = Self.isHeader(record.fields)
            if isBills || ["categoryname", "paymentmodename", "currencyname"].contains(record.fields[0]) {
                (header, isOfBills) = (record.fields, isBills)
                continue
            }
            let fields = Dictionary(zip(header, record.fields)) { first, _ in first }
            if let name = fields["currencyname"] {
                if mainCurrency.isEmpty, Double(fields["exchange_rate"] ?? "") == 1 { mainCurrency = name }
            } else if isOfBills {
                add(fields, owers: (fields["owers"] ?? "").components(separatedBy: ","), "line \(record.line)")
            }
        }
    }

    init(json bills: [JSONValue]) {
        for (number, element) in bills.enumerated() {
            var fields: [String: String] = [:]
            for (name, value) in element.objectValue?.members ?? [] { fields[name] = value.plainText }
            let owers = element.objectValue?["owers"]?.arrayValue?.compactMap(\.stringValue) ?? []
            add(fields, owers: owers, "bills/\(number)")
        }
    }

    private mutating func add(_ fields: [String: String], owers: [String], _ place: String) {
        let owers = owers.map(CatalogueRules.trimmed).filter { !$0.isEmpty }
        let payer = fields["payer_name"].map(CatalogueRules.trimmed) ?? ""
        for name in [payer] + owers where !name.isEmpty && known.insert(name).inserted { members.append(name) }
        if let weight = Double(fields["payer_weight"] ?? ""), Self.weights.contains(weight) { weights[payer] = weight }
        if fields["what"] == Self.memberRow { return }
        // What lies in the bin of Cospend.
        if fields["deleted"] == "1" { return }
        bills.append(Bill(place: place, fields: fields, owers: owers))
    }

    func sheet(name: String, source: SheetSource, _ currencies: SheetCurrencies) throws(FaultList) -> GroupSheet {
        var sheet = GroupSheet(name: name, people: members, entries: [], source: source)
        var faults = FaultList(limit: 20)
        var shares: [Currency: RunningShares] = [:]
        for bill in bills {
            do throws(Fault) {
                sheet.entries.append(try entry(bill, currencies, &shares))
            } catch {
                faults.note(
                    Fault(
                        error.pointer.isEmpty ? bill.place : "\(bill.place), \(error.pointer)", error.code,
                        error.sentence))
            }
        }
        guard faults.isEmpty else { throw faults }
        return sheet
    }

    private func entry(
        _ bill: Bill, _ currencies: SheetCurrencies, _ shares: inout [Currency: RunningShares]
    ) throws(Fault) -> GroupSheet.Entry {
        let text = { (name: String) in bill.fields[name].map(CatalogueRules.trimmed) ?? "" }
        guard let day = CalendarDay(iso: text("date")) ?? Self.day(text("timestamp")) else {
            throw Fault("date", .invalidDay, "Must be an existing date, such as 2027-01-15.")
        }
        let payer = text("payer_name")
        guard !payer.isEmpty else { throw Fault("payer_name", .required, "Is required.") }
        var seen: Set<String> = []
        let owers = bill.owers.filter { seen.insert($0).inserted }
        guard owers.count <= Split.maximumPeople else {
            throw Fault("owers", .outOfRange, "Must name 1 to \(Split.maximumPeople) people.")
        }
        guard !owers.isEmpty else { throw Fault("owers", .required, "At least one person must bear the cost.") }
        let currency =
            text("currency").isEmpty
            ? try currencies.currency(called: mainCurrency, field: "currency")
            : try currencies.currency(text("currency"), field: "currency")
        let (units, isNegative) = try Self.units(text("amount"), currency)
        var running = shares[currency] ?? RunningShares()
        let parts = running.divide(units, among: owers, weights, isNegative: isNegative)
        shares[currency] = running
        var entry = GroupSheet.Entry(
            id: nil, place: bill.place, on: day, title: text("what"),
            amount: Money(minorUnits: units, currency: currency), payers: [.init(name: payer, number: units)],
            split: .exact, parts: parts.filter { $0.number > 0 })
        entry.evened()
        entry.notes = PercentCoding.decode(Array(text("comment").utf8), plusIsSpace: true) ?? text("comment")
        let isReimbursement =
            text("categoryid") == Self.reimbursement
            || ["reimbursement", "transfer"].contains(text("bill_type").lowercased())
        entry.isRepayment = isReimbursement && owers.count == 1 && owers[0] != payer && !isNegative
        return isNegative ? try entry.received() : entry
    }

    private static func day(_ timestamp: String) -> CalendarDay? {
        guard let seconds = Int64(timestamp), seconds.magnitude < 100_000_000_000 else { return nil }
        return UTCInstant(secondsSinceEpoch: seconds).day
    }

    /// An amount as these programs write it: with a point, and at times with more decimals than the currency has.
    private static func units(_ text: String, _ currency: Currency) throws(Fault) -> (units: Int64, isNegative: Bool) {
        let magnitude = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let isNumber = !magnitude.isEmpty && magnitude.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
        guard isNumber, let value = Double(magnitude) else {
            throw Fault("amount", .invalidAmount, "Must be an amount such as 13.49.")
        }
        guard value < Double(currency.entryLimit) else {
            throw Fault("amount", .outOfRange, "The amount is too large.")
        }
        let units = Int64((value * Double(currency.minorUnitsPerMajorUnit)).rounded())
        guard units != 0 else { throw Fault("amount", .outOfRange, "Must not be 0.") }
        return (units, text.hasPrefix("-"))
    }
}

/// Divides amounts in whole minor units so that what each person bore in all stays within one of the exact share.
private struct RunningShares {
    /// What each person still has to bear of the exact share; negative after too much.
    private var due: [String: Double] = [:]

    mutating func divide(
        _ units: Int64, among people: [String], _ weights: [String: Double], isNegative: Bool
    ) -> [GroupSheet.Part] {
        let direction = isNegative ? -1.0 : 1.0
        let whole = people.reduce(0) { $0 + (weights[$1] ?? 1) }
        let wanted = people.map { Double(units) * (weights[$0] ?? 1) / whole + direction * (due[$0] ?? 0) }
        var parts = wanted.map { Int64(max(0, $0.rounded(.down))) }
        var rest = units - parts.reduce(0, +)
        // At most a few for each person.
        while rest != 0 {
            let gaps = parts.indices.map { wanted[$0] - Double(parts[$0]) }
            if rest > 0 {
                guard let place = parts.indices.max(by: { (gaps[$0], $1) < (gaps[$1], $0) }) else { break }
                parts[place] += 1
                rest -= 1
            } else {
                let taken = parts.indices.filter { parts[$0] > 0 }
                guard let place = taken.min(by: { (gaps[$0], $0) < (gaps[$1], $1) }) else { break }
                parts[place] -= 1
                rest += 1
            }
        }
        for (place, name) in people.enumerated() { due[name] = direction * (wanted[place] - Double(parts[place])) }
        return zip(people, parts).map { GroupSheet.Part(name: $0, number: $1) }
    }
}
