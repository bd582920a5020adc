import TextCoding

/// Reads the reference rates of the European Central Bank: the history (`eurofxref-hist.csv`) and the daily table
/// (`eurofxref.csv`), or both as XML.
///
/// In CSV, the first column is the day, each other one a currency; `N/A` or nothing stands for a day without a rate.
/// Currencies that the product does not know, such as those that the euro replaced long ago, are left out, and the euro
/// itself. A file with any fault is refused whole.
package enum ReferenceRateFile {
    /// 80 years of business days.
    package static let maximumRows = 20_000
    /// On average; the file of the European Central Bank has 43.
    private static let maximumColumns = 64
    /// The history of 1999 to 2026 has 7,000 rows in 800 KB.
    package static let maximumBytes = 16 << 20

    /// The rates of a file of either form, told by its first character.
    ///
    /// - Parameter unzip: returns the only file of a zip archive, of at most ``maximumBytes``.
    package static func read(
        _ bytes: [UInt8], unzip: ([UInt8]) throws -> [UInt8]
    ) throws(FaultList) -> [DatedRate] {
        guard bytes.starts(with: Array("PK".utf8)) else { return try plain(bytes) }
        let content: [UInt8]
        do {
            content = try unzip(bytes)
        } catch {
            throw [
                Fault("file", .invalidFormat, "The zip archive must be undamaged and hold one file of reference rates.")
            ]
        }
        return try plain(content)
    }

    private static func plain(_ bytes: [UInt8]) throws(FaultList) -> [DatedRate] {
        let first = bytes.first { $0 > 0x20 && $0 < 0x80 }
        return first == UInt8(ascii: "<") ? try xml(bytes) : try csv(bytes)
    }

    /// The rates of a CSV file, newest or oldest first.
    package static func csv(_ bytes: [UInt8]) throws(FaultList) -> [DatedRate] {
        guard bytes.count <= maximumBytes else {
            throw [Fault("file", .outOfRange, "Must have at most \(maximumBytes >> 20) MB.")]
        }
        // Before anything is read: a file of nothing but commas would become millions of cells.
        let commas = bytes.count { $0 == UInt8(ascii: ",") }
        guard commas <= maximumRows * maximumColumns else { throw tooManyRows }
        let records = try records(bytes)
        guard let header = records.first?.fields else { throw [Fault("file", .required, "The file is empty.")] }
        let currencies = header.dropFirst().map { currency(trimmed($0)) }
        guard trimmed(header[0]) == "Date", currencies.contains(where: { $0 != nil }) else {
            throw [
                Fault("file", .invalidFormat, "Not a file of reference rates: the first column must be Date.")
            ]
        }
        var seen: Set<Currency> = []
        for case let currency? in currencies where !seen.insert(currency).inserted {
            throw [Fault("line 1", .duplicate, "\(currency.code) has two columns.")]
        }
        var table = Table(columns: header.count, currencies: currencies)
        for record in records.dropFirst() { table.add(record) }
        guard table.faults.isEmpty else { throw table.faults }
        guard !table.rates.isEmpty else { throw [Fault("file", .required, "The file has no rates.")] }
        return table.rates
    }

    private static func records(_ bytes: [UInt8]) throws(FaultList) -> [CSVReader.Record] {
        var reader = CSVReader(bytes)
        var records: [CSVReader.Record] = []
        while true {
            let next: CSVReader.Record?
            do { next = try reader.next() } catch {
                throw [Fault("line \(error.line)", FaultCode(error.kind), Sentence(error.kind))]
            }
            guard let next else { return records }
            guard records.count < maximumRows else { throw tooManyRows }
            records.append(next)
        }
    }

    private static let tooManyRows: FaultList = [
        Fault("file", .outOfRange, "Must have at most \(maximumRows) rows.")
    ]

    /// Nil for a currency that is not read.
    static func currency(_ code: String) -> Currency? { Currency(code: code).flatMap { $0 == .eur ? nil : $0 } }

    fileprivate static func trimmed(_ text: String) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    /// `2026-11-20`, or as in the daily table `20 November 2026`.
    fileprivate static func day(_ text: String) -> CalendarDay? {
        if let day = CalendarDay(iso: text) { return day }
        let parts = text.split(separator: " ")
        let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ]
        guard parts.count == 3, let day = Int(parts[0]), let year = Int(parts[2]),
            let month = months.firstIndex(of: String(parts[1]))
        else { return nil }
        return CalendarDay(year: year, month: month + 1, day: day)
    }
}

private struct Table {
    let columns: Int
    /// Nil for a column that is not read.
    let currencies: [Currency?]
    var rates: [DatedRate] = []
    var days: Set<CalendarDay> = []
    var faults = FaultList(limit: 20)

    mutating func add(_ record: CSVReader.Record) {
        let line = "line \(record.line)"
        guard record.fields.count == columns else {
            faults.note(Fault(line, .wrongFieldCount, "Must have as many fields as the header: \(columns)."))
            return
        }
        guard let day = ReferenceRateFile.day(ReferenceRateFile.trimmed(record.fields[0])) else {
            faults.note(Fault(line, .invalidDay, "Must begin with a day such as 2026-11-20."))
            return
        }
        guard days.insert(day).inserted else {
            faults.note(Fault(line, .duplicate, "The day occurs twice."))
            return
        }
        for (currency, field) in zip(currencies, record.fields.dropFirst()) {
            guard let currency else { continue }
            let text = ReferenceRateFile.trimmed(field)
            if text.isEmpty || text == "N/A" { continue }
            guard let rate = ExchangeRate(text) else {
                let code = currency.code
                faults.note(Fault(line, .invalidAmount, "The rate of \(code) must be a number greater than 0."))
                continue
            }
            rates.append(DatedRate(currency: currency, on: day, rate: rate))
        }
    }
}
