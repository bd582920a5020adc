import Testing

@testable import HTTPServer

@Suite struct ConnectionGateTests {
    @Test func countsIPv6NetworksByThreeWidths() throws {
        var limits = ConnectionLimits()
        limits.perClient = 2
        limits.isExempt = { _ in false }
        let gate = ConnectionGate(limits)
        func address(_ text: String) throws -> SocketAddress { try #require(SocketAddress(numeric: text)) }
        func entered(_ text: String) throws -> Int {
            let peer = try address(text)
            return (0..<10).count { _ in gate.enter(peer) != nil }
        }
        #expect(try entered("2001:db8:0:100::1") == 2)
        #expect(try entered("2001:db8:0:100:ffff::1") == 0)
        #expect(try entered("2001:db8:0:101::1") == 2)
        #expect(try entered("2001:db8:0:102::1") == 0, "the /56 has twice as many")
        #expect(try entered("2001:db8:0:200::1") == 2)
        #expect(try entered("2001:db8:0:300::1") == 2)
        #expect(try entered("2001:db8:0:400::1") == 0, "the /48 has four times as many")
        #expect(try entered("203.0.113.7") == 2)
        #expect(try entered("203.0.113.8") == 2)
        gate.leave(try address("2001:db8:0:100::1"))
        #expect(try entered("2001:db8:0:102::1") == 1, "who leaves makes room in every network")
    }
}
