package import SubGuardContract
package import SubGuardDomain
import Telemetry

/// What the event explorer of the console counts. No call of the API has it.
package struct EventQuery: WireObject {
    package let event: EventName?
    package let item: String?
    package let platform: Platform?
    package let from: CalendarDay?
    package let to: CalendarDay?
    package let format: FigureFormat

    /// A name of the registry.
    package struct EventName: RawRepresentable, CaseIterable, Equatable, Sendable {
        package let rawValue: String
        package static let allCases = EventRegistry.events.map { EventName($0.name) }

        package init?(rawValue: String) {
            guard EventRegistry.definition(named: rawValue) != nil else { return nil }
            self.rawValue = rawValue
        }

        private init(_ name: String) { rawValue = name }
    }

    /// A name of ``EventSelection/platforms``.
    package struct Platform: RawRepresentable, CaseIterable, Equatable, Sendable {
        package let rawValue: String
        package static let allCases = EventSelection.platforms.map { Platform($0) }

        package init?(rawValue: String) {
            guard EventSelection.platforms.contains(rawValue) else { return nil }
            self.rawValue = rawValue
        }

        private init(_ name: String) { rawValue = name }
    }

    package static let wire = WireSchema<EventQuery>(
        nil, make: EventQuery.init, Field("event", \.event, optional: .choice),
        Field("item", \.item, optional: .text(1...200)),
        Field("platform", \.platform, optional: .choice), Field("from", \.from, optional: .day),
        Field("to", \.to, optional: .day), Field("format", \.format, .choice, default: .json))
}
