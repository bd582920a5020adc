import ArgumentParser
import Foundation
import SubGuardDomain
import SubGuardEngine

/// Times the calls of the engine on a large store and prints one JSON object: milliseconds by call, as a list for each.
@main
struct EngineBench: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "engine-bench")

    @Option(help: "How many subscriptions.") var subscriptions = 10_000
    @Option(help: "Ledger rows of each.") var history = 20
    @Option(help: "Calls of each kind.") var calls = 20
    @Option(help: "A folder for the store.") var folder: String

    func run() throws {
        let stage = BenchStage(path: folder + "/bench.sqlite", calls: calls)
        try stage.fill(subscriptions: subscriptions, history: history)
        var timings = try stage.reads()
        timings.merge(try stage.writes()) { first, _ in first }
        timings["open"] = try stage.opens()
        timings["widget_opening"] = try stage.widgets()
        timings.merge(try stage.imports(subscriptions, folder: folder)) { first, _ in first }
        timings["next_day"] = try stage.nextDays()
        let lists = timings.sorted { $0.key < $1.key }.map { name, list in
            "\"\(name)\":[\(list.map { String(format: "%.3f", $0) }.joined(separator: ","))]"
        }
        print("{\(lists.joined(separator: ","))}")
    }
}
