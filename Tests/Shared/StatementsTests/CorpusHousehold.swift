import SubGuardDomain
import TestKit

/// A year and a half, or five months, of an invented household in one country: subscriptions with everything that hides
/// them, among payments that look like them.
struct CorpusHousehold {
    struct Payment {
        var on: CalendarDay
        /// Negative when spent.
        var units: Int64
        var how: How
        /// As the bank writes it.
        var name: String
        /// The subscription; nil for other payments.
        var truth: String?
    }

    enum How { case card, debit, order, cash, income, paypal }

    /// A subscription as it should be found.
    struct Truth {
        var name: String
        var cycle: BillingCycle
        var charges: Int
    }

    /// What hides a subscription.
    enum Twist: CaseIterable {
        case none, doubled, doubledNextDay, doubledAndRefunded, rises, misses, extra, sameDayContracts, nextDayContracts
    }

    let country: CorpusCountry
    private(set) var payments: [Payment] = []
    private(set) var truths: [Truth] = []
    private var random: SeededRandom
    private let first = CalendarDay(iso: "2025-01-01") ?? .earliest
    private let last: CalendarDay
    private let months: Int

    init(_ country: CorpusCountry, seed: UInt64, months: Int = 18) {
        self.country = country
        self.months = months
        last = first.adding(months: months).adding(days: -1)
        random = SeededRandom(seed: seed)
        let twists = Twist.allCases
        for (place, service) in country.monthly.enumerated() {
            // Debits are the bills of several contracts; so each twist meets each way to pay over the banks.
            add(service, twists[(place + Int(seed)) % twists.count])
        }
        addLong()
        addDistractors()
        payments.sort { ($0.on, $0.name, $0.units) < ($1.on, $1.name, $1.units) }
    }

    private mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

    private func booked(_ due: CalendarDay) -> CalendarDay {
        var day = due
        while day.weekday > 5 { day = day.adding(days: 1) }
        return day
    }

    // MARK: Subscriptions

    private mutating func add(_ service: CorpusCountry.Service, _ twist: Twist) {
        let day = 2 + below(24)
        let start = first.adding(months: months < 12 ? 0 : below(4)).adding(days: day - 1)
        var units = 599 + Int64(below(40)) * 100
        var truth = Truth(name: service.name, cycle: .monthly, charges: 0)
        var second = Truth(name: service.name + " 2", cycle: .monthly, charges: 0)
        let special = months < 12 ? 1 + below(3) : 3 + below(5)
        for number in 0... {
            let due = start.adding(months: number, anchorDay: day)
            let on = booked(due)
            guard on <= last.adding(days: -5) else { break }
            if twist == .rises, number == 7 { units += units / 8 }
            if twist == .misses, number == special { continue }
            pay(on, units, service, truth.name)
            truth.charges += 1
            switch twist {
            case .sameDayContracts:
                pay(on, units + 450, service, second.name)
                second.charges += 1
            case .nextDayContracts:
                pay(booked(due.adding(days: 1)), units, service, second.name)
                second.charges += 1
            default: break
            }
            guard number == special else { continue }
            switch twist {
            case .doubled: pay(on, units, service, nil)
            case .doubledNextDay: pay(booked(on.adding(days: 1)), units, service, nil)
            case .doubledAndRefunded:
                pay(on, units, service, nil)
                payments.append(
                    Payment(on: booked(on.adding(days: 4)), units: units, how: service.how, name: service.name))
            case .extra: pay(booked(on.adding(days: 11)), 3 * units + 71, service, nil)
            default: break
            }
        }
        truths.append(truth)
        if second.charges > 0 { truths.append(second) }
    }

    private mutating func pay(
        _ on: CalendarDay, _ units: Int64, _ service: CorpusCountry.Service, _ truth: String?
    ) {
        payments.append(Payment(on: on, units: -units, how: service.how, name: service.name, truth: truth))
    }

    private mutating func addLong() {
        // Weekly, now and then late by a holiday.
        let weekly = CorpusCountry.Service(country.weekly, .card)
        var count = 0
        for week in 0..<40 {
            let late = week % 9 == 4 ? 2 : week % 13 == 6 ? 3 : 0
            let on = first.adding(days: 10 + week * 7 + late)
            guard on <= last else { break }
            pay(on, 2490, weekly, weekly.name)
            count += 1
        }
        truths.append(Truth(name: weekly.name, cycle: .weekly, charges: count))
        guard months > 14 else { return }
        let yearly = CorpusCountry.Service(country.yearly, .debit)
        pay(first.adding(days: 75), 5988, yearly, yearly.name)
        pay(first.adding(days: 75 + 365), 5988, yearly, yearly.name)
        truths.append(Truth(name: yearly.name, cycle: .yearly, charges: 2))
    }

    // MARK: Other payments

    private mutating func addDistractors() {
        for shop in country.shops {
            for _ in 0..<(months * 2) {
                let on = booked(first.adding(days: below(months * 30)))
                payments.append(Payment(on: on, units: -Int64(180 + below(9000)), how: .card, name: shop))
            }
        }
        // A canteen at one price, whenever.
        for _ in 0..<(months * 4) {
            let on = booked(first.adding(days: below(months * 30)))
            payments.append(Payment(on: on, units: -890, how: .card, name: country.canteen))
        }
        for month in 0..<months {
            let begin = first.adding(months: month)
            for (place, person) in country.people.enumerated() {
                let on = booked(begin.adding(days: 1 + 6 * place))
                payments.append(Payment(on: on, units: -Int64(5000 + 1000 * place), how: .order, name: person))
            }
            payments.append(Payment(on: booked(begin.adding(days: 2)), units: -85_000, how: .order, name: country.rent))
            payments.append(Payment(on: booked(begin.adding(days: 9)), units: -31_250, how: .debit, name: country.loan))
            payments.append(Payment(on: booked(begin.adding(days: 14)), units: -22_000, how: .debit, name: country.tax))
            payments.append(Payment(on: booked(begin.adding(days: 19)), units: -6000, how: .cash, name: ""))
            payments.append(
                Payment(on: booked(begin.adding(days: 26)), units: 265_012, how: .income, name: country.employer))
        }
    }
}
