import Foundation
import HTTPServer
import HTTPServerTLS

/// Checks whether the server on this machine is ready. For container health checks without a shell or curl.
package enum HealthProbe {
    /// Whether `/readyz` returns 200 within about `timeoutSeconds`.
    package static func isReady(host: String, port: Int, usesTLS: Bool, timeoutSeconds: Int = 3) -> Bool {
        // A wildcard address is not a valid target everywhere.
        let target = ["0.0.0.0": "127.0.0.1", "::": "::1"][host] ?? host
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(target, String(port), &hints, &found) == 0, let info = found?.pointee else { return false }
        defer { freeaddrinfo(found) }
        let descriptor = socket(info.ai_family, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var limit = timeval(tv_sec: timeoutSeconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        guard connect(descriptor, info.ai_addr, info.ai_addrlen) == 0 else { return false }
        let request = Array("GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        let good = Array("HTTP/1.1 200 ".utf8)
        if usesTLS {
            return TLSProbe.exchange(request, answerBytes: 64, descriptor: descriptor)?.starts(with: good) == true
        }
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return false }
        var answer = [UInt8](repeating: 0, count: 64)
        let count = recv(descriptor, &answer, answer.count, Int32(MSG_WAITALL))
        return count > 12 && answer.prefix(count).starts(with: good)
    }
}
