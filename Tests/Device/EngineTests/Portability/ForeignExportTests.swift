import Foundation
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

/// Exports of other trackers: Wallos and SubTrackr.
@Suite struct ForeignExportTests {
    private func run(_ text: String, _ format: ImportFormat, in fixture: EngineFixture) throws -> ImportReport {
        try fixture.store.portability.importFile(Array(text.utf8), ImportOptions(format: format), at: fixture.moment)
    }

    @Test func readsExportsOfOthers() throws {
        let fixture = try EngineFixture(isPremium: false)
        let wallos = """
            {"success":true,"subscriptions":[
            {"Name":"Netflix","Payment Cycle":"Monthly","Next Payment":"2026-01-15","Category":"Entertainment",\
            "Price":"$15.99","Active":"Yes"},
            {"Name":"Adobe","Payment Cycle":"Every 2 Months","Next Payment":"2026-12-01","Price":"€59,99",\
            "Active":"No","Category":"No category"}]}
            """
        #expect(try run(wallos, .wallos, in: fixture).added.count == 2)
        let subTrackr = """
            ID,Name,Category,Cost,Currency,Schedule,Status,Payment Method,Account,Start Date,Renewal Date,\
            Cancellation Date,URL,Notes,Usage,Created At
            1,Gym,Health,29.90,USD,Weekly,Active,Visa,,2026-01-01,2026-12-01,,https://gym.example,,High,\
            2026-01-01 00:00:00
            """
        #expect(try run(subTrackr, .subtrackr, in: fixture).added.count == 1)
        let list = try fixture.store.subscriptions.list(at: fixture.moment)
        #expect(list.map(\.name) == ["Adobe", "Gym", "Netflix"])
        #expect(list.map(\.status) == [.paused, .active, .active])
        let adobe = try fixture.store.subscriptions.load(list[0].id)
        #expect(adobe.category == .other && adobe.details.isEmpty)
        #expect(list.map(\.nextBillingOn?.iso) == ["2026-12-01", "2026-12-01", "2026-12-15"])
        #expect(throws: DeviceStoreError.self) { try run("{\"foo\":\"bar\"}", .wallos, in: fixture) }
        #expect(throws: DeviceStoreError.self) { try run("a,b\n1,2\n", .subtrackr, in: fixture) }
    }

    @Test func anExportOfOthersIsImportedOnce() throws {
        let fixture = try EngineFixture("2026-11-20")
        let wallos = """
            [{"Name":"Gym","Payment Cycle":"Monthly","Next Payment":"2026-12-01","Price":"€30","Active":"Yes"},
            {"Name":"Gym","Payment Cycle":"Yearly","Next Payment":"2027-02-01","Price":"€99","Active":"Yes"},
            {"Name":"Old","Payment Cycle":"Monthly","Next Payment":"2026-10-05","Price":"€10","Active":"No",
            "Start Date":"2026-06-05","Cancellation Date":"2026-09-01"},
            {"Name":"Plan","Payment Cycle":"Monthly","Next Payment":"2026-12-05","Price":"€10","Active":"Yes",
            "Cancellation Date":"2027-01-01","Notes":"n"},
            {"Name":"Off","Payment Cycle":"Monthly","Next Payment":"2026-12-05","Price":"€10","Active":"No",
            "State":"Disabled","Cancellation Date":"2026-12-20"},
            {"Name":"Due","Payment Cycle":"Monthly","Next Payment":"2026-12-05","Price":"€10","State":"Enabled",
            "Cancellation Date":"2026-11-01"}]
            """
        #expect(try run(wallos, .wallos, in: fixture).added.count == 6)
        let first = try fixture.store.portability.export(.json, at: fixture.moment)
        let again = try run(wallos, .wallos, in: fixture)
        #expect(again.added.isEmpty && again.updated.count == 6)
        #expect(try fixture.store.portability.export(.json, at: fixture.moment) == first)
        // Charged from its start until it was cancelled.
        let old = try #require(try fixture.store.subscriptions.all().first { $0.name == "Old" })
        #expect(try fixture.store.totals.spending(of: old.id, at: fixture.moment).map(\.decimal) == ["30.00"])
        // The date is when to cancel what is active.
        let expected: [(String, SubscriptionStatus, String)] = [
            ("Plan", .active, "n\nCancel on 2027-01-01 (Wallos)"), ("Due", .active, "Cancel on 2026-11-01 (Wallos)"),
            ("Off", .cancelled, "Cancel on 2026-12-20 (Wallos)"), ("Old", .cancelled, ""),
        ]
        for (name, status, notes) in expected {
            let row = try #require(try fixture.store.subscriptions.list(at: fixture.moment).first { $0.name == name })
            #expect(row.status == status, "\(name)")
            let taken = try #require(try fixture.store.subscriptions.all().first { $0.name == name })
            #expect(taken.notes == notes && taken.cancelsOn(after: fixture.moment.today) == nil, "\(name)")
        }
        // Weeks later the same file takes no charge away.
        try fixture.go(to: "2027-03-20")
        let before = try fixture.store.totals.spending(at: fixture.moment)
        #expect(try run(wallos, .wallos, in: fixture).added.isEmpty)
        #expect(try fixture.store.totals.spending(at: fixture.moment) == before)
    }
}
