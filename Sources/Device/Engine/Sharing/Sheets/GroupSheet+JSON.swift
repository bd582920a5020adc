import JSONWire
import SubGuardDomain

/// The sheet as Spliit exports it in JSON, with one member of our own: `payers`, for expenses that several people paid.
extension GroupSheet {
    private static let modes: [(kind: SplitKind, name: String)] = [
        (.even, "EVENLY"), (.shares, "BY_SHARES"), (.percent, "BY_PERCENTAGE"), (.exact, "BY_AMOUNT"),
    ]

    // MARK: Writing

    /// The sheet in Spliit's format.
    ///
    /// - Parameter id: of the group in the file.
    public func json(id: String) -> [UInt8] {
        let ids = Dictionary(people.map { ($0, Self.id(of: $0)) }) { $1 }
        let currencies = Set(entries.map(\.amount.currency))
        return JSONWriter.bytes(capacity: 4096) { json in
            json.field("id", id)
            json.field("name", name)
            json.field("currency", currencies.count == 1 ? currencies.first?.symbol : nil)
            json.field("currencyCode", currencies.count == 1 ? currencies.first?.code : nil)
            json.array("expenses", entries) { write($1, ids, &$0) }
            json.array("participants", people) { json, name in
                json.field("id", ids[name])
                json.field("name", name)
            }
        }
    }

    private func write(_ entry: Entry, _ ids: [String: String], _ json: inout JSONWriter) {
        json.field("id", entry.id)
        json.field("expenseDate", "\(entry.on.iso)T00:00:00.000Z")
        json.field("title", entry.title)
        json.object("category") { $0.field("name", entry.category) }
        json.field("amount", entry.amount.minorUnits)
        // Spliit has one currency for a group.
        json.field("currencyCode", entry.amount.currency.code)
        json.field("paidById", entry.payers.first.flatMap { ids[$0.name] })
        if entry.payers.count > 1 {
            json.array("payers", entry.payers) { json, payer in
                json.field("participantId", ids[payer.name])
                json.field("amount", payer.number)
            }
        }
        json.array("paidFor", entry.parts) { json, part in
            json.field("participantId", ids[part.name])
            json.field("shares", Self.scaled(part.number, entry.split))
        }
        json.field("isReimbursement", entry.isRepayment)
        json.field("splitMode", Self.modes.first { $0.kind == entry.split }?.name ?? "EVENLY")
        json.field("notes", entry.notes)
    }

    /// Spliit counts shares in hundredths, even ones too; percentages in hundredths and amounts in minor units, as we
    /// do.
    private static func scaled(_ number: Int64, _ kind: SplitKind) -> Int64 {
        switch kind {
        case .even: 100
        case .shares: number * 100
        case .percent, .exact, .free: number
        }
    }

    /// The same in every export, and nothing but a name.
    private static func id(of name: String) -> String { DerivedID.of("participant \(name)").lowercased }

    // MARK: Reading

    /// Throws all faults, each with its expense. A negative amount is an income. Without a code of the currency, Spliit
    /// counts hundredths in every currency; with one, minor units.
    static func spliit(_ document: JSONValue?, _ currencies: SheetCurrencies) throws(FaultList) -> GroupSheet {
        guard let root = document?.objectValue, let expenses = root["expenses"]?.arrayValue,
            let participants = root["participants"]?.arrayValue
        else {
            throw [Fault("file", .invalidFormat, "Not a sheet of Spliit: it has no expenses or participants.")]
        }
        var names: [String: String] = [:]
        var people: [String] = []
        var known: Set<String> = []
        for participant in participants {
            guard let id = participant["id"]?.stringValue, let name = participant["name"]?.stringValue,
                names.updateValue(name, forKey: id) == nil, known.insert(name).inserted
            else { throw [Fault("participants", .invalidFormat, "Each must have its own id and name.")] }
            people.append(name)
        }
        let common = { () throws(Fault) -> SpliitUnits in
            let code = root["currencyCode"]?.stringValue ?? ""
            guard code.isEmpty else {
                return SpliitUnits(currency: try currencies.currency(code, field: "currencyCode"))
            }
            let called = root["currency"]?.stringValue ?? ""
            return SpliitUnits(
                currency: try currencies.currency(called: called, field: "currencyCode"), areHundredths: true)
        }
        var faults = FaultList(limit: 20)
        var entries: [Entry] = []
        for (number, element) in expenses.enumerated() {
            do throws(Fault) {
                let code = element["currencyCode"]?.stringValue ?? ""
                let units =
                    code.isEmpty
                    ? try common() : SpliitUnits(currency: try currencies.currency(code, field: "currencyCode"))
                entries.append(try entry(element, "expenses/\(number)", names, units))
            } catch {
                faults.note(Fault("expenses/\(number)/\(error.pointer)", error.code, error.sentence))
            }
        }
        guard faults.isEmpty else { throw faults }
        return GroupSheet(
            id: root["id"]?.stringValue, name: root["name"]?.stringValue ?? "", people: people, entries: entries)
    }

