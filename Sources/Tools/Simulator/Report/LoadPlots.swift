import Foundation
import Histogram

/// The two plots of a report.
enum LoadPlots {
    /// Latency by percentile, with equal distance per additional nine, as usual for HDR histograms.
    static func latency(_ tally: LoadTally, isClosed: Bool) -> String {
        // Limited by the number of requests: a percentile of one in a thousand needs a thousand.
        let nines = max(2, min(5, log10(Double(max(1, tally.fromDue.totalCount)))))
        let most = Double(LatencyTable.value(of: tally.fromDue, at: 100)) / 1000
        var plot = Plot(title: "Latency by percentile", most: most, unit: "ms")
        for (percent, name) in [
            (0.0, "0"), (90, "90"), (99, "99"), (99.9, "99.9"), (99.99, "99.99"), (99.999, "99.999"),
        ] {
            let x = place(percent) / nines
            if x <= 1 { plot.mark(x, "\(name) %") }
        }
        plot.line(points(tally.fromSent, nines), kind: "second")
        if !isClosed { plot.line(points(tally.fromDue, nines), kind: "first") }
        return plot.svg
    }

    /// Accepted events or responses, and errors, per second over time.
    static func throughput(_ result: LoadResult) -> String {
        let showsEvents = result.plan.profile != .catalogue
        let width = LoadTiming.slice(of: result.plan).inSeconds
        let slices = result.tally.slices
        let rates = slices.map { Double(showsEvents ? $0.acceptedEvents : $0.answers) / width }
        let faults = slices.map { Double($0.faults) / width }
        let title = showsEvents ? "Accepted events a second over time" : "Answers a second over time"
        var plot = Plot(title: title, most: max(rates.max() ?? 0, faults.max() ?? 0), unit: "")
        let count = Double(max(1, slices.count))
        for step in 0...4 {
            plot.mark(Double(step) / 4, "\(NumberText.fixed(count * width * Double(step) / 4, 1)) s")
        }
        plot.line(steps(rates), kind: "first")
        plot.line(steps(faults), kind: "fault")
        return plot.svg
    }

    /// Nines: 0 for the 0th percentile, 1 for the 90th, 2 for the 99th.
    private static func place(_ percent: Double) -> Double { -log10(max(1e-9, 1 - percent / 100)) }

    private static func points(_ histogram: Histogram<UInt64>, _ nines: Double) -> [(x: Double, value: Double)] {
        guard histogram.totalCount > 0 else { return [] }
        return (0...200).map { step in
            let x = Double(step) / 200
            let percent = 100 * (1 - pow(10, -x * nines))
            return (x, Double(histogram.valueAtPercentile(percent)) / 1000)
        }
    }

    /// Each slice is constant from its beginning to its end.
    private static func steps(_ values: [Double]) -> [(x: Double, value: Double)] {
        let count = Double(max(1, values.count))
        return values.enumerated().flatMap { index, value in
            [(Double(index) / count, value), (Double(index + 1) / count, value)]
        }
    }
}
