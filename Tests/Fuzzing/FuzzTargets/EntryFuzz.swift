import SubGuardDomain

/// Input: a file of reference rates, CSV or XML by its first character.
enum RatesFuzz {
    static func run(_ input: [UInt8]) throws(BrokenPromise) {
        guard let rates = try? ReferenceRateFile.read(input, unzip: { $0 }) else { return }
        try hold(!rates.isEmpty, "a file without rates that is accepted")
        var seen: Set<String> = []
        for rate in rates {
            try hold(rate.currency != .eur, "a rate of the euro itself")
            try hold(ExchangeRate(rate.rate.decimal) == rate.rate, "a rate that its own text does not give")
            try hold(seen.insert("\(rate.currency.code) \(rate.on)").inserted, "two rates of a currency on a day")
        }
    }
}

/// Input: a line of UTF-8.
enum QuickEntryFuzz {
    static func run(_ input: [UInt8]) throws(BrokenPromise) {
        let line = String(decoding: input, as: UTF8.self)
        let readings = QuickEntry.readings(of: line)
        let letters = { (text: String) in text.filter { !$0.isWhitespace } }
        try hold(readings.isEmpty == letters(line).isEmpty, "a line without a reading")
        for reading in readings {
            try hold(!reading.name.isEmpty, "a subscription without a name")
            try hold(letters(line).hasPrefix(letters(reading.name)), "a name that was not typed first")
            if let amount = reading.amount { try hold(AmountText.read(amount) != nil, "an amount that is none") }
            if let cycle = reading.cycle { try hold(BillingCycle(wire: cycle) != nil, "a cycle that is none") }
        }
        try hold(readings.last.map { letters($0.name) == letters(line) } ?? true, "words that are lost")
    }
}
