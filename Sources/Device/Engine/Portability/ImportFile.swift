import Foundation
import JSONWire
public import SubGuardDomain
import TextCoding

/// The import formats; the raw value is the name on the command line.
public enum ImportFormat: String, Sendable, Hashable, CaseIterable {
    /// A CSV table of subscriptions with a header; columns are recognised by their names.
    case csv
    /// SubGuard's own JSON export, with all its sections.
    case json
    /// The JSON export of Wallos.
    case wallos
    /// The CSV export of SubTrackr.
    case subtrackr
}

/// Options of an import.
public struct ImportOptions: Sendable {
    /// The format of the file, which is not detected.
    public var format: ImportFormat
    /// Fields by CSV column name; overrides recognised names.
    public var mapping: [String: SubscriptionField] = [:]
    /// The fields of all CSV columns; overrides recognised names and ``mapping``.
    public var columns: ImportColumns?
    /// The currency of rows without one.
    public var currency: Currency?
    /// Skips invalid rows instead of refusing the file.
    public var skipsBadRows = false
    /// Checks and reports without changing anything.
    public var isDryRun = false
    /// Charges before today of all subscriptions of the file.
    package var mostCharges = PastCharges.most

    /// Recognises columns by their names, and refuses a file with an invalid row.
    public init(format: ImportFormat) { self.format = format }
}

/// A row of a file: the fields, and the additional data of a JSON export.
struct ImportRow {
    var number: Int
    var draft: SubscriptionDraft = [:]
    var prices: [(from: String, amount: String, currency: String?)] = []
    var states: [(from: String, state: String)] = []
    /// Nil when the file does not say what was charged.
    /// `isAssumed` is of before the day of entry; `isConfirmed` is such a charge that was confirmed all the same.
    var ledger: [(day: String, status: String, paid: String?, currency: String?, isAssumed: Bool, isConfirmed: Bool)]?
    var share: ImportObject?
    var sharePeriods: [ImportObject] = []
    /// Whether another subscription includes it that a later row of the file adds.
    var isBundledLater = false
}

/// The content of a file.
struct ImportContent {
    var rows: [ImportFile.Row]
    /// The other sections of a JSON export.
    var records: [ImportSection: [JSONValue]] = [:]
    /// The columns of a table, or the members of elements, that were not recognised and hold something; in their order.
    var ignored: [String] = []

    var count: Int { rows.count + records.values.reduce(0) { $0 + $1.count } }
}

/// Parses a file into rows; an invalid row is replaced by its error.
struct ImportFile {
    let options: ImportOptions
    let keepsCategories: Bool
    /// The currency of the settings or of all subscriptions; it decides what a sign of several means.
    var usual: Currency?
    let today: CalendarDay

    private var preferred: [Currency] { usual.map { [$0] } ?? [] }

    typealias Row = Result<ImportRow, DeviceStoreError.RefusedRow>

    func content(_ bytes: [UInt8]) throws -> ImportContent {
        switch options.format {
        case .csv: try csv(bytes)
        case .subtrackr: ImportContent(rows: try subTrackr(bytes))
        case .wallos: ImportContent(rows: try wallos(bytes))
        case .json: try json(bytes)
        }
    }

    /// - Parameter written: the fields as they are in the file.
    private func row(_ number: Int, written: SubscriptionDraft = [:], _ body: () throws -> ImportRow) -> Row {
        do {
            return .success(try body())
        } catch let error as Fault {
            return .failure(DeviceStoreError.RefusedRow(row: number, fault: error).showing(written))
        } catch DeviceStoreError.invalidFields(let faults) where !faults.isEmpty {
            let row = DeviceStoreError.RefusedRow(row: number, fault: faults[0], others: Array(faults.dropFirst()))
            return .failure(row.showing(written))
        } catch {
            return .failure(
                DeviceStoreError.RefusedRow(
                    row: number, fault: Fault("row", .invalidFormat, Sentence(pattern: "\(error)"))))
        }
    }

    private func table(_ bytes: [UInt8]) throws -> (header: [String], records: ArraySlice<CSVReader.Record>) {
        do {
            var reader = CSVReader(detectingSeparator: bytes)
            let records = try reader.records()
            guard let header = records.first else {
                throw Fault("file", .required, "The file is empty.")
            }
            return (header.fields.map { $0.trimmingCharacters(in: .whitespaces) }, records.dropFirst())
        } catch let failure as CSVReader.Failure {
            let detail: Sentence =
                failure.kind == .invalidUTF8
                ? "Not UTF-8 text. Save the file as UTF-8, and try again." : Sentence(failure.kind)
            throw DeviceStoreError.refusedRows([
                DeviceStoreError.RefusedRow(
                    row: failure.line, fault: Fault("file", FaultCode(failure.kind), detail))
            ])
        }
    }

