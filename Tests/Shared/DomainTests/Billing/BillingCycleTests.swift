import SubGuardDomain
import Testing

@Suite struct BillingCycleTests {
    @Test(arguments: [
        ("daily", "Quotidien", "Daily"), ("weekly", "Hebdomadaire", "Weekly"),
        ("biweekly", "Toutes les deux semaines", "Every two weeks"),
        ("monthly", "Mensuel", "Monthly"), ("quarterly", "Trimestriel", "Quarterly"),
        ("semi_annual", "Semestriel", "Semi-annual"),
        ("yearly", "Annuel", "Yearly"), ("lifetime", "À vie", "Lifetime"),
        ("every:10d", "Tous les 10 jours", "Every 10 days"),
        ("every:2w", "Toutes les 2 semaines", "Every 2 weeks"), ("every:18m", "Tous les 18 mois", "Every 18 months"),
        ("every:2y", "Tous les 2 ans", "Every 2 years"), ("every:1d", "Tous les jours", "Every day"),
        ("every:1w", "Toutes les semaines", "Every week"),
        ("every:1m", "Tous les mois", "Every month"), ("every:1y", "Tous les ans", "Every year"),
        ("every:28d after payment", "Tous les 28 jours après paiement", "Every 28 days after payment"),
        ("every:1m after payment", "Tous les mois après paiement", "Every month after payment"),
    ])
    func hasAWireTextAndNames(_ wire: String, _ french: String, _ english: String) throws {
        let cycle = try #require(BillingCycle(wire: wire))
        #expect(cycle.wire == wire)
        #expect(cycle.displayName(.french) == french)
        #expect(cycle.displayName(.english) == english)
    }

    /// As a person says it: 13,49 € par mois.
    @Test(arguments: [
        ("daily", "par jour", "daily"), ("weekly", "par semaine", "weekly"),
        ("biweekly", "toutes les deux semaines", "every two weeks"), ("monthly", "par mois", "monthly"),
        ("quarterly", "par trimestre", "quarterly"), ("semi_annual", "par semestre", "semi-annual"),
        ("yearly", "par an", "yearly"), ("lifetime", "à vie", "lifetime"),
        ("every:18m", "tous les 18 mois", "every 18 months"),
        ("every:28d after payment", "tous les 28 jours après paiement", "every 28 days after payment"),
    ])
    func standsAfterAnAmount(_ wire: String, _ french: String, _ english: String) throws {
        let cycle = try #require(BillingCycle(wire: wire))
        #expect(cycle.phrase(.french) == french)
        #expect(cycle.phrase(.english) == english)
    }

    @Test(arguments: [
        "", "Monthly", "MONTHLY", "monthly ", "semi-annual", "semiannual", "semiAnnual", "annual", "every", "every:",
        "every:m", "every:0m", "every:01m",
        "every:1000d", "every:-1m", "every:+1m", "every:1.5m", "every:1", "every:1h", "every:1M", "every: 1m",
        "every:0d after payment", "monthly after payment", "every:28d after payment ", "every:28d  after payment",
        " after payment", "every:28d After payment", "every:1 m", "every:1mm", "every:1m ", "Every:1m",
        "every:١m", "every:99999999999999999999d", "once", "month\u{301}ly",
    ])
    func refusesOtherTexts(_ wire: String) {
        #expect(BillingCycle(wire: wire) == nil)
    }

    @Test func readsBackEveryInterval() {
        for unit in BillingUnit.allCases {
            for count in BillingInterval.countRange {
                let cycle = BillingCycle.every(count: count, unit: unit)
                #expect(cycle?.wire == "every:\(count)\(unit.rawValue)")
                #expect(cycle.flatMap { BillingCycle(wire: $0.wire) } == cycle)
            }
            for count in [0, -1, 1000, .max, .min] { #expect(BillingCycle.every(count: count, unit: unit) == nil) }
        }
    }

    @Test func aCycleThatIsCountedFromPaymentsIsAsLong() {
        for cycle in BillingCycle.named where cycle != .lifetime {
            let counted = cycle.countedFromPayment
            #expect(counted?.step == cycle.step, "\(cycle)")
            let (one, other) = (cycle.annualFactor, counted?.annualFactor ?? cycle.annualFactor)
            #expect(one.numerator * other.denominator == other.numerator * one.denominator, "\(cycle)")
            #expect(counted?.isCountedFromPayment == true && counted?.countedFromPayment == counted)
            #expect(counted.flatMap { BillingCycle(wire: $0.wire) } == counted)
        }
        #expect(BillingCycle.lifetime.countedFromPayment == nil)
    }

    @Test func readsBackEveryNamedCycle() {
        #expect(BillingCycle.named.count == 8)
        for cycle in BillingCycle.named { #expect(BillingCycle(wire: cycle.wire) == cycle) }
    }

    @Test func keepsEqualLengthsApart() {
        #expect(BillingCycle(wire: "every:12m") != .yearly)
        #expect(BillingCycle(wire: "every:2w") != .biweekly)
    }
}
