import JSONWire
import Testing

@Suite struct FaultListTests {
    @Test func keepsTheFirstHundredAndCountsTheOthers() {
        var faults = FaultList<Int>()
        #expect(faults.isEmpty)
        for number in 0..<250 { faults.note(number) }
        #expect(Array(faults) == Array(0..<100))
        #expect((faults.keptCount, faults.omitted, faults.total, faults.room) == (100, 150, 250, 0))
        #expect(faults.isFull)
        #expect(faults.first == 0)
    }

    @Test func makesNothingOfAFaultThatItDoesNotKeep() {
        var made = 0
        func fault() -> Int {
            made += 1
            return made
        }
        var faults = FaultList<Int>(limit: 2)
        for _ in 0..<1000 { faults.note(fault()) }
        #expect(made == 2)
    }

    @Test func isNotEmptyWhenAllWasCountedOnly() {
        var faults = FaultList<String>(limit: 0)
        faults.note("x")
        #expect(!faults.isEmpty)
        #expect(Array(faults) == [])
        #expect(faults.omitted == 1)
        #expect(FaultList<String>(limit: -1).limit == 0)
    }

    @Test func takesUpTheFaultsOfAPart() {
        var whole = FaultList<Int>(limit: 3)
        whole.note(1)
        var part = FaultList<Int>(limit: 5)
        for number in 2...8 { part.note(number) }
        whole.note(contentsOf: part)
        #expect(Array(whole) == [1, 2, 3])
        #expect(whole.total == 8)
        #expect(whole.mapping { "\($0)" }.omitted == 5)
        #expect(Array(whole.mapping { "\($0)" }) == ["1", "2", "3"])
    }

    @Test func isEqualToALiteralOfTheSameFaults() {
        var faults = FaultList<Int>(limit: 7)
        faults.note(1)
        #expect(faults == [1])
        faults.count(1)
        #expect(faults != [1])
        #expect(FaultList<Int>(arrayLiteral: 1, 2).map { $0 } == [1, 2])
    }
}
