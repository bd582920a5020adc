import HTML

/// What lists have in common.
extension ConsoleFrame {
    /// A notice about what was done.
    func notice(_ phrase: Phrase?, to html: inout HTMLWriter) {
        if let phrase { FormNotice.done(words[phrase], to: &html) }
    }

    /// Sentences of the API, in English, that explain why something was not done.
    func refusal(_ sentences: [String], to html: inout HTMLWriter) {
        if !sentences.isEmpty { FormNotice.refused(sentences, words, to: &html) }
    }
}

/// What became of a form.
enum FormNotice {
    static func done(_ text: String, to html: inout HTMLWriter) {
        html.add(.p, .class("notice good"), .role("status"), text: text)
    }

    static func nothingSelected(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.p, .class("notice warn"), .role("status"), text: words[.nothingSelected])
    }

    /// - Parameter sentences: of the API, in English.
    static func refused(_ sentences: [String], _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.div, .class("notice bad"), .role("alert")) { html in
            html.add(.p, text: words[.notAccepted])
            for sentence in sentences {
                let (text, isEnglish) = FaultSentences.translated(sentence, to: words.language)
                html.add(.p, isEnglish ? .lang("en") : nil, text: text)
            }
        }
    }

    /// How many of a list were decided how, and a way to undo it.
    static func decided<Outcome: CaseIterable & Equatable>(
        _ outcomes: [Outcome], text: (Outcome, Int) -> String, to html: inout HTMLWriter,
        undo: (inout HTMLWriter) -> Void
    ) {
        html.add(.div, .class("notice good"), .role("status")) { html in
            let texts = Outcome.allCases.compactMap { outcome -> String? in
                let count = outcomes.count { $0 == outcome }
                return count > 0 ? text(outcome, count) : nil
            }
            let sentence = texts.joined(separator: ", ")
            html.add(.p, text: sentence.prefix(1).uppercased() + sentence.dropFirst() + ".")
            undo(&html)
        }
    }
}

/// The foot of a list: how much of it is shown, and the way to other parts.
struct Paging {
    let summary: String
    /// Nil on the first page.
    let first: HTMLLink?
    /// Nil on the last page.
    let next: HTMLLink?
    var firstPhrase = Phrase.firstPage
    var nextPhrase = Phrase.nextPage

    /// - Parameter more: further links, before these.
    func write(_ words: ConsoleWords, to html: inout HTMLWriter, more: (inout HTMLWriter) -> Void = { _ in }) {
        html.add(.nav, .class("paging"), .aria("label", words[.listPages])) { html in
            html.add(.p, .class("muted"), text: summary)
            html.add(.p, .class("actions")) { html in
                more(&html)
                if let first { html.add(.a, .class("button"), .href(first), text: words[firstPhrase]) }
                if let next { html.add(.a, .class("button"), .rel("next"), .href(next), text: words[nextPhrase]) }
            }
        }
    }
}
