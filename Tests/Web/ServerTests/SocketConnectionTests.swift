import CEpoll
import Foundation
import TestKit
import Testing

@testable import HTTPServer

@Suite struct SocketConnectionTests {
    @Test func aHostHasItsAddressesOfIPv4First() {
        let found = SocketConnection.addresses(of: "localhost", port: 80)
        #expect(found.first.map { SocketAddress($0).description } == "127.0.0.1")
        #expect(SocketConnection.addresses(of: "::1", port: 80).map { SocketAddress($0).isLoopback } == [true])
        #expect(SocketConnection.addresses(of: "no such host", port: 80).isEmpty)
    }

    /// Whether a connection to the port is made, after its socket is writable.
    private func connects(to port: Int) throws -> Bool {
        let address = try #require(SocketConnection.addresses(of: "127.0.0.1", port: port).first)
        guard let descriptor = SocketConnection.begin(address) else { return false }
        defer { close(descriptor) }
        var subject = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        #expect(poll(&subject, 1, 10_000) == 1)
        return !SocketConnection.hasFailed(descriptor)
    }

    @Test func connectsWithoutWaiting() throws {
        let bound = try LoopbackSocket(backlog: 1)
        #expect(try connects(to: bound.port))
        close(bound.descriptor)
        #expect(try !connects(to: bound.port))
    }
}
