package import HTML
package import SubGuardContract

/// A page in the navigation.
package enum ConsoleSection: String, Sendable, CaseIterable {
    case overview = ""
    case catalogue
    case suggestions
    case funnel
    case cohorts
    case ranking
    case series
    case crashes
    case alerts

    package var link: HTMLLink { HTMLLink("console", rawValue) }

    var name: Phrase {
        switch self {
        case .overview: .overview
        case .catalogue: .catalogue
        case .suggestions: .suggestions
        case .funnel: .funnel
        case .cohorts: .cohorts
        case .ranking: .ranking
        case .series: .series
        case .crashes: .crashes
        case .alerts: .alerts
        }
    }

    var icon: StaticString {
        switch self {
        case .overview: "overview"
        case .catalogue: "catalogue"
        case .suggestions: "suggestions"
        case .funnel: "funnel"
        case .cohorts: "cohorts"
        case .ranking: "ranking"
        case .series: "series"
        case .crashes: "crashes"
        case .alerts: "alerts"
        }
    }

    /// Nil if every token may open it.
    package var permission: Permission? {
        switch self {
        case .overview: nil
        case .catalogue: .catalogueRead
        case .suggestions: .suggestionsModerate
        case .funnel, .cohorts, .ranking, .series, .crashes: .metricsRead
        case .alerts: .alertsRead
        }
    }
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

    func mayOpen(_ section: ConsoleSection) -> Bool { section.permission.map(permissions.contains) ?? true }
}
