public import ArgumentParser
import Foundation
import JSONWire
public import SubGuardDomain
package import SubGuardEngine

/// The flags of every command; accepted before or after its name.
package struct GlobalOptions: ParsableArguments {
    @Option(help: "Database file. Default: SUBGUARD_STORE, else ~/.local/share/subguard/subguard.sqlite.")
    var store: String?

    @Flag(help: "Print one JSON document.")
    var json = false

    @Option(help: "Use this time as the current time, such as 2026-11-20T10:00:00Z.")
    var now: InstantArgument?

    @Option(help: "Time zone, such as Europe/Paris. Default: the system's.")
    var zone: ZoneArgument?

    @Option(
        help:
            """
            Server address, such as https://subguard.example. Default: SUBGUARD_SERVER; without one, no server is \
            contacted.
            """
    )
    var server: String?

    @Option(help: "Language of the output, fr or en. Default: the environment's (LC_ALL, LC_MESSAGES, LANG).")
    package var lang: LanguageArgument?

    package init() {}

    /// The time and zone of `--now` and `--zone`, else those of the system.
    package var moment: Moment {
        Moment(now: now?.instant ?? UTCInstant(Date()), zone: zone?.zone ?? .current)
    }
}

struct InstantArgument: ExpressibleByArgument {
    let instant: UTCInstant

    init?(argument: String) {
        guard let instant = UTCInstant(rfc3339: argument) else { return nil }
        self.instant = instant
    }
}

struct ZoneArgument: ExpressibleByArgument {
    let zone: TimeZone

    init?(argument: String) {
        guard let zone = TimeZone(identifier: argument) else { return nil }
        self.zone = zone
    }
}

package struct LanguageArgument: ExpressibleByArgument, CaseIterable {
    let language: DisplayLanguage

    package static var allCases: [LanguageArgument] { DisplayLanguage.allCases.map { LanguageArgument(language: $0) } }
    package static var allValueStrings: [String] { DisplayLanguage.allCases.map(\.rawValue) }

    init(language: DisplayLanguage) { self.language = language }

    package init?(argument: String) {
        guard let language = DisplayLanguage(rawValue: argument) else { return nil }
        self.language = language
    }
}

/// A date in any form of ``DayExpression``, such as `2027-01-15`, `15 janvier` or `tomorrow`.
struct DayArgument: ExpressibleByArgument {
    private let expression: DayExpression

    init?(argument: String) {
        guard let expression = DayExpression(argument) else { return nil }
        self.expression = expression
    }

    /// The next day that is meant, or the last one for flags that look back.
    func day(_ today: CalendarDay, towards direction: DayExpression.Direction = .next) -> CalendarDay {
        expression.day(today: today, towards: direction)
    }
}

/// A billing cycle as the contract writes it (`monthly`, `every:18m`) or in words (`mensuel`, `every 3 months`).
struct CycleArgument: ExpressibleByArgument {
    let text: String

    static var allValueStrings: [String] {
        BillingCycle.named.map(\.wire) + ["every:N(d|w|m|y)", "every:N(d|w|m|y) after payment"]
    }

    init?(argument: String) {
        // Twice a month passes here, so that the refusal can say what to enter in its place.
        guard CycleText.wire(argument) != nil || CycleText.isTwiceAMonth(argument) else { return nil }
        text = argument
    }
}

extension SubscriptionStatus: ExpressibleByArgument {}
extension SubscriptionOrder: ExpressibleByArgument {}
extension WidgetFamily: ExpressibleByArgument {}
extension ExportFormat: ExpressibleByArgument {}
extension SpendingKey: ExpressibleByArgument {}
extension SplitKind: ExpressibleByArgument {}
extension Transaction.Kind: ExpressibleByArgument {}
extension Budget.Period: ExpressibleByArgument {}

/// The flag of commands that sum up.
struct NetOption: ParsableArguments {
    @Flag(help: "Count only your part of shared subscriptions.") var net = false

    /// A line below the sums that says which they are, when anything is shared.
    func note(_ session: Session) throws -> String {
        guard try session.store.totals.isAnythingShared() else { return "" }
        return "\n" + session.text(net ? "your part of what is shared" : "in full; --net counts only your part")
    }

    /// A member `net` in rows of the owner's part.
    func write(to json: inout JSONWriter) {
        if net { json.field("net", true) }
    }
}
