import SubGuardDomain

/// A cycle as one number, so that a walk over all standings reads no text for it.
enum CycleCode {
    private static let units: [BillingUnit] = [.days, .weeks, .months, .years]

    /// 0…7 for the named cycles in their order, and from 1000 on a thousand for each unit with the count added.
    static func code(_ cycle: BillingCycle) -> Int64 {
        switch cycle {
        case .daily: 0
        case .weekly: 1
        case .biweekly: 2
        case .monthly: 3
        case .quarterly: 4
        case .semiAnnual: 5
        case .yearly: 6
        case .lifetime: 7
        case .every(let interval):
            switch interval.unit {
            case .days: 1000 + Int64(interval.count)
            case .weeks: 2000 + Int64(interval.count)
            case .months: 3000 + Int64(interval.count)
            case .years: 4000 + Int64(interval.count)
            }
        }
    }

    static func cycle(_ code: Int64) -> BillingCycle? {
        if code < 1000 { return (0..<8).contains(code) ? BillingCycle.named[Int(code)] : nil }
        let unit = Int(code / 1000) - 1
        guard units.indices.contains(unit) else { return nil }
        return .every(count: Int(code % 1000), unit: units[unit])
    }
}

/// A currency's code as one number: its letters, one a byte.
enum CurrencyNumber {
    static func number(_ currency: Currency) -> Int64 { currency.code.utf8.reduce(0) { $0 << 8 | Int64($1) } }

    static func currency(_ number: Int64) -> Currency? {
        let letters = [16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        return Currency(code: String(decoding: letters, as: UTF8.self))
    }
}

/// Remembers the currencies of a walk: most stores have one or two.
struct CurrencyMemory {
    private var known: [(number: Int64, currency: Currency)] = []

    mutating func currency(_ number: Int64) throws -> Currency {
        for entry in known where entry.number == number { return entry.currency }
        guard let currency = CurrencyNumber.currency(number) else { throw DeviceStoreError.storage("unknown currency") }
        known.append((number, currency))
        return currency
    }
}
