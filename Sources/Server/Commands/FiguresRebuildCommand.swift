import ArgumentParser
import BackendHTTP
import EventLog
import Telemetry

extension FiguresCommand {
    struct Rebuild: StoreCommand {
        static let configuration = CommandConfiguration(
            abstract: "Compute all figures again from the raw events.",
            discussion: """
                Use it when 'figures verify' finds differences. The server may run: until the new figures are complete \
                the stored ones stay, and then they are replaced in one transaction. Events that arrive meanwhile are \
                counted afterwards. If the command is interrupted, nothing changes; run it again.

                Refused once raw events have been purged, because their figures could not be computed again, and while \
                forged events are being discarded. Until it ends, nothing is purged or discarded, and devices that \
                asked to be forgotten wait. Alert thresholds that have fired do not fire again. Takes some 300 MB of \
                memory, and the space of the stored users once more.
                """)

        @OptionGroup var options: ConfigurationOptions

        func run(_ store: OpenStore) throws {
            // No alert channels: the servers deliver alerts that this command triggers.
            let rebuilder = FigureRebuilder(
                context: store.context, log: EventLog(context: store.context, firesThresholds: false))
            for attempt in 1... {
                do {
                    return try rebuild(rebuilder)
                } catch let error as RebuildInterrupted where attempt < Self.mostAttempts {
                    printError("\(error); starting over")
                }
            }
        }

        private static let mostAttempts = 3

        private func rebuild(_ rebuilder: FigureRebuilder) throws {
            let line = UpdatedLine(plainEvery: .seconds(10))
            let begun = ContinuousClock.now
            var seconds = 0.001
            let published = try rebuilder.rebuild(by: .currentUser) { progress in
                seconds = max(0.001, begun.duration(to: .now) / .seconds(1))
                if line.isDue || progress.isPublished { line.show(words(progress, seconds)) }
            }
            line.end()
            print(
                "rebuilt from \(published.eventCount) events, \(published.totalsAfter.users) users in "
                    + "\(Self.rounded(seconds)) s: \(Int(Double(published.eventCount) / seconds)) events/s")
            let (before, after) = (published.totalsBefore, published.totalsAfter)
            print(
                """
                total users \(before.users) -> \(after.users), subscriptions tracked \(before.subscriptions) -> \
                \(after.subscriptions), premium conversions \(before.conversions) -> \(after.conversions)
                """)
        }

        private func words(_ progress: RebuildProgress, _ seconds: Double) -> String {
            guard !progress.isPublished else { return "published after \(Self.rounded(seconds)) s; clearing up" }
            let done = Double(progress.eventCount) * progress.share
            let left = progress.share > 0 ? seconds / progress.share - seconds : 0
            return "\(Int(done)) of \(progress.eventCount) events, \(Int(progress.share * 100)) %, "
                + "\(Int(done / seconds)) events/s, about \(Int(left.rounded(.up))) s left"
        }

        private static func rounded(_ seconds: Double) -> String { "\((seconds * 10).rounded() / 10)" }
    }
}
