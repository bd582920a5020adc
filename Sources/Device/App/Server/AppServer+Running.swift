import Foundation
import Glibc
import HTML
package import SubGuardEngine

/// A server of another process that serves the same store.
extension AppServer {
    static let helloPath = "/hello"

    /// How long the other process may take to prove itself, in seconds.
    private static let timeoutSeconds = 2.0
    private static let maximumAnswerBytes = 65_536

    /// The address that lets one browser in to the server of another process of this program that serves the same
    /// store, on whatever port; nil if there is none.
    package static func runningAddress(store: DeviceStore, at moment: Moment) throws -> String? {
        for port in PortHolder.portsOfThisProgram() {
            if let address = try runningAddress(port: port, store: store, at: moment) { return address }
        }
        return nil
    }

    /// The address that lets one browser in to the server on a port of 127.0.0.1, if that reads the same store; else
    /// nil. Another user of this machine may have taken the port, so the code is not given out before the server has
    /// proved that it can read the database.
    package static func runningAddress(port: Int, store: DeviceStore, at moment: Moment) throws -> String? {
        guard (1...65_535).contains(port) else { return nil }
        let code = try store.browsers.makeCode(at: moment)
        let question = DeviceStore.Browsers.question(for: code)
        let proof = DeviceStore.Browsers.proof(for: code, port: port)
        guard answer(port: port, "\(helloPath)?question=\(question)").hasSuffix("\r\n\r\n\(proof)\n") else {
            try store.browsers.withdraw(code: code)
            return nil
        }
        return address(port: port, code: code)
    }

    /// Different each time, so that no browser has an earlier page for it, which another process may have put there.
    static func address(port: Int, code: String) -> String {
        let visit = UInt64.random(in: 0...UInt64.max)
        return "http://127.0.0.1:\(port)\(LaunchPages.link.text)?visit=\(String(visit, radix: 36))#\(code)"
    }

    /// What a port on 127.0.0.1 answers to a GET; empty if nothing listens there.
    private static func answer(port: Int, _ target: String) -> String {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var timeout = timeval(tv_sec: 0, tv_usec: 200_000)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &timeout, socklen_t(MemoryLayout<timeval>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { return "" }
        let request = Array("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n".utf8)
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return "" }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        // A stranger may send a byte now and then for ever.
        let end = ContinuousClock.now + .seconds(timeoutSeconds)
        while answer.count < maximumAnswerBytes, ContinuousClock.now < end {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 {
                answer.append(contentsOf: buffer[..<count])
            } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
                break
            }
        }
        return String(decoding: answer, as: UTF8.self)
    }
}
