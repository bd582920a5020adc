package import HTML
import SubGuardContract
package import SubGuardDomain

/// A page in the navigation.
package enum ConsoleSection: String, Sendable, CaseIterable {
    case catalogue
    case suggestions
    case overview = ""
    case funnel
    case cohorts
    case ranking
    case series
    case events
    case crashes
    case alerts
    case access
    case accounts
    case audit
    case operations

    /// The navigation, in its order.
    static let groups: [(name: Sentence, sections: [ConsoleSection])] = [
        ("Content", [.catalogue, .suggestions]),
        ("Figures", [.overview, .funnel, .cohorts, .ranking, .series, .events]), ("Health", [.crashes, .alerts]),
        ("Administration", [.access, .accounts, .audit, .operations]),
    ]

    package var link: HTMLLink { HTMLLink("console", rawValue) }

    /// Its name and its icon in the navigation.
    var entry: (name: Sentence, icon: StaticString) {
        switch self {
        case .overview: ("Overview", "overview")
        case .catalogue: ("Catalogue", "catalogue")
        case .suggestions: ("Suggestions", "suggestions")
        case .funnel: ("Funnel", "funnel")
        case .cohorts: ("Cohorts", "cohorts")
        case .ranking: ("Ranking", "ranking")
        case .series: ("Series", "series")
        case .events: ("Events", "events")
        case .crashes: ("Crashes", "crashes")
        case .alerts: ("Alerts", "alerts")
        case .accounts: ("Accounts", "accounts")
        case .access: ("Access", "access")
        case .audit: ("Audit", "audit")
        case .operations: ("Operations", "operations")
        }
    }

    /// Nil if every token may open it.
    package var permission: Permission? {
        switch self {
        case .overview: nil
        case .catalogue: .catalogueRead
        case .suggestions: .suggestionsModerate
        case .funnel, .cohorts, .ranking, .series, .events, .crashes: .metricsRead
        case .alerts: .alertsRead
        case .accounts: .accountsManage
        case .access, .operations: .accessManage
        case .audit: .auditRead
        }
    }

    /// Whether only a role with every permission may open it, because no single one covers what it shows.
    package var needsOwner: Bool { self == .operations }
}

/// Who is signed in.
package struct ConsoleViewer: Sendable {
    /// The name of the token.
    package let name: String
    package let role: String
    package let permissions: Set<Permission>

    package init(name: String, role: String, permissions: Set<Permission>) {
        self.name = name
        self.role = role
        self.permissions = permissions
    }

    package var isOwner: Bool { permissions.isSuperset(of: Permission.allCases) }

    func mayOpen(_ section: ConsoleSection) -> Bool {
        if section.needsOwner { return isOwner }
        return section.permission.map(permissions.contains) ?? true
    }
}

/// The keys of the console, and the switch that turns them off.
package struct KeysPage: ConsolePage {
    package init() {}

    private static let keys: [(key: String, effect: Sentence)] = [
        ("j", "Move to the next row of the list"), ("k", "Move to the previous row of the list"),
        ("x", "Select the row, or clear it"), ("a", "Approve the row: as an alias, or close it"),
        ("n", "Add the row to the catalogue as new"), ("r", "Reject the row"),
        ("/", "Move to the search of the page, or search everything"),
        ("Ctrl-K, ⌘K", "Search everything"), ("?", "Show this list"),
    ]

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        frame.page(nil, "Keys", "Single keys, while no field has the focus.") { html in
            html.add(
                .button, .type("button"), .data("keys-on", words["Keys are on: switch off"]),
                .data("keys-off", words["Keys are off: switch on"]), .hidden
            ) { _ in }
        } main: { html in
            html.table(
                .label(words["Keys"]),
                caption: words["The choice is kept in this browser. Without JavaScript there are no keys."],
                style: "keys", of: Self.keys,
                [
                    .heading(words["Key"]) { row, html in html.add(.kbd, text: row.key) },
                    .text(words["Effect"]) { words[$0.effect] },
                ])
        }
    }
}
