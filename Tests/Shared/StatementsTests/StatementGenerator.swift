import Foundation
import SubGuardDomain
import TestKit

/// Writes the bank statements of an invented household: two years with 18 subscriptions among 1,500 other payments.
///
/// Modelled on how statements look: bookings move to the next working day, texts carry cities, cards and references,
/// shops are visited at habitual days and prices, services raise prices, skip a month, refund, begin and end.
struct StatementGenerator {
    /// A subscription of the household, as it should be found.
    struct Truth: Hashable {
        /// The name by which the payee is known in the texts, folded.
        var payee: String
        var cycle: BillingCycle
        var lastUnits: Int64
        var count: Int
    }

    struct Payment {
        var on: CalendarDay
        /// Negative when spent.
        var units: Int64
        var merchant: String
        var city: String
        var kind: Kind
        var truth: String?
    }

    enum Kind { case card, debit, transfer, income, cash }

    var random: SeededRandom
    let first: CalendarDay
    let last: CalendarDay
    private(set) var payments: [Payment] = []
    private(set) var truths: [Truth] = []

    init(seed: UInt64, purchases: Int = 1500, subscriptions: Int = 18) {
        random = SeededRandom(seed: seed)
        first = CalendarDay(year: 2024, month: 3, day: 1) ?? .earliest
        last = first.adding(days: 730)
        addSubscriptions(subscriptions)
        addPurchases(purchases)
        addIncome()
        payments.sort { $0.on < $1.on }
    }

