import Foundation
import FuzzTargets
import TestKit
import Testing

/// Replays the corpus and the inputs that once broke something. `Scripts/fuzz` searches for new ones.
@Suite struct FuzzTargetTests {
    private static let folder = RepositoryFile.url("Fuzzing")

    private static func inputs(_ kind: String, _ target: FuzzTarget) throws -> [URL] {
        let folder = folder.appending(path: kind).appending(path: target.rawValue)
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    @Test(arguments: FuzzTarget.allCases)
    func keepsItsPromisesForTheCorpusAndForFormerFindings(_ target: FuzzTarget) throws {
        let corpus = try Self.inputs("Corpus", target)
        #expect(corpus.count >= 5, "a corpus of \(corpus.count) files is no corpus")
        for file in try corpus + Self.inputs("Regressions", target) {
            do {
                try target.run(Array(try Data(contentsOf: file)))
            } catch {
                Issue.record("\(file.path): \(error)")
            }
        }
    }

    @Test(arguments: FuzzTarget.allCases)
    func takesTheShortestInputs(_ target: FuzzTarget) throws {
        try target.run([])
        for octet in UInt8.min ... .max {
            try target.run([octet])
            try target.run([0, 0, octet])
        }
    }
}
