import Foundation
import TestKit
import Testing

/// Every text shown by the program has an entry in the French table.
@Suite struct TranslationTests {
    private let messages: Set<String>
    private let errors: [String]

    init() throws {
        let table = try RepositoryFile.text("Sources/Device/Words/French.swift")
        let parts = table.components(separatedBy: "static let errors")
        try #require(parts.count == 2)
        let key = /(?:^|[,\[\n])\s*"((?:[^"\\]|\\.)*)"\s*:/
        var tables = [parts]
        for (file, name) in [
            ("Statements", "statementErrors"), ("Rates", "rateErrors"), ("Entry", "entryErrors"),
            ("Sharing", "sharingErrors"), ("App", "appErrors"),
        ] {
            let halves = try RepositoryFile.text("Sources/Device/Words/French+\(file).swift")
                .components(separatedBy: "static let \(name)")
            try #require(halves.count == 2)
            tables.append(halves)
        }
        let keys = { (texts: [String]) in texts.flatMap { $0.matches(of: key).map { String($0.1) } } }
        messages = Set(keys(tables.map { $0[0] }))
        errors = keys(tables.map { $0[1] })
        try #require(messages.count > 100 && errors.count > 100)
    }

    private func sources(_ folder: String) throws -> [(path: String, text: String)] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: RepositoryFile.url(folder).path)
        return try names.sorted().filter { $0.hasSuffix(".swift") && !$0.hasPrefix("Words/") }.map {
            ($0, try RepositoryFile.text(folder + "/" + $0))
        }
    }

    /// Replaces each interpolation in a literal by `%`.
    private func pattern(_ literal: some StringProtocol) -> String {
        var pattern = ""
        var depth = 0
        var rest = literal[...]
        while let character = rest.popFirst() {
            if depth == 0, character == "\\", rest.first == "(" {
                rest.removeFirst()
                depth = 1
                pattern += "%"
            } else if depth > 0 {
                depth += character == "(" ? 1 : character == ")" ? -1 : 0
            } else {
                pattern.append(character)
            }
        }
        return pattern
    }

    @Test func messagesAreTranslated() throws {
        let call = /(?:^|[^A-Za-z])(?:text|note)\(\s*"((?:[^"\\]|\\\((?:[^()]|\([^()]*\))*\)|\\.)*)"/
        var count = 0
        for (path, text) in try sources("Sources/Device/subguard") + sources("Sources/Device/App") {
            // Not what is written as it is: texts of pages, and answers to programs.
            let text = text.replacing(/(?:html|AppResponse)\.text\(/, with: "")
            // Multi-line texts contain quotation marks.
            for match in text.matches(of: call) where !match.1.isEmpty {
                count += 1
                #expect(messages.contains(pattern(match.1)), "\(path): \(match.1)")
            }
        }
        #expect(count > 100)
    }

    /// The description of a broken rule is a sentence: it begins with a capital and ends with a full stop.
    @Test func brokenRulesAreTranslated() throws {
        let sentence =
            /"((?:Must|At|Has|Is|No|Not|Parts|Payers|Percentages|Amounts|Tags|The|This|Unknown|Cannot|Custom|A|An)\b(?:[^"\\\n]|\\\((?:[^()]|\([^()]*\))*\)|\\.)*\.)"/
        var count = 0
        for folder in ["Budgets", "Portability", "Rates", "Reminders", "Sharing", "Subscriptions"].map({
            "Sources/Shared/Domain/" + $0
        })
            + [
                "Sources/Device/Engine", "Sources/Device/subguard/Session", "Sources/Device/App",
                "Sources/Web/HTML/Forms",
            ]
        {
            for (path, text) in try sources(folder) where !path.hasPrefix("Migrations") {
                // Not answers to programs.
                let text = text.replacing(/AppResponse\.text\("[^"]*"/, with: "")
                for match in text.matches(of: sentence) {
                    count += 1
                    let wanted = pattern(match.1).replacing("%1", with: "%")
                    let isListed =
                        errors.contains(wanted) || messages.contains(wanted) || wanted.hasPrefix("Must be one of ")
                    #expect(isListed, "\(folder)/\(path): \(wanted)")
                }
            }
        }
        #expect(count > 60)
    }
}
