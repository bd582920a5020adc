import Foundation
import JSONWire
import SubGuardContract
import SubGuardDomain
import Testing

@testable import DeviceSimulation

/// The distributions that make the history realistic.
struct HistoryShapeTests {
    private static let allLives = Array(HistorySample.make(devices: 4000))
    private let lives = Self.allLives

    private func signups(daysBeforeEnd range: Range<Int>) -> Int {
        lives.filter { life in
            let age = life[0].timestamp.milliseconds(until: HistorySample.leapDay) / 86_400_000
            return range.contains(Int(age))
        }.count
    }

    @Test func signupsGrow() {
        let (old, new) = (signups(daysBeforeEnd: 56..<84), signups(daysBeforeEnd: 0..<28))
        #expect(old > 0)
        #expect(new > old * 3 / 2)
    }

    @Test func signupsDipOnWeekends() {
        let weekend = lives.filter { $0[0].timestamp.day.weekday >= 6 }.count
        let (perWeekendDay, perWeekday) = (weekend / 2, (lives.count - weekend) / 5)
        #expect(perWeekendDay * 10 < perWeekday * 8)
        #expect(perWeekendDay * 10 > perWeekday * 3)
    }

    @Test func fewerAndFewerComeBack() {
        let old = lives.filter { $0[0].timestamp < HistorySample.leapDay.adding(days: -40) }
        let counts = ["retention_d1", "retention_d7", "retention_d30"].map { name in
            old.filter { $0.count(of: name) > 0 }.count * 100 / old.count
        }
        #expect((40...70).contains(counts[0]))
        #expect((20...45).contains(counts[1]))
        #expect((5...25).contains(counts[2]))
    }

    @Test func popularItemsAreAddedMoreOften() {
        let named = lives.joined().filter { $0.name == "subscription_added" }
            .compactMap { $0.properties["catalogue_item_id"]?.stringValue }
        let counts = HistorySample.catalogue.map { item in named.filter { $0 == item.lowercased }.count }
        #expect(counts[0] == counts.max())
        #expect(counts[0] > counts[1] && counts[1] > counts[4] && counts[4] > counts[40])
        #expect(counts.filter { $0 > 0 }.count > 250)
    }

    @Test func someStayAndSomeLeave() {
        let active = lives.filter { life in
            life.last.map { $0.timestamp > HistorySample.leapDay.adding(days: -30) } == true
        }.count
        #expect((lives.count / 2..<lives.count * 9 / 10).contains(active))
    }
}
