import Outbound
import TextCoding

/// One server of ClickHouse, reached over HTTP.
struct ClickHouseServer: Sendable {
    let url: EventSinkURL
    let host: String
    let password: String
    let limits: OutboundLimits
    let stop: OutboundStop
    /// The settings with which rows are inserted, as far as this version knows them.
    var insertSettings: Set<String> = []

    /// Inserts rows of the format RowBinary. The server keeps a block with a token it has seen only once, if its table
    /// supports that; the sink does not depend on it.
    func insert(_ rows: [UInt8], into table: String, columns: [String], token: String) throws(EventSinkError) {
        var settings: [(name: String, value: String)] = []
        // Rows must be stored when the server responds.
        if insertSettings.contains("async_insert") { settings.append(("async_insert", "0")) }
        if insertSettings.contains("insert_deduplication_token") {
            settings.append(("insert_deduplication_token", token))
        }
        let statement = "INSERT INTO \(table) (\(columns.joined(separator: ", "))) FORMAT RowBinary"
        try expectNothing(try send([("query", statement)] + settings, rows))
    }

    /// Runs a statement without a result.
    func execute(_ statement: String) throws(EventSinkError) {
        try expectNothing(try send([], Array(statement.utf8)))
    }

    /// ClickHouse responds to what has no result with an empty body; a page of another server must not count as
    /// success.
    private func expectNothing(_ body: [UInt8]) throws(EventSinkError) {
        guard body.isEmpty else { throw notClickHouse }
    }

    /// For a response that no ClickHouse gives.
    var notClickHouse: EventSinkError {
        EventSinkError("\(host): the server at port \(url.port) responds, but is not ClickHouse")
    }

    /// The rows of a query, as texts. No value may contain a tab or a line feed.
    func query(
        _ statement: String, settings: [(name: String, value: String)] = []
    ) throws(EventSinkError) -> [[String]] {
        let body = try send([("wait_end_of_query", "1")] + settings, Array("\(statement) FORMAT TabSeparated".utf8))
        return String(decoding: body, as: UTF8.self).split(separator: "\n").map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }

    /// The rows of a query in the format RowBinary.
    func read(_ statement: String) throws(EventSinkError) -> [UInt8] {
        try send([("wait_end_of_query", "1")], Array("\(statement) FORMAT RowBinary".utf8))
    }

    private func send(_ options: [(name: String, value: String)], _ body: [UInt8]) throws(EventSinkError) -> [UInt8] {
        guard let address = url.address(of: host, query: PercentCoding.encode(pairs: options)) else {
            throw EventSinkError("the address of \(host) is not valid")
        }
        var fields = [
            (name: "X-ClickHouse-User", value: url.user), (name: "Content-Type", value: "application/octet-stream"),
            // libcurl would wait for a response before it sends a large body.
            (name: "Expect", value: ""),
        ]
        if !password.isEmpty { fields.append((name: "X-ClickHouse-Key", value: password)) }
        var post = HTTPPost(url: address, fields: fields, body: body)
        post.needsOwnNetwork = !url.usesTLS
        let answer: HTTPPost.Answer
        do {
            // Other hosts are those that a cluster lists.
            let policy = TargetPolicy(allowsOwnNetworks: true, permittedHosts: url.names(host) ? [host] : [])
            answer = try post.send(policy: policy, limits: limits, stop: stop)
        } catch {
            throw EventSinkError("\(host): \(error)")
        }
        guard answer.status == 200 else {
            throw EventSinkError("\(host): \(Self.reason(answer.body, status: answer.status))")
        }
        return answer.body
    }

    /// The beginning of the server's message, on one line and without control characters.
    private static func reason(_ body: [UInt8], status: Int) -> String {
        let line = String(decoding: body.prefix(400), as: UTF8.self).split(whereSeparator: \.isNewline).first ?? ""
        let text = String(
            String.UnicodeScalarView(line.unicodeScalars.filter { $0.properties.generalCategory != .control }))
        if text.isEmpty { return "HTTP \(status)" }
        // An unknown table or database.
        let isUnknown = text.hasPrefix("Code: 60,") || text.hasPrefix("Code: 60.") || text.hasPrefix("Code: 81")
        return isUnknown ? "\(text) (`subguardd sink migrate` creates what is missing)" : text
    }
}

/// Why something could not be done in ClickHouse, for the operator. Contains no secret.
package struct EventSinkError: Error, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