    private static func entry(
        _ element: JSONValue, _ place: String, _ names: [String: String], _ units: SpliitUnits
    ) throws(Fault) -> Entry {
        guard let day = element["expenseDate"]?.stringValue.flatMap({ CalendarDay(iso: String($0.prefix(10))) }) else {
            throw Fault("expenseDate", .invalidDay, "Must be an existing date, such as 2027-01-15.")
        }
        guard let written = element["amount"]?.integerValue.flatMap({ Int64(exactly: $0) }), written != 0,
            written.magnitude <= UInt64(FieldRules.maximumMinorUnits)
        else { throw Fault("amount", .outOfRange, "Must be a whole number other than 0.") }
        let total = try units.minor(abs(written), field: "amount")
        func name(_ element: JSONValue?, _ field: String) throws(Fault) -> String {
            guard let name = element?.stringValue.flatMap({ names[$0] }) else {
                throw Fault(field, .notFound, "Must be the id of a participant.")
            }
            return name
        }
        func number(_ element: JSONValue?, _ field: String) throws(Fault) -> Int64 {
            // Parts of an income may be negative too.
            guard let number = element?.integerValue.flatMap({ Int64(exactly: $0) }), number >= 0 || written < 0,
                number.magnitude <= UInt64(FieldRules.maximumMinorUnits)
            else { throw Fault(field, .invalidAmount, "Must be a whole number.") }
            return abs(number)
        }
        let text = element["splitMode"]?.stringValue ?? "EVENLY"
        guard let kind = modes.first(where: { $0.name == text })?.kind else {
            throw Fault("splitMode", .unknownValue, "Must be one of EVENLY, BY_SHARES, BY_PERCENTAGE, BY_AMOUNT.")
        }
        var parts: [Part] = []
        for part in element["paidFor"]?.arrayValue ?? [] {
            var shares = kind == .even ? 0 : try number(part["shares"], "paidFor")
            if kind == .exact { shares = try units.minor(shares, field: "paidFor") }
            parts.append(Part(name: try name(part["participantId"], "paidFor"), number: shares))
        }
        guard !parts.isEmpty else { throw Fault("paidFor", .required, "At least one person must bear the cost.") }
        // Back from hundredths if all are whole, so that what was written is read.
        if kind == .shares, parts.allSatisfy({ $0.number.isMultiple(of: 100) }) {
            for place in parts.indices { parts[place].number /= 100 }
        }
        var payers: [Part] = []
        for payer in element["payers"]?.arrayValue ?? [] {
            let paid = try units.minor(try number(payer["amount"], "payers"), field: "payers")
            payers.append(Part(name: try name(payer["participantId"], "payers"), number: paid))
        }
        if payers.isEmpty { payers = [Part(name: try name(element["paidById"], "paidById"), number: total)] }
        var entry = Entry(
            id: element["id"]?.stringValue, place: place, on: day, title: element["title"]?.stringValue ?? "",
            amount: Money(minorUnits: total, currency: units.currency), payers: payers, split: kind, parts: parts)
        entry.category = element["category"]?["name"]?.stringValue ?? ""
        entry.notes = element["notes"]?.stringValue ?? ""
        entry.isRepayment =
            element["isReimbursement"] == .bool(true) && payers.count == 1 && parts.count == 1
            && parts[0].name != payers[0].name
        return written < 0 ? try entry.received() : entry
    }
}

/// What the amounts of a file of Spliit count.
private struct SpliitUnits {
    let currency: Currency
    /// Hundredths of the currency, also of one without them; else its minor units.
    var areHundredths = false

    func minor(_ number: Int64, field: String) throws(Fault) -> Int64 {
        guard areHundredths, currency.exponent != 2 else { return number }
        var (units, rest) = (number, Int64(0))
        for _ in min(currency.exponent, 2)..<2 where rest == 0 {
            (units, rest) = units.quotientAndRemainder(dividingBy: 10)
        }
        guard rest == 0 else {
            throw Fault(
                field, .invalidAmount,
                "Has a fraction of the smallest unit of \(currency.code): files without currencyCode count hundredths.")
        }
        for _ in 2..<max(2, currency.exponent) {
            let (product, isHigh) = units.multipliedReportingOverflow(by: 10)
            guard !isHigh, product <= FieldRules.maximumMinorUnits else {
                throw Fault(field, .outOfRange, "The amount is too large.")
            }
            units = product
        }
        return units
    }
}
