import HTML
import HTTPServer
import HTTPWire
import SubGuardEngine

/// Under which addresses browsers may use the app.
///
/// A name of an attacker that resolves to this machine (DNS rebinding), and a page on another port of this machine, would
/// otherwise be ways in.
struct AppOrigin: Sendable {
    let port: Int

    private var hosts: [String] { ["127.0.0.1:\(port)", "localhost:\(port)", "[::1]:\(port)"] }

    /// Why a request is refused; nil for one of our own pages, or of a person.
    func refusal(of request: Request) -> AppRefusal? {
        let head = request.head
        guard let host = head.host?.lowercased(), hosts.contains(host) else { return .host }
        let sites = head.values(of: .secFetchSite)
        let allowed = isLaunch(head) ? ["same-origin", "none", "cross-site"] : ["same-origin", "none"]
        guard sites.allSatisfy({ allowed.contains($0.lowercased()) }) else { return .site }
        let origins = head.values(of: .origin)
        guard origins.allSatisfy({ $0.lowercased() == "http://\(host)" }) else { return .site }
        // A form that no header vouches for may come from anywhere.
        let isChange = head.method != .get && head.method != .head
        return isChange && sites.isEmpty && origins.isEmpty ? .site : nil
    }

    /// Whether a window opens the page that asks for the code. The file that the program opens leads there, and belongs to
    /// another site; the page has no data, and looks at no session.
    private func isLaunch(_ head: RequestHead) -> Bool {
        head.method == .get && head.path == LaunchPages.link.text && head.values(of: .secFetchMode) == ["navigate"]
            && head.values(of: .secFetchDest) == ["document"]
    }

    // MARK: Cookie

    /// Cookies belong to a host with all its ports, so the name has the port.
    var cookieName: String { "subguard_\(port)" }

    /// The secrets that may be the session's: those of its cookie, at most four. There are several where a page on another
    /// port has set one of the same name with another path.
    func secrets(_ request: Request) -> [String] {
        request.head.values(of: .cookie).flatMap { $0.split(separator: ";") }.compactMap { pair -> String? in
            let trimmed = pair.drop { $0 == " " }
            guard let mark = trimmed.firstIndex(of: "="), trimmed[..<mark] == cookieName else { return nil }
            let secret = trimmed[trimmed.index(after: mark)...]
            return secret.utf8.count == 64 && secret.allSatisfy(\.isHexDigit) ? String(secret) : nil
        }.prefix(4).map(\.self)
    }

    /// - Parameter isRemembered: whether the browser keeps it after it is closed.
    func cookie(_ secret: String, isRemembered: Bool) -> String {
        let age = isRemembered ? "; Max-Age=\(DeviceStore.Browsers.rememberedDays * 86_400)" : ""
        return "\(cookieName)=\(secret); Path=/\(age); HttpOnly; SameSite=Strict"
    }

    var endedCookie: String { "\(cookieName)=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict" }
}

/// Why a request is not answered with a page.
enum AppRefusal: Error, Sendable {
    /// The `Host` is not this server's.
    case host
    /// A page of another origin sent it.
    case site
    /// No browser session.
    case locked
    case notFound
    /// A change that is no longer the last one is to be undone.
    case stale
    /// A form that cannot be read.
    case unreadable(String)
    /// A file that is longer than so many bytes.
    case tooLarge(Int)
}
