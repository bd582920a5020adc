import HTTPServer
import HTTPWire

/// Input: the value of the Host field, of the authority of an absolute target, and of `X-Forwarded-For`.
enum HostFuzz {
    static func run(_ input: [UInt8]) throws(BrokenPromise) {
        try checkAddress(String(decoding: input, as: UTF8.self))
        // Blanks around a field's value are not part of it, and these characters end an authority.
        guard !input.contains(where: { [0x09, 0x0A, 0x0D, 0x20, 0x2F, 0x3F].contains($0) }) else { return }
        let inField = accepts("GET / HTTP/1.1\r\nHost: ", input, "\r\n\r\n")
        let inTarget = accepts("GET http://", input, "/ HTTP/1.1\r\nHost: h\r\n\r\n")
        try hold(inField == inTarget, "a host here and none there")
        guard inField else { return }
        try hold(!input.isEmpty && input.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a host with an odd octet")
        try hold(!input.contains { Array("@#\\<>\"{}|^`%".utf8).contains($0) }, "a host with a delimiter in it")
        try hold(input.first != UInt8(ascii: ":"), "a port without a host")
    }

    private static func accepts(_ before: String, _ host: [UInt8], _ after: String) -> Bool {
        var parser = RequestParser(limits: HTTPLimits())
        var head = RequestHead()
        let bytes = Array(before.utf8) + host + Array(after.utf8)
        return (try? bytes.withUnsafeBytes { try parser.next($0, head: &head) })?.event == .head
    }

    private static func checkAddress(_ text: String) throws(BrokenPromise) {
        guard let address = SocketAddress(numeric: text) else { return }
        try hold(
            text.utf8.allSatisfy { Array("0123456789abcdefABCDEF:.".utf8).contains($0) }, "an address with an odd octet"
        )
        try hold(SocketAddress(numeric: address.description) == address, "written again, it is another address")
    }
}
