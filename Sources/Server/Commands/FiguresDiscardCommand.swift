import ArgumentParser
import BackendHTTP
import EventLog
import Foundation
import SubGuardDomain
import Telemetry

struct FiguresCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "figures", abstract: "Verify the figures, rebuild them, or discard forged events.",
        subcommands: [Verify.self, Rebuild.self, Discard.self])

    struct Verify: StoreCommand {
        static let configuration = CommandConfiguration(
            abstract: "Recompute the figures from the raw events and print every difference from the stored ones.",
            discussion: "The server may run. Needs about 40 bytes of memory per event and 300 per user.")

        @OptionGroup var options: ConfigurationOptions

        func run(_ store: OpenStore) throws {
            let result = try FigureVerifier(context: store.context).verify()
            for sentence in result.unverified { print(sentence) }
            if result.waitingCount > 0 { print("not counted yet: \(result.waitingCount) events") }
            guard !result.agrees else {
                return print("\(result.eventCount) events, \(result.userCount) users, no difference")
            }
            for difference in result.differences {
                printError("\(difference.subject): stored \(difference.kept), recomputed \(difference.recomputed)")
            }
            printError(
                "\(result.eventCount) events, \(result.userCount) users, \(result.differenceCount) differences")
            throw ExitCode.failure
        }
    }
}

extension FiguresCommand {
    struct Discard: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Discard forged events, and their users and figures with them.",
            discussion: """
                Removes the selected events from the log as if they had never been received: users without other \
                events are removed, the others and all figures are recomputed, and alert thresholds that only \
                discarded users reached can fire again. Discarded events that are sent again count as duplicates. \
                There is no undo: try --dry-run first, and make a backup.

                Only events that match every given option are discarded. The server may run; the work is done in small \
                transactions. If the command is interrupted, a server continues after a minute, or the next run does.
                """)

        @OptionGroup var options: ConfigurationOptions

        @Option(
            help: ArgumentHelp(
                "When the server received the events: from the first instant up to but not including the second.",
                discussion: "RFC 3339, or YYYY-MM-DD for the start of a day in UTC: one day is 2026-11-20..2026-11-21.",
                valueName: "from..to"))
        var received: String

        @Option(
            help: ArgumentHelp("Only events with this platform, in any case. Repeat for several.", valueName: "name"))
        var platform: [String] = []

        @Option(help: ArgumentHelp("Only events with this app version. Repeat for several.", valueName: "version"))
        var appVersion: [String] = []

        @Flag(help: "Only events of requests that no known key signed.")
        var unsigned = false

        @Flag(help: "Only users whose events were all sent in a single batch.")
        var usersOfOneBatch = false

        @Flag(help: "Only users without events received before the range.")
        var firstSeenInWindow = false

        @Flag(help: "Print what would be discarded and change nothing.")
        var dryRun = false

        @Flag(help: "Discard. Required without --dry-run.")
        var yes = false

        func validate() throws {
            _ = try selection()
            guard dryRun != yes else {
                throw ValidationError("Give --dry-run to see what would be discarded, or --yes to discard it.")
            }
        }

        func run() throws {
            let selection = try selection()
            let store = try options.existingStore()
            defer { store.close() }
            // No alert channels: the servers deliver alerts that this command triggers.
            let discarder = EventDiscarder(log: EventLog(context: store.context, firesThresholds: false))
            let underWay = try discarder.underWay()
            if let underWay { print("under way since \(underWay.begunAt.rfc3339): \(underWay.selection.description)") }
            if dryRun { return try preview(selection, discarder) }
            if let underWay {
                try finish(underWay, discarder)
                // Running the same command again continues the same discard.
                guard underWay.selection != selection else { return }
            }
            print(selection.description)
            try finish(discarder.begin(selection, by: .currentUser), discarder)
        }

        private func preview(_ selection: DiscardSelection, _ discarder: EventDiscarder) throws {
            let preview = try discarder.preview(selection)
            print(selection.description)
            print("would discard \(words(preview.eventCount, preview.removedUserCount, preview.reducedUserCount))")
            print(words(preview.totalsBefore, preview.totalsAfter))
            print("thresholds to re-arm: \(words(preview.rearmedThresholds))")
            if preview.waitingCount > 0 {
                print("not included: \(counted(Int64(preview.waitingCount), "event")) not yet counted")
            }
            print("nothing was changed")
        }

        private func finish(_ discard: EventDiscard, _ discarder: EventDiscarder) throws {
            let progress = UpdatedLine()
            while try discarder.takeStep() {
                if let now = try progress.isDue ? discarder.discard(discard.id) : nil {
                    progress.show("\(now.eventCount) events discarded")
                }
            }
            progress.end()
            guard let done = try discarder.discard(discard.id) else { return }
            print("discarded \(words(done.eventCount, done.removedUserCount, done.reducedUserCount))")
            print(words(done.totalsBefore, try discarder.countedTotals()))
            print("thresholds re-armed: \(words(done.rearmedThresholds))")
        }

        private func counted(_ count: Int64, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

        private func words(_ events: Int64, _ removed: Int64, _ reduced: Int64) -> String {
            "\(counted(events, "event")); users removed: \(removed), users with other events: \(reduced)"
        }

        private func words(_ before: UserTotals, _ after: UserTotals) -> String {
            """
            total users \(before.users) -> \(after.users), subscriptions tracked \(before.subscriptions) -> \
            \(after.subscriptions), premium conversions \(before.conversions) -> \(after.conversions)
            """
        }

        private func words(_ thresholds: [Int64]) -> String {
            thresholds.isEmpty ? "none" : thresholds.map { "\($0)" }.joined(separator: ", ")
        }
    }
}

extension FiguresCommand.Discard {
    /// Throws a `ValidationError` that names the option.
    private func selection() throws -> DiscardSelection {
        let bounds = received.split(separator: "..", omittingEmptySubsequences: false)
        guard bounds.count == 2, let from = UTCInstant(rfc3339OrDay: String(bounds[0])),
            let before = UTCInstant(rfc3339OrDay: String(bounds[1]))
        else {
            throw ValidationError(
                "--received must be FROM..TO, each an RFC 3339 instant or a day YYYY-MM-DD, such as "
                    + "2026-11-20..2026-11-21.")
        }
        guard from < before else {
            throw ValidationError(
                "--received must end after it begins. A day stands for its start, so one day is 2026-11-20..2026-11-21."
            )
        }
        var selection = DiscardSelection(receivedFrom: from, receivedBefore: before)
        selection.platforms = try values(platform, "--platform", "platform")
        selection.appVersions = try values(appVersion, "--app-version", "app_version")
        selection.isUnsignedOnly = unsigned
        selection.isOfOneBatchOnly = usersOfOneBatch
        selection.isFirstSeenInWindowOnly = firstSeenInWindow
        return selection
    }

    /// Rejects values that no event can have, which would silently match nothing.
    private func values(_ values: [String], _ option: String, _ property: String) throws -> [String] {
        let kind = EventRegistry.definition(named: "app_opened")?.property(named: property)?.kind
        for value in values where kind?.accepts(text: value) != true {
            throw ValidationError("\(option): no event has the value '\(value)'.")
        }
        return Array(Set(values)).sorted()
    }
}
