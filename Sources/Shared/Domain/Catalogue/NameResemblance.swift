/// How likely two names are those of one service.
package enum NameResemblance {
    /// Names of one service that differ in more than plan and country have at most this score.
    private static let mostOfOthers = 75
    /// A plan or country of each: `Revolut Metal` and `Revolut Ultra`.
    private static let ofVariants = 70
    /// One letter that is missing, doubled or swapped.
    private static let ofSlip = 93
    /// Below it, equal letters are chance.
    private static let leastLetters = 3
    private static let leastLettersForTypo = 5
    /// Further words of a name are not compared one by one; no service needs as many.
    private static let mostWords = 8

    /// 0 to 100: 100 for names that are equal apart from case, accents, blanks and punctuation; 90 and more if they
    /// differ only in words that do not tell the service, or by a slip of the pen; 75 at most for other names.
    package static func score(_ left: NameWords, _ right: NameWords) -> Int {
        guard left.letters != right.letters else { return 100 }
        let (ours, theirs) = (digits(left.essential), digits(right.essential))
        guard ours == theirs || ours.isEmpty || theirs.isEmpty else { return 40 }
        // Also in a word that does not tell the service: `Spotify Premum`.
        let slip = isSlip(left.letters, right.letters) && haveSameInitials(left, right) ? ofSlip : 0
        guard var score = essential(left, right) else { return max(slip, rest(left, right)) }
        for (ours, theirs) in [(left.plans, right.plans), (left.countries, right.countries)] where ours != theirs {
            if !ours.isSubset(of: theirs), !theirs.isSubset(of: ours) { score = min(score, ofVariants) }
            score -= ours.symmetricDifference(theirs).count
        }
        return max(slip, score)
    }

    /// Whether each of two names that share a word that tells a service has one that the other lacks: `Apple Music` and
    /// `Apple TV`, `Revolut Metal` and `Revolut Premium`.
    package static func areVariants(_ left: NameWords, _ right: NameWords) -> Bool {
        let shared = sharedWords(left.essential, right.essential)
        guard shared > 0 else { return false }
        return (left.essential.count > shared || !left.plans.isSubset(of: right.plans))
            && (right.essential.count > shared || !right.plans.isSubset(of: left.plans))
    }

    /// Nil if they differ in words that tell the service.
    private static func essential(_ left: NameWords, _ right: NameWords) -> Int? {
        let (ours, theirs) = (left.essentialLetters, right.essentialLetters)
        guard min(ours.count, theirs.count) >= leastLetters, !left.isDescription, !right.isDescription else {
            return nil
        }
        // The article may be written together with the name: `lefigaro.fr`.
        if ours == theirs || ours == right.letters || theirs == left.letters
            || left.essential.sorted() == right.essential.sorted()
        {
            return 97
        }
        if let typo = typo(ours, theirs), haveSameInitials(left, right) { return typo }
        let (core, other) = (left.core, right.core)
        // One of them says what the service does.
        guard core.count == left.essential.count || other.count == right.essential.count,
            core.joined() == other.joined()
        else { return nil }
        return 84
    }

    /// Whether their words of one letter are the same: those of `Vitamin B` and `Vitamin C` differ as digits do.
    private static func haveSameInitials(_ left: NameWords, _ right: NameWords) -> Bool {
        left.essential.filter { $0.utf8.count == 1 } == right.essential.filter { $0.utf8.count == 1 }
    }

    /// The score of one typo; nil for more, and for short names, among which a typo makes another name.
    private static func typo(_ left: [UInt16], _ right: [UInt16]) -> Int? {
        if isSlip(left, right) { return ofSlip }
        // A wrong letter, or one more or less at the end, is as likely another name, unless the name is long.
        let least = min(left.count, right.count)
        guard least >= 6, left.first == right.first, abs(left.count - right.count) <= 1,
            EditDistance.isOne(left, right)
        else { return nil }
        return least >= 7 ? 88 : 80
    }

    private static func isSlip(_ left: [UInt16], _ right: [UInt16]) -> Bool {
        min(left.count, right.count) >= leastLettersForTypo
            && (CatalogueGuess.isSlip(left, of: right) || CatalogueGuess.isSlip(right, of: left))
    }

    private static func rest(_ left: NameWords, _ right: NameWords) -> Int {
        let shared = sharedWords(left.essential, right.essential)
        let words = 2 * shared * mostOfOthers / (left.essential.count + right.essential.count)
        let longer = max(left.letters.count, right.letters.count)
        guard longer > leastLetters else { return words }
        return max(words, (longer - EditDistance.between(left.letters, right.letters)) * mostOfOthers / longer)
    }

    /// Whether two names share a word that tells a service, or differ by a typo: others have at most 75.
    static func mayResemble(_ left: NameWords, _ right: NameWords) -> Bool {
        if left.essential.prefix(mostWords).contains(where: right.essential.prefix(mostWords).contains) { return true }
        func areClose(_ one: [UInt16], _ other: [UInt16]) -> Bool {
            guard min(one.count, other.count) >= leastLetters, abs(one.count - other.count) <= 1 else { return false }
            return one == other || isSlip(one, other)
                || one.first == other.first && EditDistance.isOne(one, other)
        }
        return areClose(left.letters, right.letters) || areClose(left.essentialLetters, right.essentialLetters)
            || left.essentialLetters == right.letters || left.letters == right.essentialLetters
    }

    private static func sharedWords(_ left: [String], _ right: [String]) -> Int {
        var others = Array(right.prefix(mostWords))
        return left.prefix(mostWords).count { word in
            let letters = Array(word.utf16)
            let place =
                others.firstIndex(of: word)
                ?? others.firstIndex { isSlip(letters, Array($0.utf16)) || arePlural(word, $0) }
            if let place { others.remove(at: place) }
            return place != nil
        }
    }

    /// Whether one is the other with an `s` at its end.
    private static func arePlural(_ one: String, _ other: String) -> Bool {
        min(one.utf8.count, other.utf8.count) >= leastLettersForTypo && (one == other + "s" || other == one + "s")
    }

    private static func digits(_ words: [String]) -> [UInt8] {
        words.flatMap { $0.utf8.filter(PayeeWord.isDigit) }
    }
}

