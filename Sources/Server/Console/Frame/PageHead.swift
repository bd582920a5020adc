import HTML
import SubGuardDomain

/// The head of a page, and what it says about the form before.
extension ConsoleFrame {
    /// A page whose title is its heading.
    ///
    /// - Parameters:
    ///   - lead: one sentence below the heading.
    ///   - back: the page above.
    ///   - actions: on the right of the heading.
    func page(
        _ section: ConsoleSection?, _ title: Sentence, _ lead: Sentence, back: (name: Sentence, link: HTMLLink)? = nil,
        actions: ((inout HTMLWriter) -> Void)? = nil, main: (inout HTMLWriter) -> Void
    ) -> [UInt8] {
        page(section, title: words[title]) { html in
            if let back { html.crumb(back.link, words[back.name]) }
            top(title, lead, to: &html, actions: actions)
            main(&html)
        }
    }

    /// The heading, one sentence, and actions on the right; then which filters do not apply.
    func top(
        _ title: Sentence, _ lead: Sentence, to html: inout HTMLWriter,
        actions: ((inout HTMLWriter) -> Void)? = nil
    ) {
        html.top(words[title], lead: words[lead], actions: actions)
        writeQueryFaults(to: &html)
    }

    func csvLink(_ link: HTMLLink, to html: inout HTMLWriter) { html.linkButton(words["Download CSV"], link) }

    func empty(_ title: Sentence, _ hint: Sentence, isInSection: Bool = false, to html: inout HTMLWriter) {
        html.empty(words[title], words[hint], isInSection: isInSection)
    }

    /// A list, or what it says without rows.
    func list(
        _ rows: some Collection, empty title: Sentence, _ hint: Sentence, isInSection: Bool = false,
        to html: inout HTMLWriter, content: (inout HTMLWriter) -> Void
    ) {
        if rows.isEmpty { empty(title, hint, isInSection: isInSection, to: &html) } else { content(&html) }
    }

    /// Filters that are chosen by a link, each with how much of the list it shows.
    func chips<Choice: Equatable>(
        _ label: Sentence, _ choices: some Sequence<Choice>, chosen: Choice, to html: inout HTMLWriter,
        chip: (Choice) -> (text: String, link: HTMLLink, tally: Int64?)
    ) {
        html.chips(
            words[label],
            choices.map { choice in
                let (text, link, tally) = chip(choice)
                return Chip(text, link, isCurrent: choice == chosen, tally: tally.map(words.number))
            })
    }

    /// Pages that belong together, as links below the heading.
    func tabs<Tab: Equatable>(
        _ label: Sentence, _ tabs: [(tab: Tab, name: Sentence, link: HTMLLink)], current: Tab, to html: inout HTMLWriter
    ) {
        html.add(.nav, .class("tabs"), .aria("label", words[label])) { html in
            for (tab, name, link) in tabs {
                html.add(.a, .href(link), tab == current ? .aria("current", "page") : nil, text: words[name])
            }
        }
    }

    // MARK: Notices

    /// What the form before did, if the address says it by one of these codes.
    func notice(_ sentences: [String: Sentence], to html: inout HTMLWriter) {
        if let code = noticed?.code, let sentence = sentences[code] { html.done(words[sentence]) }
    }

    /// Why something was not done; nothing without a reason.
    func refusal(_ refusals: [Refusal], to html: inout HTMLWriter) {
        guard !refusals.isEmpty else { return }
        html.refusal(words["This was not accepted:"], sentences: refusals.map(words.sentence))
    }

    func nothingSelected(to html: inout HTMLWriter) {
        html.notice(
            .warning, hasFocus: true,
            text: words["Nothing was changed: select rows, then press a button below the list."])
    }

    /// How many of a list were decided how, and a way to undo it.
    ///
    /// - Parameter isDone: whether anything was done.
    func decided<Outcome: CaseIterable & Hashable>(
        _ counts: [Outcome: Int], isDone: Bool = true, text: (Outcome, Int) -> String, to html: inout HTMLWriter,
        undo: (inout HTMLWriter) -> Void
    ) {
        html.notice(isDone ? .good : .warning, hasFocus: true) { html in
            let texts = Outcome.allCases.compactMap { outcome in counts[outcome].map { text(outcome, $0) } }
            let sentence = texts.joined(separator: ", ")
            html.paragraph(sentence.prefix(1).uppercased() + sentence.dropFirst() + ".")
            undo(&html)
        }
    }

    /// What a page shows was changed since it was read.
    func changedMeanwhile(to html: inout HTMLWriter) {
        html.notice(
            .warning, role: .alert,
            text: words["The item was changed meanwhile. This is its present state; check it before you go on."])
    }

    /// Which filters do not apply, with links to their fields; nothing if all do.
    func writeQueryFaults(to html: inout HTMLWriter) {
        guard !queryFaults.isEmpty else { return }
        let labels: [String: Sentence] = [
            "q": "Search", "from": "From", "to": "To", "actor": "Author", "subject_id": "Subject (id)",
            "item": "Search the catalogue for another item", "release": "Release", "token_id": "Token (id)",
            "id": "Account id",
        ]
        html.refusal(
            words["A filter was not accepted, so it does not apply:"],
            faults: queryFaults.faults.map { fault in
                let name = FormFaults.name(fault)
                return ((labels[name].map { words[$0] } ?? name, name), words.sentence(fault))
            }, colon: words.colon)
    }
}

extension SimplePage {
    /// A page that asks before something that changes much, or cannot be undone.
    ///
    /// - Parameters:
    ///   - button: what is done, by a form that is sent to `action`.
    ///   - hidden: what the form sends unseen, with a key unless it says otherwise.
    ///   - value: name and value of the button.
    ///   - back: where the way back leads, on which nothing is done.
    ///   - content: what it does and to what.
    static func question(
        _ section: ConsoleSection?, _ title: Sentence, _ button: Sentence, _ action: HTMLLink,
        _ hidden: [NamedValue] = [], isKeyed: Bool = true, value: NamedValue? = nil, cancel: Sentence = "Cancel",
        back: HTMLLink, content: @escaping @Sendable (ConsoleFrame, ConsoleWords, inout HTMLWriter) -> Void
    ) -> SimplePage {
        SimplePage { frame, words in
            frame.page(section, title: words[title]) { html in
                html.confirmation(
                    words[title], action, (isKeyed ? [frame.keyed()] : []) + hidden, button: words[button],
                    value: value, cancel: (words[cancel], back)
                ) { content(frame, words, &$0) }
            }
        }
    }
}

extension HTMLWriter {
    /// What was done.
    mutating func done(_ text: String) { notice(.good, hasFocus: true, text: text) }

    /// The same with a way to undo it.
    mutating func done(_ text: String, undo: (inout HTMLWriter) -> Void) {
        notice(.good, hasFocus: true) { html in
            html.paragraph(text)
            undo(&html)
        }
    }

    /// An instant, to the minute.
    mutating func instant(_ instant: UTCInstant, _ words: ConsoleWords) {
        time(instant.rfc3339, words.instant(instant))
    }

    /// The day of an instant.
    mutating func day(_ instant: UTCInstant, _ words: ConsoleWords) { time(instant.rfc3339, words.day(instant.day)) }
}
