extension ReferenceRateFile {
    /// The rates of an XML file: `<Cube time="2026-11-20"><Cube currency="USD" rate="1.0823"/>…`.
    ///
    /// A file that ends too early is refused, as one with any other fault.
    package static func xml(_ bytes: [UInt8]) throws(FaultList) -> [DatedRate] {
        guard bytes.count <= maximumBytes else {
            throw [Fault("file", .outOfRange, "Must have at most \(maximumBytes >> 20) MB.")]
        }
        do {
            var reader = CubeReader(bytes)
            return try reader.read()
        } catch {
            throw [error]
        }
    }
}

/// Three readers in step, one for each attribute of an element.
private struct CubeReader {
    private var times: MarkupReader
    private var codes: MarkupReader
    private var values: MarkupReader
    private var depth = 0
    private var day: CalendarDay?
    private var dayDepth = 0
    private var rates: [DatedRate] = []
    private var seen: Set<DatedRate.Key> = []

    init(_ bytes: [UInt8]) {
        times = MarkupReader(bytes, attribute: "time")
        codes = MarkupReader(bytes, attribute: "currency")
        values = MarkupReader(bytes, attribute: "rate")
    }

    mutating func read() throws(Fault) -> [DatedRate] {
        while let event = try times.next() {
            let (code, value) = (try codes.next(), try values.next())
            switch event {
            case .start("Cube", let time):
                try begin(time, Self.attribute(code), Self.attribute(value))
            case .start: try descend()
            case .end:
                depth -= 1
                guard depth >= 0 else { throw Fault("file", .invalidFormat, "The markup is damaged.") }
                if depth < dayDepth { day = nil }
            case .text: break
            }
        }
        guard depth == 0 else { throw Fault("file", .invalidFormat, "The file ends too early.") }
        guard !rates.isEmpty else { throw Fault("file", .required, "The file has no rates.") }
        return rates
    }

    private static func attribute(_ event: MarkupReader.Event?) -> String? {
        if case .start(_, let value)? = event { value } else { nil }
    }

    private mutating func descend() throws(Fault) {
        depth += 1
        guard depth <= 16 else { throw Fault("file", .invalidFormat, "The markup is nested too deeply.") }
    }

    private mutating func begin(_ time: String?, _ code: String?, _ value: String?) throws(Fault) {
        try descend()
        if let time {
            guard let read = CalendarDay(iso: time) else {
                throw Fault("time", .invalidDay, "Must be a day such as 2026-11-20.")
            }
            (day, dayDepth) = (read, depth)
        }
        guard let code else { return }
        guard let day else { throw Fault("time", .required, "A rate has no day.") }
        guard let rate = value.flatMap({ ExchangeRate($0) }) else {
            throw Fault("rate", .invalidAmount, "The rate of \(code) on \(day.iso) must be a number greater than 0.")
        }
        guard let currency = ReferenceRateFile.currency(code) else { return }
        guard seen.insert(DatedRate.Key(currency: currency, on: day)).inserted else {
            throw Fault("rate", .duplicate, "\(code) has two rates on \(day.iso).")
        }
        rates.append(DatedRate(currency: currency, on: day, rate: rate))
    }
}

extension DatedRate {
    fileprivate struct Key: Hashable {
        let currency: Currency
        let on: CalendarDay
    }
}
