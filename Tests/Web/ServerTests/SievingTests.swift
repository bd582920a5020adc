import Foundation
import HTTPServer
import HTTPTypes
import HTTPWire
import Synchronization
import TestKit
import Testing

/// Large bodies that pass through a sieve in pieces.
@Suite struct SievingTests {
    /// Keeps nothing and counts.
    private final class CountingSieve: BodySieve {
        private let state = Mutex((bytes: 0, pieces: 0))

        func take(_ piece: [UInt8]) -> [UInt8] {
            state.withLock { ($0.bytes, $0.pieces) = ($0.bytes + piece.count, $0.pieces + 1) }
            return []
        }

        var counted: (bytes: Int, pieces: Int) { state.withLock { $0 } }
    }

    private static let route = Route(
        .put, "/list", maximumBodyBytes: 8 << 20, sieve: { _ in CountingSieve() },
        .blocking { request in
            let counted = (request.sieved?.sieve as? CountingSieve)?.counted ?? (bytes: 0, pieces: 0)
            let text = "\(counted.bytes + request.body.count) \(counted.pieces > 0)"
            return Response(status: .ok, body: .bytes(Array(text.utf8)))
        })

    private static let piece = 256 << 10

    /// The request is complete also when its body ends with a piece of the sieve, after which no input comes.
    @Test(arguments: [piece - 1, piece, piece + 1, 2 * piece, 2 * piece + 7, 1_000_000, 3_500_000], [false, true])
    func answersWhereverTheBodyEnds(_ count: Int, _ isChunked: Bool) throws {
        let server = try TestServer(extra: [Self.route])
        for _ in 0..<3 {
            let client = try server.connect()
            let body = [UInt8](repeating: 0x61, count: count)
            if isChunked {
                try client.send("PUT /list HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
                try client.send(Array("\(String(count, radix: 16))\r\n".utf8) + body + Array("\r\n0\r\n\r\n".utf8))
            } else {
                try client.send(Array("PUT /list HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\n\r\n".utf8) + body)
            }
            let response = try client.readResponse()
            #expect(response.status == 200)
            #expect(response.text == "\(count) \(count >= Self.piece)")
        }
    }
}
