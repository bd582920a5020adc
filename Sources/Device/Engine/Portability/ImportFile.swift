import Foundation
import JSONWire
public import SubGuardDomain
import TextCoding

/// The formats that can be read; the raw value is the word on the command line.
public enum ImportFormat: String, Sendable, Hashable, CaseIterable {
    case csv
    case json
    case wallos
    case subtrackr
}

/// How a file is to be read.
public struct ImportOptions: Sendable {
    public var format: ImportFormat
    /// Columns of CSV by name, before what is guessed.
    public var mapping: [String: SubscriptionField] = [:]
    /// For rows that name no currency.
    public var currency: Currency?
    /// Takes the good rows of a file that has bad ones too.
    public var skipsBadRows = false
    /// Does everything but keep it.
    public var isDryRun = false

    public init(format: ImportFormat) { self.format = format }
}

/// One row of a file: the fields, and what else a JSON export has of a subscription.
struct ImportRow {
    var number: Int
    var draft: SubscriptionDraft = [:]
    var prices: [(from: String, amount: String)] = []
    var states: [(from: String, state: String)] = []
    var ledger: [(day: String, status: String, paid: String?)] = []
    var share: ImportObject?
}

/// What a file has.
struct ImportContent {
    var rows: [ImportFile.Row]
    /// Of JSON exports: what is no subscription, by section.
    var records: [ImportSection: [JSONValue]] = [:]

    var count: Int { rows.count + records.values.reduce(0) { $0 + $1.count } }
}

/// Reads a file into rows; what is wrong with a row stands in its place.
struct ImportFile {
    let options: ImportOptions
    let keepsCategories: Bool
    let today: CalendarDay

    typealias Row = Result<ImportRow, DeviceStoreError.RefusedRow>

    func content(_ bytes: [UInt8]) throws -> ImportContent {
        switch options.format {
        case .csv: ImportContent(rows: try csv(bytes))
        case .subtrackr: ImportContent(rows: try subTrackr(bytes))
        case .wallos: ImportContent(rows: try wallos(bytes))
        case .json: try json(bytes)
        }
    }

    private func row(_ number: Int, _ body: () throws -> ImportRow) -> Row {
        do {
            return .success(try body())
        } catch let error as InvalidField {
            return .failure(Self.refused(number, error))
        } catch {
            return .failure(
                Self.refused(number, InvalidField(field: "row", code: "invalid_format", detail: "\(error)")))
        }
    }

    static func refused(_ number: Int, _ error: InvalidField) -> DeviceStoreError.RefusedRow {
        DeviceStoreError.RefusedRow(row: number, field: error.field, code: error.code, detail: error.detail)
    }

    private func table(_ bytes: [UInt8]) throws -> (header: [String], records: ArraySlice<CSVReader.Record>) {
        do {
            var reader = CSVReader(detectingSeparator: bytes)
            let records = try reader.records()
            guard let header = records.first else {
                throw InvalidField(field: "file", code: "required", detail: "The file is empty.")
            }
            return (header.fields.map { $0.trimmingCharacters(in: .whitespaces) }, records.dropFirst())
        } catch let failure as CSVReader.Failure {
            throw DeviceStoreError.refusedRows([
                Self.refused(
                    failure.line,
                    InvalidField(field: "file", code: failure.kind.rawValue, detail: "The text is not well-formed CSV.")
                )
            ])
        }
    }

    private func csv(_ bytes: [UInt8]) throws -> [Row] {
        let (header, records) = try table(bytes)
        let columns = try ImportColumns(header: header, mapping: options.mapping)
        return records.map { record in
            row(record.line) {
                try requireWidth(record, header)
                let draft = try columns.draft(record.fields).normalised(currency: options.currency, today: today)
                return ImportRow(number: record.line, draft: draft)
            }
        }
    }

    private func subTrackr(_ bytes: [UInt8]) throws -> [Row] {
        let (header, records) = try table(bytes)
        guard Set(["Name", "Cost", "Schedule"]).isSubset(of: header) else {
            throw InvalidField(field: "file", code: "invalid_format", detail: "This is no export of SubTrackr.")
        }
        return records.map { record in
            row(record.line) {
                try requireWidth(record, header)
                let fields = Dictionary(zip(header, record.fields)) { first, _ in first }
                return try foreign(.subtrackr, fields, record.line)
            }
        }
    }

