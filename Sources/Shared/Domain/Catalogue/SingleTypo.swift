/// Compares a query with a text that may differ from it by one typo: a letter missing, added, wrong, or two swapped.
enum SingleTypo {
    enum Outcome {
        case none
        /// The text begins with the query but for the typo.
        case prefix
        /// The whole text is the query but for the typo.
        case whole
    }

    typealias Units = UnsafeBufferPointer<UInt16>

    /// Compares with the part of the text from `start` on.
    ///
    /// Up to the first difference both are equal, and a single typo can only lie there; so each of the four kinds is
    /// tried once, at that place.
    static func match(_ query: Units, _ text: Units, from start: Int) -> Outcome {
        guard text.count - start + 1 >= query.count, beginsAlike(query, text, start) else { return .none }
        var at = 0
        var place = start
        while at < query.count, place < text.count, query[at] == text[place] {
            at += 1
            place += 1
        }
        guard at < query.count else { return place == text.count ? .whole : .prefix }
        let added = rest(query, at + 1, text, place)
        guard place < text.count else { return added }
        let wrong = rest(query, at + 1, text, place + 1)
        let missing = rest(query, at, text, place + 1)
        let outcome = best(added, best(wrong, missing))
        guard at + 1 < query.count, place + 1 < text.count, query[at] == text[place + 1], query[at + 1] == text[place]
        else { return outcome }
        return best(outcome, rest(query, at + 2, text, place + 2))
    }

    /// Whether the first two letters leave a single typo possible; most texts end here.
    private static func beginsAlike(_ query: Units, _ text: Units, _ start: Int) -> Bool {
        guard query.count >= 2, text.count >= start + 2 else { return true }
        return query[0] == text[start] || query[1] == text[start + 1] || query[1] == text[start]
            || query[0] == text[start + 1]
    }

    /// Compares what is left of both, now without a typo.
    private static func rest(_ query: Units, _ at: Int, _ text: Units, _ place: Int) -> Outcome {
        let length = query.count - at
        guard length <= text.count - place else { return .none }
        for offset in 0..<length where query[at + offset] != text[place + offset] { return .none }
        return place + length == text.count ? .whole : .prefix
    }

    private static func best(_ first: Outcome, _ second: Outcome) -> Outcome {
        switch (first, second) {
        case (.whole, _), (_, .whole): .whole
        case (.prefix, _), (_, .prefix): .prefix
        default: .none
        }
    }
}
