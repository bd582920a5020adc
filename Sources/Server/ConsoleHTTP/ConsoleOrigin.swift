import BackendHTTP
import HTML
import HTTPServer
import HTTPWire
import Outbound
import ServerAccess
import SubGuardContract
import SubGuardDomain
import Synchronization
import TextCoding

/// Under which addresses browsers may use the console, and whether a request came encrypted.
struct ConsoleOrigin: Sendable {
    /// Scheme, host and non-default port of `public_url`.
    private let publicOrigin: String?
    private let usesTLS: Bool
    /// Whether only programs of this machine reach the server directly.
    private let isLocal: Bool
    private let address: ClientAddress
    /// The configured port; 0 if the system chooses one.
    private let port: Int

    init(_ settings: Settings, address: ClientAddress) {
        self.init(
            publicOrigin: settings[\.publicURL]?.label.lowercased(), usesTLS: settings.usesTLS,
            isLocal: SocketAddress(numeric: settings[\.host])?.isLoopback ?? settings.listensOnUnixSocket,
            address: address, port: settings[\.port])
    }

    init(publicOrigin: String?, usesTLS: Bool, isLocal: Bool, address: ClientAddress, port: Int = 0) {
        self.publicOrigin = publicOrigin
        self.usesTLS = usesTLS
        self.isLocal = isLocal
        self.address = address
        self.port = port
    }

    // MARK: Host

    /// Refuses a `Host` that is not ours. A name of an attacker that resolves to this machine would otherwise be
    /// another way in (DNS rebinding). Throws 403.
    func checkHost(_ request: Request) throws(HTTPFailure) {
        guard let host = request.head.host?.lowercased() else { throw .notFound }
        if let publicOrigin {
            guard isPublicHost(request) || isOnThisMachine(request, host) else {
                throw HTTPFailure(.crossSite, "The console is at \(publicOrigin), not at this Host.")
            }
        } else if isLocal, !Self.isLoopback(host) {
            throw HTTPFailure(
                .crossSite,
                "This server listens on this machine only. Set public_url to use the console by another name.")
        }
    }

    /// Whether the browser uses the host of `public_url`.
    func isPublicHost(_ request: Request) -> Bool {
        guard let publicOrigin, let host = request.head.host?.lowercased() else { return false }
        let own = publicOrigin.split(separator: "/").last.map(String.init) ?? ""
        return host == own || host == "\(own):443" || host == "\(own):80"
    }

    /// Whether a host, with or without its port, is this machine by definition.
    static func isLoopback(_ host: String) -> Bool {
        var name = host[...]
        if name.hasPrefix("[") {
            guard let end = name.firstIndex(of: "]") else { return false }
            return SocketAddress(numeric: String(name[name.index(after: name.startIndex)..<end]))?.isLoopback ?? false
        }
        if let colon = name.firstIndex(of: ":") { name = name[..<colon] }
        if name == "localhost" || name.hasSuffix(".localhost") { return true }
        return SocketAddress(numeric: String(name))?.isLoopback ?? false
    }

    // MARK: Passkeys

    /// This server as the browser of a request must name it; nil where browsers have no passkeys, as for addresses in
    /// numbers.
    ///
    /// The origin is a configured one, never what `Host` says: a page on another port of this machine could otherwise
    /// pass on what it was given for its own.
    func relyingParty(_ request: Request) -> RelyingParty? {
        guard let host = request.head.host?.lowercased() else { return nil }
        if let publicOrigin, let party = Self.party(publicOrigin), publicOrigin.hasSuffix("://\(host)") { return party }
        guard port > 0 else { return nil }
        let scheme = usesTLS ? "https" : "http"
        let origin = "\(scheme)://localhost" + (port == (usesTLS ? 443 : 80) ? "" : ":\(port)")
        return origin == "\(scheme)://\(host)" ? RelyingParty(id: "localhost", origin: origin) : nil
    }

    /// Nil for an origin that is not secure, or has no name.
    private static func party(_ origin: String) -> RelyingParty? {
        let parts = origin.split(separator: "/", omittingEmptySubsequences: true)
        guard parts.count == 2, !parts[1].hasPrefix("[") else { return nil }
        let name = String(parts[1].prefix { $0 != ":" })
        guard parts[0] == "https:" || name == "localhost", SocketAddress(numeric: name) == nil else { return nil }
        return RelyingParty(id: name, origin: origin)
    }

    // MARK: Encryption

