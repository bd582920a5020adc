import JSONWire
import SubGuardDomain

/// The line that `serve` prints for its parent process.
package enum StartLine {
    /// The line on standard output once the server listens on `port`, including the line end: text, or one JSON object
    /// with `log_format: json`.
    package static func listening(_ settings: Settings, port: Int) -> String {
        let host = settings[\.host]
        let authority = host.contains(":") ? "[\(host)]" : host
        let url = "\(settings.usesTLS ? "https" : "http")://\(authority):\(port)"
        guard settings[\.logFormat] == .json else { return "subguardd \(BuildInfo.version) listening on \(url)\n" }
        return json("notice", "listening", [("version", BuildInfo.version), ("url", url)])
    }

    /// The line on standard error when the server does not start, as JSON.
    package static func failed(_ error: any Error) -> String {
        json("critical", "not started", [("error", "\(error)")])
    }

    private static func json(_ level: String, _ message: String, _ fields: [(String, String)]) -> String {
        var writer = JSONWriter(capacity: 256)
        writer.beginObject()
        writer.field("time", OpenStore.now().rfc3339)
        writer.field("level", level)
        writer.field("message", message)
        for (name, value) in fields { writer.field(name, value) }
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self) + "\n"
    }
}
