import JSONWire
import Outbound
import SubGuardDomain

/// The line that `serve` prints for its parent process.
package enum StartLine {
    /// The line on standard output once the server listens on `port`, including the line end: text, or one JSON object
    /// with `log_format: json`.
    package static func listening(_ settings: Settings, port: Int) -> String {
        let url = url(settings, host: settings[\.host], port: port)
        guard settings[\.logFormat] == .json else { return "subguardd \(BuildInfo.version) listening on \(url)\n" }
        return json("notice", "listening", [("version", BuildInfo.version), ("url", url)])
    }

    private static func url(_ settings: Settings, host: String, port: Int) -> String {
        if settings.listensOnUnixSocket { return host }
        let authority = host.contains(":") ? "[\(host)]" : host
        return "\(settings.usesTLS ? "https" : "http")://\(authority):\(port)"
    }

    /// The address for links to this server, without a slash at its end: `public_url`, else where it listens. A server
    /// that listens on every address is reached through localhost.
    package static func baseURL(_ settings: Settings) -> String {
        if let address = settings.publicAddress { return address.text }
        let host = settings[\.host]
        if settings.listensOnUnixSocket { return "\(settings.usesTLS ? "https" : "http")://localhost" }
        return url(settings, host: ["0.0.0.0", "::"].contains(host) ? "localhost" : host, port: settings[\.port])
    }

    /// The line on standard error when the server does not start, as JSON.
    package static func failed(_ error: any Error) -> String {
        json("critical", "not started", [("error", "\(error)")])
    }

    private static func json(_ level: String, _ message: String, _ fields: [(String, String)]) -> String {
        JSONWriter.text { writer in
            writer.field("time", OpenStore.now().rfc3339)
            writer.field("level", level)
            writer.field("message", message)
            for (name, value) in fields { writer.field(name, value) }
        } + "\n"
    }
}
