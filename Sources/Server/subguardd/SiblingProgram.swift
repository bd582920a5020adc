import Foundation

/// A program that is installed beside this one, or on PATH.
struct SiblingProgram {
    static let load = SiblingProgram(name: "subguard-load")
    /// The file of this process.
    static let thisProgram = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    static var folder: URL { thisProgram.deletingLastPathComponent() }

    let name: String

    private var beside: String { Self.folder.appendingPathComponent(name).path }

    /// The file beside this program if it is there, else the first one on PATH, else the file that is missing.
    var path: String {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let files = [beside] + folders.map { "\($0)/\(name)" }
        return files.first { FileManager.default.isExecutableFile(atPath: $0) } ?? beside
    }

    /// Runs it in place of this process. Returns only if it cannot be started, with the reason.
    func replaceThisProcess(_ arguments: [String]) -> String {
        var words = ([name] + arguments).map { strdup($0) } + [nil]
        execv(path, &words)
        let reason = String(cString: strerror(errno))
        return
            "\(name), the load tester, is a program of its own, and it is neither \(beside) nor on PATH (\(reason)). "
            + "`Scripts/build \(name)` builds it."
    }
}
