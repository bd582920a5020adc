public import ArgumentParser
import Foundation
import JSONWire
public import SubGuardDomain
import SubGuardEngine

/// The flags that every command has, before or after its name.
struct GlobalOptions: ParsableArguments {
    @Option(help: "The local database. Default: SUBGUARD_STORE, else ~/.local/share/subguard/subguard.sqlite.")
    var store: String?

    @Flag(help: "Print one JSON document.")
    var json = false

    @Option(help: "Take this instant for now, such as 2026-11-20T10:00:00Z.")
    var now: InstantArgument?

    @Option(help: "The time zone, such as Europe/Paris. Default: the system's.")
    var zone: ZoneArgument?

    @Option(
        help: "The server of commands that talk to one, such as https://subguard.example. Default: SUBGUARD_SERVER.")
    var server: String?

    @Option(help: "fr or en. Default: the language of the environment.")
    var lang: LanguageArgument?
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

struct LanguageArgument: ExpressibleByArgument, CaseIterable {
    let language: DisplayLanguage

    static var allCases: [LanguageArgument] { DisplayLanguage.allCases.map { LanguageArgument(language: $0) } }
    static var allValueStrings: [String] { DisplayLanguage.allCases.map(\.rawValue) }

    init(language: DisplayLanguage) { self.language = language }

    init?(argument: String) {
        guard let language = DisplayLanguage(rawValue: argument) else { return nil }
        self.language = language
    }
}

struct DayArgument: ExpressibleByArgument {
    let day: CalendarDay

    init?(argument: String) {
        guard let day = CalendarDay(iso: argument) else { return nil }
        self.day = day
    }
}

struct CycleArgument: ExpressibleByArgument {
    let cycle: BillingCycle

    static var allValueStrings: [String] { BillingCycle.named.map(\.wire) + ["every:N(d|w|m|y)"] }

    init?(argument: String) {
        guard let cycle = BillingCycle(wire: argument) else { return nil }
        self.cycle = cycle
    }
}

extension SubscriptionStatus: ExpressibleByArgument {}
extension WidgetFamily: ExpressibleByArgument {}
extension ExportFormat: ExpressibleByArgument {}
extension SplitKind: ExpressibleByArgument {}
extension Transaction.Kind: ExpressibleByArgument {}
extension Budget.Period: ExpressibleByArgument {}