    /// Whether the browser's connection is encrypted: by this server, or by a trusted proxy that says so.
    func isSecure(_ request: Request) -> Bool {
        if usesTLS { return true }
        guard address.isTrusted(request.peer) else { return false }
        let head = request.head
        if let value = head.values(of: .forwardedProto).last {
            return ForwardedHops.parts(of: value).last.map { Self.trimmed($0) == "https" } ?? false
        }
        guard let element = head.values(of: .forwarded).last.flatMap({ ForwardedHops.parts(of: $0).last }) else {
            return false
        }
        return element.split(separator: ";").contains { pair in
            Self.trimmed(pair).replacing("\"", with: "") == "proto=https"
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        text.lowercased().filter { $0 != " " && $0 != "\t" }
    }

    /// Whether a secret may be sent over the connection: it is encrypted, or does not leave the machine.
    func mayCarrySecrets(_ request: Request) -> Bool {
        isSecure(request) || isOnThisMachine(request, request.head.host?.lowercased() ?? "")
    }

    /// Whether the browser runs on this machine. `Host` alone does not say so, because any client can send it; a name
    /// that is not ours, as of a proxy without TLS, says that it does not. In a container, all connections come from
    /// outside: there, a `public_url` such as http://localhost:8080 says that the port is published to this machine
    /// only.
    private func isOnThisMachine(_ request: Request, _ host: String) -> Bool {
        guard Self.isLoopback(host) else { return false }
        return request.peer.isLoopback || publicOrigin == "http://\(host)"
    }

    /// Whether no page of another site has caused a GET by a link or image, as far as the browser says.
    func isOwnPage(_ request: Request) -> Bool {
        request.head.values(of: .secFetchSite).allSatisfy { ["same-origin", "none"].contains($0.lowercased()) }
    }

    /// Refuses a costly GET that a link or image of another site has caused. Throws 403.
    func requireOwnPage(_ request: Request) throws(HTTPFailure) {
        guard isOwnPage(request) else {
            throw HTTPFailure(.crossSite, "A page of another origin sent the request.")
        }
    }

    // MARK: Requests that change something

    /// Refuses a POST that a page of another origin may have caused. Browsers add `Sec-Fetch-Site`, and older ones at
    /// least `Origin`; a request with neither is refused. Throws 403.
    func checkPost(_ request: Request) throws(HTTPFailure) {
        let head = request.head
        let sites = head.values(of: .secFetchSite)
        if !sites.isEmpty {
            guard sites.count == 1, ["same-origin", "none"].contains(sites[0].lowercased()) else {
                throw HTTPFailure(.crossSite, "A page of another origin sent the request.")
            }
            return
        }
        let origins = head.values(of: .origin)
        guard origins.count == 1, let host = head.host?.lowercased() else {
            throw HTTPFailure(.crossSite, "The request does not say which page sent it (Sec-Fetch-Site or Origin).")
        }
        let origin = origins[0].lowercased()
        guard origin == "\(isSecure(request) ? "https" : "http")://\(host)" || origin == publicOrigin else {
            throw HTTPFailure(.crossSite, "A page of another origin sent the request.")
        }
    }
}

/// The pages that a sign-in may lead to: those that a session opens by GET.
final class ConsolePlaces: Sendable {
    /// The segments of each page; nil where any value may stand.
    private let pages = Mutex<[[String?]]>([])
    private static let mostBytes = 2000

    /// Adds the page of a route, such as `/console/crashes/{id:uuid}`.
    func add(_ route: String) {
        let segments = route.split(separator: "/").map { $0.hasPrefix("{") ? nil : String($0) }
        pages.withLock { $0.append(segments) }
    }

    /// A page with its query; nil for any other text, so that a link can neither lead away through the sign-in nor to
    /// an address that takes forms only.
    func next(_ text: String) -> String? {
        guard text.utf8.count <= Self.mostBytes, let link = HTMLLink(checking: text) else { return nil }
        let path = link.text.prefix { $0 != "?" && $0 != "#" }
        guard path.hasPrefix("/") else { return nil }
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        return pages.withLock { $0.contains { Self.matches(segments, $0) } } ? link.text : nil
    }

    private static func matches(_ segments: [Substring], _ page: [String?]) -> Bool {
        segments.count == page.count
            && zip(segments, page).allSatisfy { segment, name in
                if let name { return segment == name }
                return !segment.isEmpty && !segment.hasPrefix(".")
                    && segment.utf8.allSatisfy(PercentCoding.isUnreserved)
            }
    }
}