    private func csv(_ bytes: [UInt8]) throws -> ImportContent {
        let (header, records) = try table(bytes)
        let columns =
            try options.columns?.checked() ?? ImportColumns(header: header, mapping: options.mapping)
        let drafts = records.map { columns.draft($0.fields) }
        let monthFirst = Set(
            SubscriptionField.days.filter { field in drafts.contains { $0[field].map { $0.isMonthFirst } ?? false } })
        let rows = zip(records, drafts).map { record, written in
            row(record.line, written: written) {
                try requireWidth(record, header)
                for field in SubscriptionField.days where monthFirst.contains(field) {
                    guard let text = written[field], text.mayBeMonthFirst else { continue }
                    throw Fault(
                        field.rawValue, .invalidDay,
                        "Dates of the column have the month first. Write all like 2027-01-15.")
                }
                let draft = try normalised(written)
                return ImportRow(number: record.line, draft: startingToday(draft))
            }
        }
        var filled: Set<Int> = []
        for record in records {
            for (place, text) in record.fields.enumerated() where !text.isEmpty { filled.insert(place) }
        }
        let unknown = zip(header, columns.fields).enumerated().filter { place, column in
            column.1 == nil && filled.contains(place)
        }
        return ImportContent(
            rows: rows, ignored: unknown.map { $1.0.isEmpty ? "\($0 + 1)" : RefusedBooking.shown($1.0) })
    }

    private func subTrackr(_ bytes: [UInt8]) throws -> [Row] {
        let (header, records) = try table(bytes)
        guard Set(["Name", "Cost", "Schedule"]).isSubset(of: header) else {
            throw Fault("file", .invalidFormat, "Not a CSV export of SubTrackr.")
        }
        var places: [String: Int] = [:]
        return records.map { record in
            row(record.line) {
                try requireWidth(record, header)
                let fields = Dictionary(zip(header, record.fields)) { first, _ in first }
                return try foreign(.subtrackr, fields, record.line, &places)
            }
        }
    }

    private func wallos(_ bytes: [UInt8]) throws -> [Row] {
        let document = try? JSONValue.parse(bytes)
        guard let list = (document?.objectValue?["subscriptions"] ?? document)?.arrayValue,
            list.isEmpty || list.contains(where: { $0.objectValue?["Price"] != nil })
        else { throw Fault("file", .invalidFormat, "Not a JSON export of Wallos.") }
        var places: [String: Int] = [:]
        return list.enumerated().map { index, element in
            row(index + 1) {
                var fields: [String: String] = [:]
                for (name, value) in element.objectValue?.members ?? [] { fields[name] = value.plainText }
                return try foreign(.wallos, fields, index + 1, &places)
            }
        }
    }

    /// - Parameter places: how many rows so far have each name.
    private func foreign(
        _ kind: ForeignExport, _ fields: [String: String], _ number: Int, _ places: inout [String: Int]
    ) throws -> ImportRow {
        let name = TextFolding.fold(fields["Name"] ?? "")
        defer { places[name, default: 0] += 1 }
        var draft = try kind.draft(
            fields, keepsCategories: keepsCategories, currency: options.currency, preferring: preferred, today: today)
        // The same id each time, so that an export that is imported again adds nothing.
        draft[.id] = DerivedID.of(kind.identity(fields, place: places[name] ?? 0)).lowercased
        var row = ImportRow(number: number, draft: draft)
        if let day = kind.cancelledOn(fields, today: today) { row.states = [(day, SubscriptionState.cancelled.wire)] }
        return row
    }

    /// The fields in their wire forms. Throws the faults of all of them.
    private func normalised(_ draft: SubscriptionDraft) throws -> SubscriptionDraft {
        do throws(Fault) {
            return try draft.normalised(currency: options.currency, preferring: preferred, today: today)
        } catch {
            let faults = Array(
                Subscription.faults(making: draft, id: UUID(), today: today, now: UTCInstant(secondsSinceEpoch: 0)) {
                    draft throws(Fault) in
                    try draft.normalised(currency: options.currency, preferring: preferred, today: today)
                })
            throw faults.count > 1 ? DeviceStoreError.invalidFields(faults) : error
        }
    }

    /// A start of tomorrow is one of today in a time zone further east. Any later start is refused.
    private func startingToday(_ draft: SubscriptionDraft) -> SubscriptionDraft {
        guard draft[.startedOn] == today.adding(days: 1).iso else { return draft }
        return draft.merging([.startedOn: today.iso]) { $1 }
    }

    private func requireWidth(_ record: CSVReader.Record, _ header: [String]) throws {
        guard record.fields.count <= header.count else {
            throw Fault("row", .wrongFieldCount, "Has more fields than the header.")
        }
    }

