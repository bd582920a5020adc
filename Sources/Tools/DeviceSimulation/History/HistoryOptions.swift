package import ArgumentParser

/// The options of a history.
package struct HistoryOptions: ParsableArguments, Sendable {
    @Flag(
        name: .customLong("history"),
        help: ArgumentHelp(
            "Send the history of some thousand devices, then print the dashboard.",
            discussion:
                "A second run with the same seed sends the same events, which all count as duplicates. Needs --token."))
    package var isChosen = false

    @Flag(help: "With --history, also send suggestions, logos, crashes and an alert rule. Needs the token of an owner.")
    package var demo = false

    @Option(
        help:
            "Past weeks in which the devices of --history sign up, 1 to \(HistoryPlan.weeks.upperBound). (default: 14)")
    package var weeks: Int?

    package init() {}

    package var weekCount: Int { weeks ?? 14 }
}
