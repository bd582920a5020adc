import Cryptography
import Foundation
import Synchronization

/// A small OpenID Connect provider on its own port. Its authorization endpoint is ``authorize(_:at:)``, because the
/// browser of the tests is not one; the others answer over HTTP.
package final class OpenIDServer: Sendable {
    /// What a test changes. Texts of members are JSON; nil removes a member.
    package struct Behaviour: Sendable {
        package var metadata: [String: String?] = [:]
        package var claims: [String: String?] = [:]
        package var header: [String: String?] = [:]
        package var userInfo: [String: String]?
        package var issuer: AppleIssuer
        package var keys: [String]
        /// Replaces the ID token made of these claims.
        package var forge: (@Sendable ([String: String]) -> String)?
        package var clientSecret = "s3cret:/+ é"
        /// Paths that answer with status 500, and those that never do.
        package var failing: Set<String> = []
        package var hanging: Set<String> = []
        /// Spaces before the answer of a path.
        package var padding: [String: Int] = [:]
    }

    private struct Grant {
        let nonce: String
        let challenge: String
        let redirectURI: String
        let seconds: Int64
    }

    private struct State {
        var behaviour: Behaviour
        var grants: [String: Grant] = [:]
        var codes = 0
        var requests: [String] = []
    }

    package let port: Int
    private let descriptor: Int32
    private let state: Mutex<State>

    package init(_ issuer: AppleIssuer) throws {
        state = Mutex(State(behaviour: Behaviour(issuer: issuer, keys: [try issuer.publicKey()])))
        let bound = try LoopbackSocket(backlog: 16)
        (descriptor, port) = (bound.descriptor, bound.port)
        let thread = Thread { [self] in serve() }
        thread.start()
    }

    package var url: String { "http://127.0.0.1:\(port)" }
    /// The paths that were asked for.
    package var requests: [String] { state.withLock { $0.requests } }

    package func change(_ change: @Sendable (inout Behaviour) -> Void) {
        state.withLock { change(&$0.behaviour) }
    }

    package func close() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// What the provider does after the person has signed in: the target that it sends the browser to.
    package func authorize(_ location: String, at seconds: Int64) -> String? {
        guard location.hasPrefix("\(url)/authorize?"), let parts = URLComponents(string: location) else { return nil }
        let query = Dictionary((parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { first, _ in first }
        guard query["response_type"] == "code", query["client_id"] == "console",
            query["code_challenge_method"] == "S256",
            let redirectURI = query["redirect_uri"], let state = query["state"], let nonce = query["nonce"],
            let challenge = query["code_challenge"], query["scope"]?.contains("openid") == true,
            let path = URLComponents(string: redirectURI)?.path
        else { return nil }
        let code = self.state.withLock { all in
            all.codes += 1
            all.grants["code-\(all.codes)"] = Grant(
                nonce: nonce, challenge: challenge, redirectURI: redirectURI, seconds: seconds)
            return "code-\(all.codes)"
        }
        return "\(path)?code=\(code)&state=\(state)"
    }

    // MARK: Answers

    private func answer(_ path: String, _ head: String, _ body: String) -> (status: String, body: String) {
        let behaviour = state.withLock { state in
            state.requests.append(path)
            return state.behaviour
        }
        switch path {
        case "/.well-known/openid-configuration":
            var members = [
                "issuer": "\"\(url)\"", "authorization_endpoint": "\"\(url)/authorize\"",
                "token_endpoint": "\"\(url)/token\"", "jwks_uri": "\"\(url)/jwks\"",
            ]
            if behaviour.userInfo != nil { members["userinfo_endpoint"] = "\"\(url)/userinfo\"" }
            for (name, value) in behaviour.metadata { members[name] = value }
            return ("200 OK", AppleIssuer.json(members))
        case "/jwks": return ("200 OK", AppleIssuer.keySet(behaviour.keys))
        case "/token": return token(head, body, behaviour)
        case "/userinfo":
            guard head.contains("Authorization: Bearer opaque\r\n"), let members = behaviour.userInfo else {
                return ("401 Unauthorized", "{}")
            }
            return ("200 OK", AppleIssuer.json(members))
        default: return ("404 Not Found", "{}")
        }
    }

    private func token(_ head: String, _ body: String, _ behaviour: Behaviour) -> (status: String, body: String) {
        let form = Dictionary(
            (URLComponents(string: "/?\(body)")?.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        ) { first, _ in first }
        let allowed = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
        let secret = behaviour.clientSecret.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
        let basic = Data("console:\(secret)".utf8).base64EncodedString()
        guard head.contains("Authorization: Basic \(basic)\r\n") else {
            return ("401 Unauthorized", #"{"error":"invalid_client"}"#)
        }
        // A code works once.
        let grant = state.withLock { $0.grants.removeValue(forKey: form["code"] ?? "") }
        let digest = SHA256.hash(of: (form["code_verifier"] ?? "").utf8)
        guard let grant, form["grant_type"] == "authorization_code", form["redirect_uri"] == grant.redirectURI,
            Base64URLText.encode(Data(digest)) == grant.challenge
        else { return ("400 Bad Request", #"{"error":"invalid_grant"}"#) }
        var claims = [
            "iss": "\"\(url)\"", "aud": "\"console\"", "sub": "\"ann\"", "iat": "\(grant.seconds)",
            "exp": "\(grant.seconds + 300)", "nonce": "\"\(grant.nonce)\"", "email": "\"Ann@Example.com\"",
            "email_verified": "true", "groups": "[\"staff\",\"admins\"]",
        ]
        for (name, value) in behaviour.claims { claims[name] = value }
        let signed = behaviour.forge?(claims) ?? (try? behaviour.issuer.token(claims, header: behaviour.header)) ?? ""
        return ("200 OK", #"{"access_token":"opaque","token_type":"Bearer","id_token":"\#(signed)"}"#)
    }

    // MARK: The socket

    private func serve() {
        var held: [Int32] = []
        defer { for descriptor in held + [descriptor] { _ = Foundation.close(descriptor) } }
        while true {
            let connection = accept(descriptor, nil, nil)
            guard connection >= 0 else { return }
            var isHeld = false
            defer { if !isHeld { _ = Foundation.close(connection) } }
            guard let (head, body) = read(connection) else { continue }
            let path = head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
            var (status, content) = answer(path, head, body)
            let behaviour = state.withLock { $0.behaviour }
            if behaviour.hanging.contains(path) {
                isHeld = true
                held.append(connection)
                continue
            }
            if behaviour.failing.contains(path) { status = "500 Internal Server Error" }
            content = String(repeating: " ", count: behaviour.padding[path] ?? 0) + content
            let text =
                "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(content.utf8.count)\r\n"
                + "Connection: close\r\n\r\n\(content)"
            var bytes = Array(text.utf8)[...]
            while !bytes.isEmpty {
                let sent = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                guard sent > 0 else { break }
                bytes = bytes.dropFirst(sent)
            }
        }
    }

    private func read(_ connection: Int32) -> (head: String, body: String)? {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 8192)
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            text += String(decoding: buffer.prefix(count), as: UTF8.self)
            let parts = text.components(separatedBy: "\r\n\r\n")
            guard parts.count > 1 else { continue }
            let line = parts[0].components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
            let length = line.flatMap { Int($0.dropFirst(15).filter { $0 != " " }) } ?? 0
            if parts[1].utf8.count >= length { return (parts[0] + "\r\n", parts[1]) }
        }
    }
}

/// Signs ID tokens with a P-256 key (ES256).
package struct EllipticIssuer: Sendable {
    private let key: TestKey

    package init() throws { key = try TestKey() }

    package func publicKey() throws -> String {
        let point = try key.point()
        return AppleIssuer.json([
            "kty": "\"EC\"", "crv": "\"P-256\"", "kid": "\"EC-1\"", "x": "\"\(Base64URLText.encode(Data(point.x)))\"",
            "y": "\"\(Base64URLText.encode(Data(point.y)))\"",
        ])
    }

    package func token(_ claims: [String: String]) -> String {
        let input = "\(AppleIssuer.part(["alg": "\"ES256\"", "kid": "\"EC-1\""])).\(AppleIssuer.part(claims))"
        guard let signature = try? key.rawSignature(of: Array(input.utf8)) else { return "" }
        return "\(input).\(Base64URLText.encode(Data(signature)))"
    }
}
