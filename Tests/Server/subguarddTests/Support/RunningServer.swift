import Foundation
import JSONWire
import TestKit

/// A listening server.
final class RunningServer: Sendable {
    struct NotListening: Error, CustomStringConvertible {
        let output: String
        let errors: String
        var description: String { "the server does not listen. It wrote: \(output) \(errors)" }
    }

    let process: ChildProcess
    let port: Int

    init(_ process: ChildProcess) async throws {
        self.process = process
        let isHeard = try await holds(withinSeconds: 30) { process.hasEnded || Self.port(in: process.output) != nil }
        guard isHeard, let port = Self.port(in: process.output) else {
            throw NotListening(output: process.output, errors: process.errors)
        }
        self.port = port
    }

    /// Parses `subguardd X listening on http://127.0.0.1:PORT` (or https), or the `url` of the same line as JSON, once
    /// the line is complete.
    private static func port(in output: String) -> Int? {
        guard let line = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().first,
            line.hasPrefix("subguardd ") || line.hasPrefix("{"),
            let mark = line.firstRange(of: /(\ listening on |"url":")https?:\/\/127\.0\.0\.1:/)
        else { return nil }
        return Int(line[mark.upperBound...].prefix { $0.isNumber })
    }

    /// One request on a separate connection.
    func exchange(_ request: String) throws -> RawResponse {
        try RawClient(port: port, timeoutSeconds: 20).exchange(request)
    }

    func get(_ target: String, token: String? = nil) throws -> RawResponse {
        try exchange(RequestText.get(target, token: token))
    }

    /// The members of a JSON response.
    func json(_ target: String, token: String? = nil) throws -> JSONObject? {
        try JSONValue.parse(get(target, token: token).body).objectValue
    }

    /// Stops the process with a signal and waits for its end.
    @discardableResult
    func stop(signal: Int32 = SIGTERM) async throws -> ChildProcess.Ending {
        process.send(signal: signal)
        return try await process.ending(withinSeconds: 40)
    }
}

/// Requests as sent.
enum RequestText {
    static func get(_ target: String, token: String? = nil) -> String {
        let authorization = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        return "GET \(target) HTTP/1.1\r\nHost: h\r\n\(authorization)\r\n"
    }

    static func post(_ target: String, _ body: some Collection<UInt8>) -> [UInt8] {
        let head = """
            POST \(target) HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n\
            Content-Length: \(body.count)\r\n\r\n
            """
        return Array(head.utf8) + body
    }
}
