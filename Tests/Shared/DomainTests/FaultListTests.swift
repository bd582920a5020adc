import SubGuardDomain
import Testing

@Suite struct FaultListTests {
    private static func fault(_ number: Int) -> Fault { Fault("#/items/\(number)", .required, "Must be given.") }

    @Test func keepsTheFirstHundredAndCountsTheOthers() {
        var faults = FaultList()
        #expect(faults.isEmpty)
        for number in 0..<250 { faults.note(Self.fault(number)) }
        #expect(Array(faults) == (0..<100).map(Self.fault))
        #expect((faults.keptCount, faults.omitted, faults.total, faults.room) == (100, 150, 250, 0))
        #expect(faults.isFull)
        #expect(faults.first == Self.fault(0))
    }

    @Test func makesNothingOfAFaultThatItDoesNotKeep() {
        var made = 0
        func fault() -> Fault {
            made += 1
            return Self.fault(made)
        }
        var faults = FaultList(limit: 2)
        for _ in 0..<1000 { faults.note(fault()) }
        #expect(made == 2)
    }

    @Test func isNotEmptyWhenAllWasCountedOnly() {
        var faults = FaultList(limit: 0)
        faults.note(Self.fault(1))
        #expect(!faults.isEmpty)
        #expect(Array(faults) == [])
        #expect(faults.omitted == 1)
        #expect(FaultList(limit: -1).limit == 0)
    }

    @Test func takesUpTheFaultsOfAPart() {
        var whole = FaultList(limit: 3)
        whole.note(Self.fault(1))
        var part = FaultList(limit: 5)
        for number in 2...8 { part.note(Self.fault(number)) }
        whole.note(contentsOf: part)
        #expect(Array(whole) == (1...3).map(Self.fault))
        #expect(whole.total == 8)
    }

    @Test func placesFaultsBelowTheValueThatHoldsThem() {
        var faults: FaultList = [Fault("name", .required, "d"), Fault("aliases/0", .blank, "d")]
        faults.count(4)
        let placed = faults.within("#/items/7")
        #expect(placed.map(\.pointer) == ["#/items/7/name", "#/items/7/aliases/0"])
        #expect(placed.map(\.code) == [.required, .blank])
        #expect(placed.omitted == 4)
    }

    @Test func isEqualToALiteralOfTheSameFaults() {
        var faults = FaultList(limit: 7)
        faults.note(Self.fault(1))
        #expect(faults == [Self.fault(1)])
        faults.count(1)
        #expect(faults != [Self.fault(1)])
    }
}
