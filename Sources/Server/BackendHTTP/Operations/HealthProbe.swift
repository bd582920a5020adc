import Foundation
import HTTPServer
import HTTPServerTLS

/// Checks whether the server on this machine is ready. For container health checks without a shell or curl.
package enum HealthProbe {
    /// Whether `/readyz` returns 200 within about `timeoutSeconds`.
    package static func isReady(host: String, port: Int, usesTLS: Bool, timeoutSeconds: Int = 3) -> Bool {
        guard let descriptor = SocketConnection.open(host: host, port: port, timeoutSeconds: timeoutSeconds) else {
            return false
        }
        defer { close(descriptor) }
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