/// A name as a person typed it, or copied it from a statement.
package struct TypedName: Sendable {
    private let name: NameWords
    /// Without the words of the bank; nil for a name that has none.
    private let payee: NameWords?

    package init(_ text: String) {
        name = NameWords(text)
        let words = TextFolding.fold(text).split(separator: " ").map(String.init)
        let isPayee =
            text.contains("*") || words.count > 1 && words.first.map { PayeeWords.prefixes.contains($0) } ?? false
            || words.contains { $0.utf8.count { PayeeWord.isDigit($0) } > 3 }
        let rest = isPayee ? PayeeName(text).words : []
        payee = rest.isEmpty || rest == words ? nil : NameWords(rest.joined(separator: " "))
    }

    /// Texts by which a search finds what may be meant, the most specific first.
    package var queries: [String] {
        let words = [name, payee].compactMap { $0 }.flatMap { [$0.essential.joined(separator: " ")] + $0.essential }
        var seen: Set<String> = []
        return words.filter { $0.utf8.count > 1 && seen.insert($0).inserted }
    }

    /// Whether a name of the catalogue is worth a score: one without a word or a typo in common has a low one.
    package func mayResemble(_ other: NameWords) -> Bool {
        NameResemblance.mayResemble(name, other) || payee.map { NameResemblance.mayResemble($0, other) } ?? false
    }

    /// The score of a name of the catalogue, as in ``NameResemblance/score(_:_:)``.
    package func score(_ other: NameWords) -> Int {
        let score = NameResemblance.score(name, other)
        guard let payee, score < 100 else { return score }
        // Statements add places and references to names.
        let isBeginning =
            other.essentialLetters.count >= 5 && payee.essential.count > other.essential.count
            && Array(payee.essential.prefix(other.essential.count)) == other.essential
        return max(score, min(99, NameResemblance.score(payee, other)), isBeginning ? 88 : 0)
    }
}
