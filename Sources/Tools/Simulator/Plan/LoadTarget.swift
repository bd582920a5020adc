import Foundation

/// The server that the traffic goes to. Plain HTTP only: what is to be measured is the server, and a load tool that
/// encrypts needs as much CPU as it does.
package struct LoadTarget: Sendable, Equatable {
    /// Without brackets.
    package let host: String
    package let port: Int

    /// Reads `http://HOST:PORT`. The port is 80 by default.
    package init(_ text: String) throws(LoadOptionError) {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme, let host = parts.host, !host.isEmpty
        else { throw LoadOptionError("--url", "'\(text)' is not an address such as http://127.0.0.1:8080") }
        guard scheme.lowercased() == "http" else {
            throw LoadOptionError("--url", "only http is spoken here, no TLS; use the server's plain port")
        }
        guard parts.path.isEmpty || parts.path == "/", parts.query == nil, parts.fragment == nil, parts.user == nil,
            parts.password == nil
        else { throw LoadOptionError("--url", "takes a host and a port and nothing else") }
        let port = parts.port ?? 80
        guard (1...65_535).contains(port) else { throw LoadOptionError("--url", "\(port) is no port") }
        self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        self.port = port
    }

    /// What the `Host` field says.
    package var authority: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
}