    private func json(_ bytes: [UInt8]) throws -> ImportContent {
        let document = try? JSONValue.parse(bytes)
        guard let list = (document?.objectValue?["subscriptions"] ?? document)?.arrayValue else {
            throw Fault("file", .invalidFormat, "Must be a JSON array, or an object with the member \"subscriptions\".")
        }
        if let version = document?.objectValue?["version"]?.integerValue, version > ExportDocument.version {
            throw DeviceStoreError.tooNew("the file")
        }
        var content = ImportContent(
            rows: list.enumerated().map { index, element in
                row(index + 1, written: Self.written(element)) { try jsonRow(element, index + 1) }
            }, ignored: Self.unknownMembers(list))
        for (name, value) in document?.objectValue?.members ?? [] where name != "subscriptions" {
            if let section = ImportSection(rawValue: name) {
                guard let elements = value.arrayValue else {
                    throw Fault(name, .invalidType, "Must be an array.")
                }
                content.records[section] = elements
            } else if value.arrayValue != nil || value.objectValue != nil {
                // Refused, because ignoring it would silently lose data.
                throw Fault(name, .unknownField, "Unknown section.")
            }
        }
        return content
    }

    private static let members = Set(
        SubscriptionField.allCases.map(\.rawValue) + ["prices", "states", "history", "share", "share_periods"])

    /// The names of members that are not read and hold something, in their order.
    private static func unknownMembers(_ elements: [JSONValue]) -> [String] {
        var names: [String] = []
        var seen = members
        for (name, value) in elements.flatMap({ $0.objectValue?.members ?? [] })
        where !value.isNull && seen.insert(name).inserted {
            names.append(RefusedBooking.shown(name))
        }
        return names
    }

    private static func written(_ element: JSONValue) -> SubscriptionDraft {
        var draft: SubscriptionDraft = [:]
        for field in SubscriptionField.allCases { draft[field] = element.objectValue?[field.rawValue]?.plainText }
        return draft
    }

    private func jsonRow(_ element: JSONValue, _ number: Int) throws -> ImportRow {
        guard let object = element.objectValue else {
            throw Fault("row", .invalidType, "Must be an object.")
        }
        var row = ImportRow(number: number)
        for field in SubscriptionField.allCases {
            guard let value = object[field.rawValue], !value.isNull else { continue }
            if let list = value.arrayValue, field == .remind {
                row.draft[field] = list.compactMap(\.plainText).joined(separator: ",")
            } else if let text = value.plainText {
                row.draft[field] = text
            } else {
                throw Fault(field.rawValue, .invalidType, "Must be a string or a number.")
            }
        }
        row.draft = startingToday(try normalised(row.draft))
        // A number of JSON has no groups.
        if case .number(let amount)? = object["amount"] { row.draft[.amount] = amount }
        let member = { (element: JSONValue, name: String) in element.objectValue?[name]?.plainText ?? "" }
        row.prices = (object["prices"]?.arrayValue ?? []).map {
            (member($0, "from"), member($0, "amount"), $0.objectValue?["currency"]?.plainText)
        }
        row.states = (object["states"]?.arrayValue ?? []).map { (member($0, "from"), member($0, "state")) }
        row.ledger = object["history"]?.arrayValue?.map {
            (
                member($0, "billing_on"), member($0, "status"), $0.objectValue?["paid"]?.plainText,
                $0.objectValue?["currency"]?.plainText, $0.objectValue?["assumed"] == .bool(true),
                $0.objectValue?["confirmed"] == .bool(true)
            )
        }
        if let share = object["share"], !share.isNull { row.share = try ImportObject(share) }
        row.sharePeriods = try (object["share_periods"]?.arrayValue ?? []).map { try ImportObject($0) }
        return row
    }
}

extension JSONValue {
    /// A string, number or boolean as text; nil for other values.
    var plainText: String? {
        switch self {
        case .string(let text): text
        case .number(let text): text
        case .bool(let value): value ? "true" : "false"
        case .null, .array, .object: nil
        }
    }
}

extension String {
    /// The numbers of `01/02/2027` with the first two in turn; nil for other texts.
    private var withMonthFirst: String? {
        let mark: Character = contains("/") ? "/" : "."
        let parts = split(separator: mark, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        return DayText.iso([parts[1], parts[0], parts[2]].joined(separator: "/"))
    }

    /// Whether it is a date only with the month first: `12/31/2026`.
    fileprivate var isMonthFirst: Bool { DayText.iso(self) == nil && withMonthFirst != nil }

    /// Whether it is another date with the month first: `01/02/2027`.
    fileprivate var mayBeMonthFirst: Bool { withMonthFirst.map { $0 != DayText.iso(self) } ?? false }
}
