// As in the source: which module owns sockaddr depends on the order in which headers are read.
import CEpoll
import Glibc
import HTTPWire
import TestKit
import Testing

@testable import HTTPServer

@Suite struct SocketAddressTests {
    private static func v4(_ text: String) -> SocketAddress {
        var storage = sockaddr_storage()
        withUnsafeMutableBytes(of: &storage) { bytes in
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = 0xFFFF
            inet_pton(AF_INET, text, &address.sin_addr)
            withUnsafeBytes(of: address) { bytes.copyMemory(from: $0) }
        }
        return SocketAddress(storage)
    }

    private static func v6(_ text: String) -> SocketAddress {
        var storage = sockaddr_storage()
        withUnsafeMutableBytes(of: &storage) { bytes in
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            inet_pton(AF_INET6, text, &address.sin6_addr)
            withUnsafeBytes(of: address) { bytes.copyMemory(from: $0) }
        }
        return SocketAddress(storage)
    }

    @Test(arguments: ["0.0.0.0", "127.0.0.1", "192.0.2.255", "255.255.255.255"])
    func writesIPv4(_ text: String) {
        #expect(Self.v4(text).description == text)
    }

    @Test(arguments: [("2001:db8::1", "2001:db8:0:0:0:0:0:1"), ("fe80::ffff:0:1", "fe80:0:0:0:0:ffff:0:1")])
    func writesIPv6(_ text: String, _ written: String) {
        #expect(Self.v6(text).description == written)
    }

    @Test func isTheSameForAMappedAddress() {
        #expect(Self.v6("::ffff:192.0.2.1") == Self.v4("192.0.2.1"))
        #expect(Self.v6("::ffff:192.0.2.1").description == "192.0.2.1")
        #expect(Self.v4("192.0.2.1") != Self.v4("192.0.2.2"))
    }

    @Test(arguments: [
        "", "192.0.2", "192.0.2.256", "192.0.2.1 ", "192.0.2.1\0.example", "::1\0", "[::1]", "fe80::1%eth0",
    ])
    func readsNothingButAnAddress(_ text: String) {
        #expect(SocketAddress(numeric: text) == nil)
        #expect(SocketAddress(numeric: "192.0.2.1")?.description == "192.0.2.1")
    }

    @Test func knowsLoopback() {
        for address in [Self.v4("127.0.0.1"), Self.v4("127.255.255.254"), Self.v6("::1"), Self.v6("::ffff:127.0.0.1")] {
            #expect(address.isLoopback)
        }
        for address in [
            Self.v4("128.0.0.1"), Self.v4("126.255.255.255"), Self.v6("::2"), Self.v6("::"), Self.v6("::127.0.0.1"),
            Self.v6("2001:db8::1"), SocketAddress.unknown,
        ] { #expect(!address.isLoopback) }
    }

    @Test func reachesTheHandler() throws {
        let server = try TestServer(extra: [
            .init(.get, "/peer") { request in TestRoutes.text("\(request.peer) \(request.peer.isLoopback)") }
        ])
        #expect(try server.get("/peer").text == "127.0.0.1 true")
    }
}
