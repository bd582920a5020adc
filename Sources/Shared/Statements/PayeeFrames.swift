import SubGuardDomain

/// Words with which a bank begins the texts of payments, beyond those that are known: learned from statements in which
/// the same words stand before many names.
///
/// The same whatever the order of the texts.
struct PayeeFrames {
    /// The words of a text and how many entries have it.
    struct Text {
        var words: [String]
        var entries: Int
    }

    /// How many words a frame has, and the fewest entries with it.
    private static let lengths = 3...8
    private static let leastEntries = 6
    /// Of how many entries one at least has it: with a word that is known to be the bank's, and without.
    private static let (share, unknownShare) = (20, 3)
    /// How many words follow at least, and how many of them more than once: what differs each time is no name.
    private static let (followers, unknownFollowers, recurring) = (4, 5, 2)

    private let catalogue: PayeeCatalogue
    /// By their words, with blanks between.
    private var frames: Set<String> = []
    /// The words of stored subscriptions, joined.
    private var names: Set<String> = []
    private static let leastLetters = 4

    /// - Parameter names: of stored subscriptions. A statement that is too short to learn from has them all the same.
    init(_ texts: [Text], names: [PayeeName], catalogue: PayeeCatalogue) {
        self.catalogue = catalogue
        let joined = names.map { $0.words.joined() }
        self.names = Set(joined.filter { $0.utf8.count >= Self.leastLetters && $0.contains(where: \.isLetter) })
        let all = texts.reduce(0) { $0 + $1.entries }
        let least = max(Self.leastEntries, (all + Self.share - 1) / Self.share)
        guard all >= least else { return }
        // By their words; of each length, at most twenty are left.
        var open: [String: [Text]] = [:]
        for text in texts where text.words.count >= Self.lengths.lowerBound {
            open[Self.joined(text.words, Self.lengths.lowerBound), default: []].append(text)
        }
        for length in Self.lengths {
            var longer: [String: [Text]] = [:]
            for (words, texts) in open where texts.reduce(0, { $0 + $1.entries }) >= least {
                if isFrame(texts, length: length, of: all) {
                    frames.insert(words)
                } else {
                    for text in texts where text.words.count > length {
                        longer[Self.joined(text.words, length + 1), default: []].append(text)
                    }
                }
            }
            open = longer
        }
    }

    private static func joined(_ words: [String], _ count: Int) -> String {
        words.prefix(count).joined(separator: " ")
    }

    /// Whether what follows the first words of these texts are names.
    private func isFrame(_ texts: [Text], length: Int, of all: Int) -> Bool {
        guard let words = texts.first?.words.prefix(length) else { return false }
        let isKnown = words.first.map(BankWords.isOfBank) ?? false
        var counts: [String: Int] = [:]
        // Months and the bank's words are no names: `ACME INSURANCE JAN`.
        for text in texts where text.words.count > length {
            let word = text.words[length]
            guard !MonthWords.isMonth(word), !BankWords.saysNothing(word) else { continue }
            counts[word, default: 0] += text.entries
        }
        guard counts.count >= (isKnown ? Self.followers : Self.unknownFollowers),
            counts.values.count(where: { $0 > 1 }) >= Self.recurring,
            isKnown || counts.values.reduce(0, +) * Self.unknownShare >= all
        else { return false }
        return catalogue.item(beginning: Array(words)) == nil
    }

    /// How many words at the beginning of a text are the bank's.
    func length(in words: [String]) -> Int {
        guard words.count > Self.lengths.lowerBound, !frames.isEmpty || !names.isEmpty,
            catalogue.item(beginning: words) == nil
        else { return 0 }
        if !frames.isEmpty {
            for length in Self.lengths where length < words.count {
                guard frames.contains(Self.joined(words, length)) else { continue }
                return words[length...].allSatisfy(BankWords.saysNothing) ? 0 : length
            }
        }
        return names.isEmpty ? 0 : nameStart(in: words)
    }

    /// Where the name of a stored subscription begins, behind words of which one at least is a bank's; zero when it is
    /// not there, or when another one is at the beginning.
    private func nameStart(in words: [String]) -> Int {
        let bank = words.firstIndex(where: BankWords.isOfBank) ?? words.count
        for start in words.indices where start == 0 || start >= Self.lengths.lowerBound && start > bank {
            var joined = ""
            for word in words[start...].prefix(5) {
                joined += word
                if names.contains(joined) { return start }
            }
        }
        return 0
    }
}
