import Foundation

/// The programs under test, which are beside the test bundle.
enum Program: String {
    case server = "subguardd"
    case load = "subguard-load"

    struct NotBuilt: Error, CustomStringConvertible {
        let path: String
        var description: String { "\(path) is missing: build the whole package before the tests" }
    }

    func path() throws -> String {
        let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let path = folder.appendingPathComponent(rawValue).path
        guard FileManager.default.isExecutableFile(atPath: path) else { throw NotBuilt(path: path) }
        return path
    }
}
