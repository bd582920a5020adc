import Foundation

/// Metrics of this process from the kernel. Unavailable ones are nil.
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
