import Foundation
import Glibc

/// Resources used so far by a server on this machine.
package struct ServerUsage: Sendable, Equatable {
    /// User and system time of all its threads.
    package var processorSeconds: Double?
    /// Size of the SQLite file and its write-ahead log.
    package var storeBytes: Int?
    /// The CPU time over the time of the run.
    package var cores: Double?

    package init(processorSeconds: Double? = nil, storeBytes: Int? = nil) {
        self.processorSeconds = processorSeconds
        self.storeBytes = storeBytes
    }

    /// Throws if a requested value cannot be read.
    static func read(process: Int32?, store: String?) throws(LoadError) -> ServerUsage {
        var usage = ServerUsage()
        if let process {
            guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
                let seconds = processorSeconds(stat: text)
            else { throw LoadError("--server-pid: there is no process \(process) on this machine") }
            usage.processorSeconds = seconds
        }
        if let store {
            guard let bytes = size(store) else { throw LoadError("--server-store: \(store) cannot be read") }
            usage.storeBytes = bytes + (size(store + "-wal") ?? 0)
        }
        return usage
    }

    /// Fields 14 and 15 of proc_pid_stat(5). The program's name before them may contain any character.
    package static func processorSeconds(stat text: String) -> Double? {
        guard let name = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: name)...].split(separator: " ")
        let ticks = sysconf(Int32(_SC_CLK_TCK))
        guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]), ticks > 0 else { return nil }
        return Double(user + system) / Double(ticks)
    }

    private static func size(_ path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
    }

    /// The usage since an earlier reading, so many seconds ago.
    func since(_ before: ServerUsage, seconds: Double) -> ServerUsage {
        var usage = ServerUsage(
            processorSeconds: processorSeconds.flatMap { now in before.processorSeconds.map { now - $0 } },
            storeBytes: storeBytes.flatMap { now in before.storeBytes.map { now - $0 } })
        usage.cores = usage.processorSeconds.map { $0 / seconds }
        return usage
    }
}
