import HTML
import HTTPServer
import HTTPWire
import Pages
import SubGuardEngine

/// Under which addresses browsers may use the app.
///
/// A name of an attacker that resolves to this machine (DNS rebinding), and a page on another port of this machine,
/// would otherwise be ways in.
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

    /// Whether a window opens the page that asks for the code. The file that the program opens leads there, and belongs
    /// to another site; the page has no data, and looks at no session.
    private func isLaunch(_ head: RequestHead) -> Bool {
        head.method == .get && head.path == LaunchPages.link.text && head.values(of: .secFetchMode) == ["navigate"]
            && head.values(of: .secFetchDest) == ["document"]
    }

    // MARK: Cookie

    /// Cookies belong to a host with all its ports, so the name has the port.
    private var sessionCookie: HostCookie { HostCookie("subguard_\(port)") }

    /// The secrets that may be the session's: all values of its cookie. There are several where a page on another port
    /// has set cookies of the same name.
    func secrets(_ request: Request) -> Set<String> {
        Set(sessionCookie.values(request.head).filter { $0.utf8.count == 64 && $0.allSatisfy(\.isHexDigit) })
    }

    /// - Parameter isRemembered: whether the browser keeps it after it is closed.
    func cookie(_ secret: String, isRemembered: Bool) -> String {
        let age = isRemembered ? "; Max-Age=\(DeviceStore.Browsers.rememberedDays * 86_400)" : ""
        return "\(sessionCookie.name)=\(secret); Path=/\(age); HttpOnly; SameSite=Strict"
    }

    /// Removes the cookies of the session's name that another port has set with other paths.
    func strayCookiesEnded(_ request: Request) -> [String] { sessionCookie.strayPaths(request.head).map(endedCookie) }

    private func endedCookie(_ path: String) -> String {
        "\(sessionCookie.name)=; Path=\(path); Max-Age=0; HttpOnly; SameSite=Strict"
    }
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
