import HTML
import SubGuardContract

/// The pages about access, as tabs under the heading.
enum AccessTab: CaseIterable {
    case tokens
    case roles
    case sessions
    case passkeys

    private var name: Phrase {
        switch self {
        case .tokens: .accessTokens
        case .roles: .accessRoles
        case .sessions: .accessSessions
        case .passkeys: .passkeys
        }
    }

    private var link: HTMLLink {
        switch self {
        case .tokens: HTMLLink("console", "access")
        case .roles: HTMLLink("console", "access", "roles")
        case .sessions: HTMLLink("console", "sessions")
        case .passkeys: HTMLLink("console", "access", "passkeys")
        }
    }

    /// Sessions and passkeys are for everybody; the other two need the permission.
    static func write(_ current: AccessTab, _ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let mayManage = frame.viewer?.permissions.contains(.accessManage) ?? false
        html.add(.nav, .class("tabs"), .aria("label", frame.words[.accessPages])) { html in
            for tab in mayManage ? allCases : [.sessions, .passkeys] {
                html.add(
                    .a, .href(tab.link), tab == current ? .aria("current", "page") : nil, text: frame.words[tab.name])
            }
        }
    }
}
