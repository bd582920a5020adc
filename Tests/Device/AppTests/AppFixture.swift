import Foundation
import Locking
import SubGuardClient
import SubGuardDomain
import SubGuardEngine
import TestKit
import Testing

@testable import DeviceApp

/// The app on a store in its own folder, with a browser that is let in.
final class AppFixture: Sendable {
    let folder: TemporaryFolder
    let store: DeviceStore
    let server: AppServer
    let cookie: String
    private let time: Guarded<Moment>

    init(
        _ now: String = "2026-11-20T10:00:00Z", language: DisplayLanguage = .english, isPremium: Bool = true,
        starter: StarterCatalogue? = nil, link: (DeviceStore) throws -> ServerLink? = { _ in nil }
    ) throws {
        folder = try TemporaryFolder()
        let zone = try #require(TimeZone(identifier: "Europe/Paris"))
        let moment = Moment(now: try #require(UTCInstant(rfc3339: now)), zone: zone)
        let time = Guarded(moment)
        self.time = time
        try StoreTemplate.device.place(at: folder.file("store.sqlite")) {
            try DeviceStore(path: $0, now: moment.now).close()
        }
        store = try DeviceStore(
            path: folder.file("store.sqlite"), now: moment.now, entitlement: isPremium ? .premium(until: nil) : .free,
            starter: starter)
        server = try AppServer(
            store: store, port: 0, language: language, link: try link(store), moment: { time.withLock { $0 } })
        cookie = try Self.letIn(server)
    }

    deinit {
        server.stop()
        try? store.close()
    }

    var moment: Moment { time.withLock { $0 } }
    var port: Int { server.port }
    var host: String { "127.0.0.1:\(port)" }

    func advance(seconds: Int64) {
        time.withLock {
            $0 = Moment(now: $0.now.adding(seconds: seconds), zone: TimeZone(identifier: "Europe/Paris") ?? .current)
        }
    }

    /// The cookie of a browser that has used a code.
    private static func letIn(_ server: AppServer) throws -> String {
        let code = try #require(try server.launchAddress().split(separator: "#").last)
        let response = try launch(server, String(code))
        return String(try #require(response["Set-Cookie"]?.split(separator: ";").first))
    }

    static func launch(_ server: AppServer, _ code: String, remember: Bool = false) throws -> RawResponse {
        try exchange(
            server, "POST", "/launch", ["Origin: http://127.0.0.1:\(server.port)"],
            form: [("code", code)] + (remember ? [("remember", "on")] : []))
    }

    static func exchange(
        _ server: AppServer, _ method: String, _ target: String, _ fields: [String] = [], host: String? = nil,
        form: [(String, String)]? = nil
    ) throws -> RawResponse {
        let unreserved = CharacterSet(
            charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
        let body = form.map { pairs in
            pairs.map { name, value in
                "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "")"
            }.joined(separator: "&")
        }
        var lines = ["\(method) \(target) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(server.port)")"] + fields
        if let body {
            lines += ["Content-Type: application/x-www-form-urlencoded", "Content-Length: \(body.utf8.count)"]
        }
        lines.append("Connection: close")
        return try RawClient.exchange(server.port, lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
    }

    func get(_ target: String, _ fields: String...) throws -> RawResponse {
        try Self.exchange(server, "GET", target, ["Cookie: \(cookie)"] + fields)
    }

    func post(_ target: String, _ form: [(String, String)], _ fields: String...) throws -> RawResponse {
        try Self.exchange(
            server, "POST", target, ["Cookie: \(cookie)", "Sec-Fetch-Site: same-origin"] + fields, form: form)
    }

    /// Sends a file as a browser does.
    func send(
        _ target: String, _ texts: [(String, String)], _ fileName: String, _ content: [UInt8], field: String = "file"
    ) throws -> RawResponse {
        let boundary = "----boundary\(content.count)"
        var body: [UInt8] = []
        for (name, value) in texts {
            body += Array("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
        }
        let name = fileName.replacing("\"", with: "%22")
        body += Array("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(field)\"; ".utf8)
        body += Array("filename=\"\(name)\"\r\nContent-Type: text/csv\r\n\r\n".utf8)
        body += content + Array("\r\n--\(boundary)--\r\n".utf8)
        let head = [
            "POST \(target) HTTP/1.1", "Host: \(host)", "Cookie: \(cookie)", "Origin: http://\(host)",
            "Content-Type: multipart/form-data; boundary=\(boundary)", "Content-Length: \(body.count)",
            "Connection: close",
        ]
        return try RawClient.exchange(port, Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
    }

    @discardableResult
    func add(_ name: String = "Netflix", _ changes: SubscriptionDraft = [:]) throws -> UUID {
        let draft: SubscriptionDraft = [
            .name: name, .amount: "13.49", .currency: "EUR", .cycle: "monthly", .nextBillingOn: "2026-11-25",
        ]
        return try store.subscriptions.add(draft.merging(changes) { $1 }, at: moment).id
    }

    func names() throws -> [String] { try store.subscriptions.list(at: moment).map(\.name) }
}
