import Foundation
import TextCoding

/// Writes the Prometheus text format 0.0.4: each metric once with help and type, followed by its samples.
struct PrometheusText {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    mutating func family(_ name: String, _ type: String, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    mutating func sample(_ name: String, _ labels: [(String, String)] = [], _ value: some CustomStringConvertible) {
        let list = labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
        text += name + (list.isEmpty ? "" : "{\(list)}") + " \(value)\n"
    }

    /// Writes a metric with a sample for each value of a label.
    mutating func family<Value: CustomStringConvertible>(
        _ name: String, _ type: String, _ help: String, by label: String, _ samples: [(String, Value)]
    ) {
        family(name, type, help)
        for (text, value) in samples { sample(name, [(label, text)], value) }
    }

    /// Writes a metric with one sample without labels.
    mutating func single(_ name: String, _ type: String, _ help: String, _ value: some CustomStringConvertible) {
        family(name, type, help)
        sample(name, [], value)
    }

    private static func escaped(_ value: String) -> String {
        value.escaping(["\\": "\\\\", "\"": "\\\"", "\n": "\\n"])
    }
}

/// Metrics of this process, read from the kernel. Unavailable ones are nil.
struct ProcessMetrics {
    let residentBytes: Int?
    let cpuSeconds: Double
    let openDescriptors: Int?

    static func read() -> ProcessMetrics {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let cpu =
            Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1_000_000
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        let resident = pages.flatMap { $0.count > 1 ? Int($0[1]) : nil }.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count
        return ProcessMetrics(residentBytes: resident, cpuSeconds: cpu, openDescriptors: descriptors)
    }
}
