import Synchronization
import Testing

@testable import HTTPServer

@Suite struct AnswerBudgetTests {
    private static func body(_ bytes: Int) -> [UInt8] { [UInt8](repeating: UInt8(ascii: "a"), count: bytes) }

    @Test func givesBackWhenTheLastHolderGoes() throws {
        let budget = AnswerBudget(maximumBytes: 100_000)
        let body = Self.body(60_000)
        var first: HeldAnswer? = try budget.hold(body, for: .unlimited)
        var second: HeldAnswer? = try budget.hold(body, for: .unlimited)
        #expect(budget.mayLack(60_000, for: .unlimited))
        first = nil
        #expect(budget.mayLack(60_000, for: .unlimited), "the second one still holds it")
        second = nil
        #expect(!budget.mayLack(60_000, for: .unlimited))
        #expect(first == nil && second == nil)
    }

    /// The charge is the memory held, not the number of connections that wait for it.
    @Test func countsASharedBodyOnceInAllAndOnceForEachClient() throws {
        let budget = AnswerBudget(maximumBytes: 200_000)
        let shared = Self.body(30_000)
        let clients = (0..<10).map { _ in ClientAccount(isLimited: true) }
        var held: [HeldAnswer] = []
        for client in clients { for _ in 0..<50 { held.append(try budget.hold(shared, for: client)) } }
        let shares = clients.map { $0.answerBytes.load(ordering: .relaxed) }
        #expect(shares.allSatisfy { $0 == shared.capacity })
        #expect(!budget.mayLack(200_000 - shared.capacity, for: .unlimited))
        held = []
        #expect(clients.allSatisfy { $0.answerBytes.load(ordering: .relaxed) == 0 })
        #expect(!budget.mayLack(200_000, for: .unlimited))
    }

    @Test func limitsOneClientToAQuarter() throws {
        let budget = AnswerBudget(maximumBytes: 400_000)
        let (greedy, other) = (ClientAccount(isLimited: true), ClientAccount(isLimited: true))
        let first = try budget.hold(Self.body(80_000), for: greedy)
        #expect(throws: MemoryShortage.answersOfClient) { try budget.hold(Self.body(30_000), for: greedy) }
        let second = try budget.hold(Self.body(80_000), for: other)
        let exempt = try budget.hold(Self.body(200_000), for: .unlimited)
        #expect(throws: MemoryShortage.answers) { try budget.hold(Self.body(90_000), for: .unlimited) }
        // A rejected body is not charged.
        #expect(greedy.answerBytes.load(ordering: .relaxed) == first.bytes.capacity)
        withExtendedLifetime((first, second, exempt)) {}
    }
}