    private func wallos(_ bytes: [UInt8]) throws -> [Row] {
        let document = try? JSONValue.parse(bytes)
        guard let list = (document?.objectValue?["subscriptions"] ?? document)?.arrayValue,
            list.isEmpty || list.contains(where: { $0.objectValue?["Price"] != nil })
        else { throw InvalidField(field: "file", code: "invalid_format", detail: "This is no JSON export of Wallos.") }
        return list.enumerated().map { index, element in
            row(index + 1) {
                var fields: [String: String] = [:]
                for (name, value) in element.objectValue?.members ?? [] { fields[name] = value.plainText }
                return try foreign(.wallos, fields, index + 1)
            }
        }
    }

    private func foreign(_ kind: ForeignExport, _ fields: [String: String], _ number: Int) throws -> ImportRow {
        ImportRow(
            number: number,
            draft: try kind.draft(
                fields, keepsCategories: keepsCategories, currency: options.currency, today: today))
    }

    private func requireWidth(_ record: CSVReader.Record, _ header: [String]) throws {
        guard record.fields.count <= header.count else {
            throw InvalidField(field: "row", code: "invalid_format", detail: "Has more columns than the header.")
        }
    }

    private func json(_ bytes: [UInt8]) throws -> ImportContent {
        let document = try? JSONValue.parse(bytes)
        guard let list = (document?.objectValue?["subscriptions"] ?? document)?.arrayValue else {
            throw InvalidField(
                field: "file", code: "invalid_format", detail: "Must be a JSON array, or an object with subscriptions.")
        }
        if let version = document?.objectValue?["version"]?.integerValue, version > ExportDocument.version {
            throw DeviceStoreError.tooNew("the file")
        }
        var content = ImportContent(
            rows: list.enumerated().map { index, element in row(index + 1) { try jsonRow(element, index + 1) } })
        for (name, value) in document?.objectValue?.members ?? [] where name != "subscriptions" {
            if let section = ImportSection(rawValue: name) {
                guard let elements = value.arrayValue else {
                    throw InvalidField(field: name, code: "invalid_format", detail: "Must be an array.")
                }
                content.records[section] = elements
            } else if value.arrayValue != nil || value.objectValue != nil {
                // Never left out in silence: somebody would believe to have it.
                throw InvalidField(field: name, code: "invalid_format", detail: "Is no section that can be imported.")
            }
        }
        return content
    }

    private func jsonRow(_ element: JSONValue, _ number: Int) throws -> ImportRow {
        guard let object = element.objectValue else {
            throw InvalidField(field: "row", code: "invalid_format", detail: "Must be an object.")
        }
        var row = ImportRow(number: number)
        for field in SubscriptionField.allCases {
            guard let value = object[field.rawValue], !value.isNull else { continue }
            if let list = value.arrayValue, field == .remind {
                row.draft[field] = list.compactMap(\.plainText).joined(separator: ",")
            } else if let text = value.plainText {
                row.draft[field] = text
            } else {
                throw InvalidField(field: field.rawValue, code: "invalid_format", detail: "Must be a text or a number.")
            }
        }
        row.draft = try row.draft.normalised(currency: options.currency, today: today)
        let member = { (element: JSONValue, name: String) in element.objectValue?[name]?.plainText ?? "" }
        row.prices = (object["prices"]?.arrayValue ?? []).map { (member($0, "from"), member($0, "amount")) }
        row.states = (object["states"]?.arrayValue ?? []).map { (member($0, "from"), member($0, "state")) }
        row.ledger = (object["history"]?.arrayValue ?? []).map {
            (member($0, "billing_on"), member($0, "status"), $0.objectValue?["paid"]?.plainText)
        }
        if let share = object["share"], !share.isNull { row.share = try ImportObject(share) }
        return row
    }
}

extension JSONValue {
    /// What a text, number or truth value says; nil for the others.
    var plainText: String? {
        switch self {
        case .string(let text): text
        case .number(let text): text
        case .bool(let value): value ? "true" : "false"
        case .null, .array, .object: nil
        }
    }
}
