import SubGuardDomain
import Testing

@Suite struct ReminderPlanTests {
    @Test(arguments: [
        ("default", "default"), ("", ""), ("none", ""), ("1,7,1", "7,1"), ("0", "0"), ("366", "366"), (" 7, 1", "7,1"),
        ("no-cancel_by", "default,no-cancel_by"), ("default,no-charge", "default,no-charge"),
        ("none,no-cancel_by,no-price_change", "none,no-cancel_by,no-price_change"),
        ("no-trial_end,3,no-charge", "3,no-charge,no-trial_end"),
    ])
    func readsAndWrites(_ text: String, _ wire: String) throws {
        let plan = try ReminderPlan(wire: text)
        #expect(plan.wire == wire)
        #expect(try ReminderPlan(wire: plan.wire) == plan)
    }

    @Test(arguments: [
        "x", "7,,1", "-1", "367", "7;1", "no-", "no-budget", "no-nothing", "7,1,", "1,2,3,4,5,6,7,8,9,10,11",
    ])
    func refusesTheRest(_ text: String) {
        #expect(throws: Fault.self) { try ReminderPlan(wire: text) }
    }

    @Test(arguments: [
        ("default", "as set for all", "comme réglé pour tous"), ("", "none", "aucun"),
        ("7,1,0", "7 days before, 1 day before, on the day", "7 jours avant, 1 jour avant, le jour même"),
        (
            "3,no-cancel_by", "3 days before (except: last day to cancel)",
            "3 jours avant (sauf : dernier jour pour résilier)"
        ),
    ])
    func isSaidInWords(_ wire: String, _ english: String, _ french: String) throws {
        let plan = try ReminderPlan(wire: wire)
        #expect(plan.displayText(.english) == english)
        #expect(plan.displayText(.french) == french)
    }

    @Test func thePolicyHoldsWhereThePlanSaysNothing() throws {
        var policy = ReminderPolicy()
        policy.days = [7, 1]
        let usual = ReminderPlan()
        #expect(policy.days(of: .charge, usual) == [7, 1])
        #expect(policy.days(of: .cancelBy, usual) == [14, 3])
        let own = try ReminderPlan(wire: "30,no-cancel_by")
        #expect(policy.days(of: .trialEnd, own) == [30])
        #expect(policy.days(of: .cancelBy, own).isEmpty)
        policy.kinds.remove(.charge)
        #expect(policy.days(of: .charge, own).isEmpty)
    }

    @Test func readsSettings() {
        #expect(ReminderPolicy.quietHours("22:00-08:00").map { [$0.from, $0.until] } == [1320, 480])
        #expect(ReminderPolicy.quietHours("none").map { [$0.from, $0.until] } == [0, 0])
        for text in ["", "22-8", "22:00-24:00", "22:00", "22:00-08:00-", "22:00–08:00"] {
            #expect(ReminderPolicy.quietHours(text) == nil, "\(text)")
        }
        #expect(ReminderPolicy.days("3,14, 3") == [14, 3] && ReminderPolicy.days("none") == [])
        for text in ["", "3,", "-1", "367", "a"] { #expect(ReminderPolicy.days(text) == nil, "\(text)") }
        #expect(ReminderPolicy.kinds("charge, budget") == [.charge, .budget])
        #expect(ReminderPolicy.kinds("charges") == nil && ReminderPolicy.kinds("") == nil)
    }
}
