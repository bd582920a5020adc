import Foundation

/// Resources used so far by a server on this machine.
package struct ServerUsage: Sendable, Equatable {
    /// User and system time of all its threads.
    package var processorSeconds: Double?
    /// Size of the SQLite file and its write-ahead log.
    package var storeBytes: Int?
    /// The CPU time over the time of the run.
    package var cores: Double?

    package init(processorSeconds: Double? = nil, storeBytes: Int? = nil, cores: Double? = nil) {
        (self.processorSeconds, self.storeBytes, self.cores) = (processorSeconds, storeBytes, cores)
    }

    /// Throws if a requested value cannot be read.
    package static func read(process: Int32?, store: String?) throws(RunError) -> ServerUsage {
        var usage = ServerUsage()
        if let process {
            let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            usage.processorSeconds = text.flatMap(processorSeconds)
            guard usage.processorSeconds != nil else {
                throw RunError("--server-pid: there is no process \(process) on this machine")
            }
        }
        if let store {
            guard let bytes = size(store) else { throw RunError("--server-store: \(store) cannot be read") }
            usage.storeBytes = bytes + (size(store + "-wal") ?? 0)
        }
        return usage
    }

    /// Fields 14 and 15 of proc_pid_stat(5). The program's name before them may contain any character.
    package static func processorSeconds(stat text: String) -> Double? {
        guard let name = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: name)...].split(separator: " ")
        guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else { return nil }
        return Double(user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    private static func size(_ path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
    }

    /// The usage since an earlier reading of the same values, so many seconds ago.
    package func since(_ before: ServerUsage, seconds: Double) -> ServerUsage {
        var usage = self
        usage.processorSeconds? -= before.processorSeconds ?? 0
        usage.storeBytes? -= before.storeBytes ?? 0
        usage.cores = usage.processorSeconds.map { $0 / seconds }
        return usage
    }
}
