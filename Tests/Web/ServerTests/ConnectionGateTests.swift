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
        #expect(try gate.crowd(of: address("2001:db8:0:100::1")) == nil, "it has few")
        gate.leave(try address("2001:db8:0:100::1"))
        #expect(try entered("2001:db8:0:102::1") == 1, "who leaves makes room in every network")
    }

    @Test func namesThoseWhoHaveMoreThanAFew() throws {
        var limits = ConnectionLimits()
        limits.isExempt = { $0.isLoopback }
        let gate = ConnectionGate(limits)
        func crowd(_ text: String, adding count: Int) throws -> Int? {
            let peer = try #require(SocketAddress(numeric: text))
            for _ in 0..<count { _ = gate.enter(peer) }
            return gate.crowd(of: peer)
        }
        #expect(try crowd("203.0.113.7", adding: 64) == nil)
        #expect(try crowd("203.0.113.7", adding: 1) == 65)
        #expect(try crowd("127.0.0.1", adding: 1000) == nil, "exempt")
        // One of each /64 of a /48: together they are many.
        for number in 0..<259 { _ = try crowd("2001:db8:0:\(String(number << 6, radix: 16))::1", adding: 1) }
        #expect(try crowd("2001:db8:0:ffff::1", adding: 1) == 65)
    }
}
