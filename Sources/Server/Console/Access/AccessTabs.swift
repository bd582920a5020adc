import HTML
import SubGuardContract
import SubGuardDomain

/// The pages about access, as tabs under the heading.
enum AccessTab: CaseIterable {
    case tokens
    case roles
    case sessions
    case passkeys

    private var name: Sentence {
        switch self {
        case .tokens: "Tokens"
        case .roles: "Roles"
        case .sessions: "Sessions"
        case .passkeys: "Passkeys"
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
        html.add(.nav, .class("tabs"), .aria("label", frame.words["Pages about access"])) { html in
            for tab in mayManage ? allCases : [.sessions, .passkeys] {
                html.add(
                    .a, .href(tab.link), tab == current ? .aria("current", "page") : nil, text: frame.words[tab.name])
            }
        }
    }
}