    private mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
    private mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
    private mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }

    /// The day on which a bank books what is due: not on weekends, and cards some days later.
    private mutating func booked(_ due: CalendarDay, _ kind: Kind) -> CalendarDay {
        var day = due
        if kind == .card { day = day.adding(days: pick([0, 0, 1, 1, 2])) }
        while day.weekday > 5 { day = day.adding(days: 1) }
        return day
    }

    // MARK: Subscriptions

    private struct Service {
        var text: String
        var prices: [Int64]
        var kind: Kind
        var cycle: BillingCycle = .monthly
        /// Percent by which each bill may differ.
        var drift = 0
    }

    private static let monthly: [Service] = [
        Service(text: "NETFLIX.COM", prices: [549, 1349, 1999], kind: .card),
        Service(text: "SPOTIFY AB", prices: [1099, 1712], kind: .card),
        Service(text: "PAYPAL *DISNEYPLUS", prices: [599, 899, 1199], kind: .card),
        Service(text: "GOOGLE *YouTubePremium", prices: [1299, 2399], kind: .card),
        Service(text: "FREE MOBILE", prices: [1999, 999], kind: .debit),
        Service(text: "ORANGE SA", prices: [3299, 4499], kind: .debit, drift: 12),
        Service(text: "EDF CLIENTS PARTICULIERS", prices: [8900, 12000], kind: .debit, drift: 35),
        Service(text: "VATTENFALL EUROPE SALES", prices: [6400, 7700], kind: .debit),
        Service(text: "MAIF", prices: [3817, 5240], kind: .debit),
        Service(
            text: "BASIC FIT", prices: [2299, 2999], kind: .debit, cycle: .every(count: 4, unit: .weeks) ?? .monthly),
        Service(text: "FITNESS STUDIO NORD", prices: [3990, 4500], kind: .debit),
        Service(text: "AUDIBLE", prices: [995], kind: .card),
        Service(text: "DROPBOX*F2KX8QJ4", prices: [1199], kind: .card),
        Service(text: "OPENAI *CHATGPT SUBSCR", prices: [2300], kind: .card, drift: 4),
        Service(text: "Adobe Creative Cloud", prices: [2621, 6785], kind: .card),
        Service(text: "LE MONDE", prices: [1099, 1299], kind: .card),
        Service(text: "Microsoft*Xbox Game Pass", prices: [1299, 1799], kind: .card),
        Service(text: "PlayStation Network", prices: [899], kind: .card),
        Service(text: "BOX 12 STOCKAGE LYON SUD", prices: [5900, 8450], kind: .debit),
        Service(text: "CANAL PLUS FRANCE", prices: [2299, 3499], kind: .debit),
        Service(text: "HELLOFRESH", prices: [5490], kind: .card, cycle: .weekly),
        Service(text: "ECOLE DE MUSIQUE ARPEGE", prices: [6500], kind: .debit),
        Service(text: "OVH SAS", prices: [719, 1439], kind: .card),
        Service(text: "HETZNER ONLINE GMBH", prices: [595, 1131], kind: .card),
        Service(text: "DEEZER", prices: [1199], kind: .card),
        Service(text: "NYTIMES.COM", prices: [400], kind: .card, drift: 3),
        Service(text: "CLEANING CREW MARTINS", prices: [9600], kind: .debit),
        Service(text: "PATREON* MEMBERSHIP", prices: [600], kind: .card),
    ]
    private static let longer: [Service] = [
        Service(text: "AMAZON PRIME", prices: [6990, 4990], kind: .card, cycle: .yearly),
        Service(text: "1PASSWORD", prices: [3588], kind: .card, cycle: .yearly),
        Service(text: "NordVPN", prices: [5988], kind: .card, cycle: .yearly),
        Service(text: "ADAC E V", prices: [5400, 9400], kind: .debit, cycle: .yearly),
        Service(text: "STRAVA", prices: [5999], kind: .card, cycle: .yearly),
        Service(text: "ARD ZDF DRADIO BEITRAGSSERVICE", prices: [5508], kind: .debit, cycle: .quarterly),
        Service(text: "VEOLIA EAU", prices: [7412], kind: .debit, cycle: .quarterly, drift: 25),
        Service(text: "MUTUELLE DES BORDS DE LOIRE", prices: [12930], kind: .debit, cycle: .quarterly),
        Service(text: "TENNIS CLUB DU PARC", prices: [14500], kind: .debit, cycle: .semiAnnual),
    ]

    private mutating func addSubscriptions(_ count: Int) {
        var longer = Self.longer
        var monthly = Self.monthly
        var chosen: [Service] = []
        while chosen.count < min(count, 4) { chosen.append(longer.remove(at: below(longer.count))) }
        while chosen.count < count - 1 { chosen.append(monthly.remove(at: below(monthly.count))) }
        for service in chosen { add(service) }
        // A second one at a payee that also sells other things.
        if count > chosen.count {
            add(Service(text: "APPLE.COM/BILL", prices: [299, 999], kind: .card))
        }
    }

    private mutating func add(_ service: Service) {
        var units = pick(service.prices)
        // Most are older than the statement; some begin or end within it.
        let isLong = service.cycle == .yearly || service.cycle == .semiAnnual
        let begins = !isLong && chance(25) ? 90 + below(400) : 0
        let ends = !isLong && begins == 0 && chance(12) ? 300 + below(300) : 731
        let risesAt = chance(30) ? 150 + below(450) : Int.max
        let skipped = chance(12) ? 3 + below(8) : -1
        let refunded = chance(6) ? 2 + below(8) : -1
        let isTrial = begins > 0 && service.kind == .card && chance(30)
        let length = max(
            1, 365 / max(1, Int(service.cycle.annualFactor.numerator / service.cycle.annualFactor.denominator)))
        let anchor = first.adding(days: begins + below(min(length, 365)))
        let schedule = BillingSchedule(anchor: anchor, cycle: service.cycle)
        let text = service.text
        var truth = Truth(payee: text, cycle: service.cycle, lastUnits: units, count: 0)
        var number = 0
        var hasRisen = false
        while let due = schedule.day(at: number), due <= last {
            defer { number += 1 }
            guard first.days(until: due) < ends, number != skipped else { continue }
            if first.days(until: due) >= risesAt, !hasRisen {
                hasRisen = true
                units += units * Int64(5 + below(20)) / 100
            }
            var charged = isTrial && number == 0 ? 100 : units
            if service.drift > 0 { charged += units * Int64(below(2 * service.drift + 1) - service.drift) / 100 }
            let day = booked(due, service.kind)
            guard day <= last else { break }
            truth.lastUnits = units
            truth.count += 1
            payments.append(
                Payment(on: day, units: -charged, merchant: text, city: "", kind: service.kind, truth: text))
            if number == refunded {
                payments.append(
                    Payment(on: day.adding(days: 6), units: charged, merchant: text, city: "", kind: .card, truth: nil))
            }
        }
        if truth.count > 0 { truths.append(truth) }
    }

    // MARK: Other payments

    private struct Shop {
        var name: String
        /// How often, of all visits.
        var weight: Int
        var least: Int64
        var most: Int64
        /// Prices that are always the same.
        var fixed: [Int64] = []
        /// Days between visits; 0 for any day.
        var habit = 0
    }

    private static let shops: [Shop] = [
        Shop(name: "CARREFOUR CITY", weight: 60, least: 450, most: 6500),
        Shop(name: "LIDL 2231", weight: 50, least: 900, most: 9000),
        Shop(name: "MONOPRIX", weight: 25, least: 500, most: 7000, habit: 7),
        Shop(name: "E LECLERC", weight: 30, least: 3000, most: 16000, habit: 7),
        Shop(name: "BOULANGERIE PAUL", weight: 60, least: 120, most: 900, fixed: [120, 240, 345, 690]),
        Shop(name: "BACKWERK", weight: 20, least: 120, most: 900, fixed: [195, 390, 450]),
        Shop(name: "STARBUCKS", weight: 25, least: 420, most: 1100, fixed: [495, 545]),
        Shop(name: "SELECTA DISTRIBUTEUR", weight: 25, least: 60, most: 200, fixed: [60, 120, 150]),
        Shop(name: "CANTINE DU SIEGE", weight: 45, least: 700, most: 1400, fixed: [890]),
        Shop(name: "RATP TICKET", weight: 30, least: 215, most: 430, fixed: [215, 430]),
        Shop(name: "PARKING EFFIA", weight: 20, least: 150, most: 1800, fixed: [200, 400]),
        Shop(name: "TOTAL ACCESS", weight: 15, least: 3500, most: 8500, habit: 14),
        Shop(name: "SHELL 0451", weight: 12, least: 3000, most: 8200),
        Shop(name: "AMAZON EU SARL", weight: 40, least: 599, most: 12000),
        Shop(name: "AMZN MKTP DE*2K4LM0", weight: 30, least: 399, most: 9000),
        Shop(name: "APPLE.COM/BILL", weight: 8, least: 99, most: 1499, fixed: [99, 399, 699]),
        Shop(name: "UBER *TRIP", weight: 25, least: 650, most: 3500),
        Shop(name: "UBER *EATS", weight: 20, least: 1500, most: 4500),
        Shop(name: "SNCF INTERNET", weight: 20, least: 1600, most: 12000),
        Shop(name: "COIFFEUR TENDANCE", weight: 6, least: 2500, most: 2500, fixed: [2500], habit: 36),
        Shop(name: "PHARMACIE DE LA GARE", weight: 18, least: 300, most: 4000),
        Shop(name: "DR MARTIN", weight: 8, least: 2650, most: 3000, fixed: [2650, 3000]),
        Shop(name: "PATHE CINEMA", weight: 10, least: 1150, most: 2300, fixed: [1150, 2300]),
        Shop(name: "DECATHLON", weight: 10, least: 700, most: 15000),
        Shop(name: "IKEA", weight: 6, least: 900, most: 30000), Shop(name: "ZARA", weight: 9, least: 1295, most: 8000),
        Shop(name: "STEAMGAMES.COM", weight: 8, least: 499, most: 5999, fixed: [999, 1999]),
        Shop(name: "FNAC", weight: 10, least: 800, most: 20000),
        Shop(name: "LA POSTE", weight: 8, least: 143, most: 2500),
        Shop(name: "PIZZERIA ROMA", weight: 15, least: 1400, most: 5200),
        Shop(name: "SUSHI SHOP", weight: 10, least: 1800, most: 4800),
        Shop(name: "BRASSERIE LE PARC", weight: 15, least: 1600, most: 7000),
        Shop(name: "MCDONALDS 118", weight: 18, least: 690, most: 2800),
        Shop(name: "DM DROGERIE", weight: 18, least: 400, most: 4500),
        Shop(name: "REWE MARKT", weight: 35, least: 600, most: 8000),
        Shop(name: "ALDI SUED", weight: 30, least: 500, most: 7000),
        Shop(name: "LAVAGE AUTO BLEU", weight: 8, least: 1000, most: 1000, fixed: [1000], habit: 25),
        Shop(name: "FLEURS DU MARCHE", weight: 6, least: 1200, most: 4000),
        Shop(name: "VINTED", weight: 15, least: 400, most: 4000),
        Shop(name: "BOOKING.COM", weight: 4, least: 6000, most: 60000),
        Shop(name: "RYANAIR", weight: 4, least: 2999, most: 20000),
        Shop(name: "PRESSE RELAY", weight: 12, least: 200, most: 1500, fixed: [320]),
        Shop(name: "SUMUP *MARCHE BIO", weight: 20, least: 500, most: 4500, habit: 7),
        Shop(name: "VETERINAIRE DES LILAS", weight: 4, least: 4500, most: 16000),
        Shop(name: "BRICO DEPOT", weight: 10, least: 500, most: 18000),
        Shop(name: "KFC", weight: 8, least: 800, most: 3000),
        Shop(name: "PISCINE MUNICIPALE", weight: 14, least: 350, most: 700, fixed: [350], habit: 7),
    ]
    private static let cities = ["PARIS", "LYON 03", "BERLIN", "VILLEURBANNE", "PARIS 10", "NANTES"]

    private mutating func addPurchases(_ count: Int) {
        let weights = Self.shops.reduce(0) { $0 + $1.weight }
        for shop in Self.shops {
            let visits = max(1, count * shop.weight / weights)
            let home = pick(Self.cities)
            var day = first.adding(days: below(20))
            for _ in 0..<visits {
                if shop.habit > 0 {
                    day = day.adding(days: max(1, shop.habit - 3 + below(7)))
                    if day > last { day = first.adding(days: below(730)) }
                } else {
                    day = first.adding(days: below(731))
                }
                let units =
                    !shop.fixed.isEmpty && chance(85)
                    ? pick(shop.fixed) : shop.least + Int64(below(Int(shop.most - shop.least) + 1))
                payments.append(
                    Payment(
                        on: min(booked(day, .card), last), units: -units, merchant: shop.name,
                        city: chance(85) ? home : pick(Self.cities), kind: .card, truth: nil))
            }
        }
        for _ in 0..<(count / 60) {
            payments.append(
                Payment(
                    on: first.adding(days: below(731)), units: -Int64(2000 * (1 + below(5))), merchant: "RETRAIT DAB",
                    city: pick(Self.cities), kind: .cash, truth: nil))
        }
    }

    private mutating func addIncome() {
        for month in 0..<24 {
            let start = first.adding(months: month)
            payments.append(
                Payment(
                    on: booked(start.adding(days: 27), .transfer), units: 284_512, merchant: "EMPLOYEUR SA", city: "",
                    kind: .income, truth: nil))
            payments.append(
                Payment(
                    on: booked(start.adding(days: 2), .transfer), units: -20_000, merchant: "LIVRET EPARGNE", city: "",
                    kind: .transfer, truth: nil))
            payments.append(
                Payment(
                    on: booked(start.adding(days: 4), .transfer), units: -95_000, merchant: "M DURAND LOYER", city: "",
                    kind: .transfer, truth: nil))
        }
    }
}
