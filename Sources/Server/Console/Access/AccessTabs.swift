import HTML
import SubGuardContract

/// The pages about access, as tabs under the heading.
enum AccessTab: CaseIterable {
    case tokens
    case roles
    case sessions

    private var name: Phrase {
        switch self {
        case .tokens: .accessTokens
        case .roles: .accessRoles
        case .sessions: .accessSessions
        }
    }

    private var link: HTMLLink {
        switch self {
        case .tokens: HTMLLink("console", "access")
        case .roles: HTMLLink("console", "access", "roles")
        case .sessions: HTMLLink("console", "sessions")
        }
    }

    /// Sessions are for everybody; the other two need the permission.
    static func write(_ current: AccessTab, _ frame: ConsoleFrame, to html: inout HTMLWriter) {
        guard frame.viewer?.permissions.contains(.accessManage) ?? false else { return }
        html.add(.nav, .class("tabs"), .aria("label", frame.words[.accessPages])) { html in
            for tab in allCases {
                html.add(
                    .a, .href(tab.link), tab == current ? .aria("current", "page") : nil, text: frame.words[tab.name])
            }
        }
    }
}
