import Console
import Foundation
import ServerAccess
import TestKit
import Testing

/// Runs a test with a browser at a server of its own, signed in with a role unless that is nil.
func withBrowser(
    _ role: Role? = nil, settings: [String: String] = [:], _ body: (ConsoleBrowser, TestServer) throws -> Void
) throws {
    let server = try TestServer(settings: settings)
    defer { server.end() }
    let browser = ConsoleBrowser(server)
    if let role { try browser.signIn(try #require(server.tokens[role])) }
    try body(browser, server)
}

/// A form of a catalogue item as a browser sends it: what is not given is empty.
func itemForm(_ given: String) -> String {
    let names = Set(given.split(separator: "&").compactMap { $0.split(separator: "=").first.map(String.init) })
    let others = CatalogueForms.create.fields.map(\.name).filter { !names.contains($0) }
    return others.reduce(given) { "\($0)&\($1)=" }
}

/// What a browser does for the console: a host, cookies, form bodies.
final class ConsoleBrowser {
    let server: TestServer
    /// Another server of the same database; nil for the first one.
    var port: Int?
    var host = "localhost"
    var cookies: [String: String] = [:]
    /// Field lines of every request.
    var fields = ["Accept: text/html", "User-Agent: Test"]

    init(_ server: TestServer) { self.server = server }

    func get(_ target: String, _ more: String...) throws -> RawResponse {
        try send("GET", target, more, body: nil)
    }

    /// Posts a form as a page of the console would.
    func post(_ target: String, _ form: String = "", _ more: String...) throws -> RawResponse {
        try send("POST", target, more.isEmpty ? ["Sec-Fetch-Site: same-origin"] : more, body: form)
    }

    /// Posts a form and opens the page that it leads to.
    func submit(_ target: String, _ form: String) throws -> RawResponse {
        try follow(try post(target, form))
    }

    func follow(_ response: RawResponse) throws -> RawResponse {
        guard response.status == 303, let place = response["Location"] else { return response }
        return try get(place)
    }

    /// Posts a form with a file.
    func upload(
        _ target: String, texts: [(name: String, value: String)],
        file: (name: String, fileName: String, content: [UInt8])?
    ) throws -> RawResponse {
        try upload(target, texts: texts, files: file.map { [$0] } ?? [])
    }

    func upload(
        _ target: String, texts: [(name: String, value: String)],
        files: [(name: String, fileName: String, content: [UInt8])]
    ) throws -> RawResponse {
        var body: [UInt8] = []
        for (name, value) in texts {
            body += "--edge\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8
        }
        for file in files {
            let fileName = file.fileName.replacing("\"", with: "%22")
            body += "--edge\r\nContent-Disposition: form-data; name=\"\(file.name)\"; filename=\"\(fileName)\"\r\n".utf8
            body += "Content-Type: application/octet-stream\r\n\r\n".utf8
            body += file.content + "\r\n".utf8
        }
        body += "--edge--\r\n".utf8
        return try send(
            "POST", target, ["Sec-Fetch-Site: same-origin"], body: body, type: "multipart/form-data; boundary=edge")
    }

    func send(_ method: String, _ target: String, _ more: [String], body: String?) throws -> RawResponse {
        try send(
            method, target, more, body: body.map { Array($0.utf8) }, type: "application/x-www-form-urlencoded")
    }

    func send(
        _ method: String, _ target: String, _ more: [String], body: [UInt8]?, type: String
    ) throws -> RawResponse {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: \(host)"] + fields + more
        if !cookies.isEmpty {
            lines.append("Cookie: " + cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))
        }
        if let body {
            lines += ["Content-Type: \(type)", "Content-Length: \(body.count)"]
        }
        let head = lines.joined(separator: "\r\n") + "\r\n\r\n"
        let connection = try port.map { try RawClient(port: $0, timeoutSeconds: 20) } ?? server.connect()
        let response = try connection.exchange(Array(head.utf8) + (body ?? []))
        for line in response.values(of: "Set-Cookie") {
            let pair = line.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let (name, value) = (String(pair[0]), String(pair[1]))
            cookies[name] = line.contains("Max-Age=0") ? nil : value
        }
        return response
    }

    /// Signs in with a token.
    func signIn(_ token: String) throws {
        let response = try post("/console/login", "token=\(token)")
        #expect(response.status == 303)
    }

    var session: String? { cookies["subguard_console"] }
}
