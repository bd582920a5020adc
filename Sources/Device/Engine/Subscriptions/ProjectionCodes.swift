import SQLDatabase
import SubGuardDomain
import SubGuardSQL

/// Cycles as integers, so that scans of the projection read no text for them.
enum CycleCode {
    private static let units: [BillingUnit] = [.days, .weeks, .months, .years]

    /// 0…7 for the named cycles, in their order; 1000, 2000, 3000 or 4000 plus the count for days, weeks, months and
    /// years; 4000 more for a cycle that is counted from payments.
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
            code(interval)
        case .afterPayment(let interval): afterPayment + code(interval)
        }
    }

    private static func code(_ interval: BillingInterval) -> Int64 {
        let thousands =
            switch interval.unit {
            case .days: 1000
            case .weeks: 2000
            case .months: 3000
            case .years: 4000
            }
        return Int64(thousands + interval.count)
    }

    private static let afterPayment: Int64 = 4000

    static func cycle(_ code: Int64) -> BillingCycle? {
        if code < 1000 { return (0..<8).contains(code) ? BillingCycle.named[Int(code)] : nil }
        if code >= afterPayment + 1000 { return cycle(code - afterPayment)?.countedFromPayment }
        let unit = Int(code / 1000) - 1
        guard units.indices.contains(unit) else { return nil }
        return .every(count: Int(code % 1000), unit: units[unit])
    }
}

/// Currency codes as integers: one byte per letter.
enum CurrencyNumber {
    static func number(_ currency: Currency) -> Int64 { currency.code.utf8.reduce(0) { $0 << 8 | Int64($1) } }

    static func currency(_ number: Int64) -> Currency? {
        let letters = [16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        return Currency(code: String(decoding: letters, as: UTF8.self))
    }
}

/// Caches the currencies of a scan: most databases have one or two.
struct CurrencyCache {
    private var known: [(number: Int64, currency: Currency)] = []

    mutating func currency(_ number: Int64) throws -> Currency {
        for entry in known where entry.number == number { return entry.currency }
        guard let currency = CurrencyNumber.currency(number) else {
            throw DeviceStoreError.storage("database error: unknown currency")
        }
        known.append((number, currency))
        return currency
    }
}

/// Caches the categories of a scan. Linear search: there are few, so it is faster than hashing or validating.
struct CategoryCache {
    private var known: [SubscriptionCategory] = SubscriptionCategory.builtIn

    mutating func category(_ wire: String) throws -> SubscriptionCategory {
        if let index = known.firstIndex(where: { $0.wire == wire }) {
            // Move frequent categories to the front.
            if index > 0 { known.swapAt(index, index - 1) }
            return known[max(index - 1, 0)]
        }
        let category = try SubscriptionCategory(wire)
        if known.count < 32 { known.append(category) }
        return category
    }
}

/// Statuses as integers, in the order of the cases.
enum StatusCode {
    private static let all = SubscriptionStatus.allCases

    static func code(_ status: SubscriptionStatus) -> Int { all.firstIndex(of: status) ?? 0 }

    static func status(_ code: Int64) throws -> SubscriptionStatus {
        guard all.indices.contains(Int(code)) else { throw SQLError.malformed("status") }
        return all[Int(code)]
    }
}
