import TestKit
import Testing
import Translations

/// The French file and the sources have the same texts.
@Suite struct FrenchTests {
    private let entries = French.entries

    private func patterns(for program: String) -> Set<String> {
        Set(entries.filter { $0.context.map { $0.hasPrefix(program) || $0.hasPrefix("of ") } ?? true }.map(\.english))
    }

    /// French that no source says any more goes. What libraries say cannot be found in the sources.
    @Test func everyFrenchTextIsSaid() throws {
        let said = Set(try SourceLiteral.all(in: "Sources").map(\.pattern))
        try #require(said.count > 5_000)
        for entry in entries where !(entry.context?.hasSuffix("finished") ?? false) {
            let isSaid = said.contains(entry.english)
            #expect(isSaid, "\(entry.english)")
        }
    }

    @Test func everyTextOfTheConsoleIsFrench() throws {
        let french = patterns(for: "console")
        // Names of products, and the languages themselves.
        let names: Set = ["App Store", "Samsung Internet", "Mac OS X"]
        var count = 0
        for literal in try SourceLiteral.all(in: "Sources/Server/Console") {
            let isSaid =
                literal.before.contains(/(?:words|self)(?:\[|\.text\()\s*$/) || literal.before.hasSuffix("count(")
            let isSentence = literal.pattern.contains(/^[A-Z%“][^<>]* [a-z]{2}/) && !literal.before.hasSuffix(".class(")
            guard isSaid || isSentence, !names.contains(literal.pattern) else { continue }
            count += 1
            let isFrench = french.contains(literal.pattern)
            #expect(isFrench, "\(literal.path): \(literal.pattern)")
        }
        #expect(count > 700)
    }

    @Test func everyTextOfTheDeviceIsFrench() throws {
        let french = patterns(for: "device")
        var count = 0
        for literal in try SourceLiteral.all(in: "Sources/Device/Commands")
            + SourceLiteral.all(in: "Sources/Device/subguard")
            + SourceLiteral.all(in: "Sources/Device/App") where !literal.pattern.isEmpty
        {
            // Not what is written as it is: texts of pages, and answers to programs.
            guard literal.pattern.contains(/[A-Za-z]{2}/),
                literal.before.contains(/(?:^|[^A-Za-z])(?:text|note)\(\s*$/),
                !literal.before.contains(/(?:html|AppResponse)\.text\(\s*$/)
            else { continue }
            count += 1
            let isFrench = french.contains(literal.pattern)
            #expect(isFrench, "\(literal.path): \(literal.pattern)")
        }
        #expect(count > 300)
    }

    @Test func everyTextOfTheDomainIsFrench() throws {
        let french = patterns(for: "domain")
        var count = 0
        for literal in try SourceLiteral.all(in: "Sources/Shared/Domain")
            + SourceLiteral.all(in: "Sources/Device/Engine")
        where literal.before.contains(/language\.text\((?:\w+ \? )?\s*$/) {
            count += 1
            let isFrench = french.contains(literal.pattern)
            #expect(isFrench, "\(literal.path): \(literal.pattern)")
        }
        #expect(count > 150)
    }

    /// The description of a broken rule is a sentence: it begins with a capital and ends with a full stop.
    @Test func everyBrokenRuleIsFrench() throws {
        let french = patterns(for: "device")
        let folders =
            ["Budgets", "Portability", "Rates", "Reminders", "Sharing", "Subscriptions"].map {
                "Sources/Shared/Domain/" + $0
            } + [
                "Sources/Device/Engine", "Sources/Device/Commands/Session", "Sources/Device/App",
                "Sources/Web/HTML/Forms",
            ]
        let sentence =
            #/
            ^(?:Must|At|Has|Is|No|Not|Parts|Payers|Percentages|Amounts|Tags|The|This|Unknown|Cannot|Custom|A|An)
            \b[^\n]*\.$
            /#
        var count = 0
        for folder in folders {
            for literal in try SourceLiteral.all(in: folder) where literal.pattern.contains(sentence) {
                // Not answers to programs, and not what is filled twice.
                guard !literal.before.hasSuffix("AppResponse.text("), !literal.before.hasSuffix(".tooLarge(") else {
                    continue
                }
                count += 1
                let isListed = french.contains(literal.pattern) || literal.pattern.hasPrefix("Must be one of ")
                #expect(isListed, "\(literal.path): \(literal.pattern)")
            }
        }
        #expect(count > 60)
    }

    /// A translation names the same values as its English, in each of its forms.
    @Test func everyFrenchTextHasTheValuesOfItsEnglish() {
        for entry in entries {
            let forms = (entry.english.split(separator: "|"), entry.translation.split(separator: "|"))
            let names = { (text: Substring) in Set(text.matches(of: /%[0-9]/).map { String($0.0) }) }
            #expect(forms.0.count == forms.1.count, "\(entry.english)")
            for (english, french) in zip(forms.0, forms.1) {
                #expect(names(french).isSubset(of: names(english)), "\(english): \(french)")
            }
        }
    }

    /// Apostrophes are curly; the spaces of high punctuation are set when the file is read.
    @Test func apostrophesAreCurly() {
        for entry in entries {
            #expect(!entry.translation.contains(/\p{L}'\p{L}/), "\(entry.translation)")
        }
    }

    @Test func noTextIsTranslatedTwice() {
        let keys = entries.map { [$0.context ?? "", $0.english] }
        #expect(Set(keys).count == keys.count)
    }
}
