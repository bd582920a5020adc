import Backend
import ServerContract
import SubGuardContract
import SubGuardDomain

/// The forms of alerts, made from the contract.
package enum AlertForms {
    private static let fields: [DeclaredForm.Field] = [
        .init("name", "Name", isWide: true),
        .init("figure", "Figure", names: names(AlertFigure.self) { words.phrase($0) }),
        .init("comparison", "Comparison", names: names(AlertComparison.self) { words.phrase($0) }),
        .init("value", "Value", hint: "Percent for crash-free sessions, storage, and changes."),
        .init(
            "window", "Window",
            hint: """
                Hours or days that end now, such as 24h or 7d. Active users: 7d or 30d. Accepted events: \
                at most 6h. Storage: none.
                """, placeholder: "24h"),
        .init("minimum_sample", "Minimum sample", hint: "With fewer sessions or users, the state stays as it is."),
        .init("muted_until", "Muted until", hint: "In UTC. Until then no message is sent."),
    ]

    private static let words = ConsoleWords(.english)

    private static func names<Word: CaseIterable & RawRepresentable<String>>(
        _ type: Word.Type, _ phrase: (Word) -> Sentence
    ) -> [String: Sentence] { Dictionary(uniqueKeysWithValues: Word.allCases.map { ($0.rawValue, phrase($0)) }) }

    /// Windows that are offered while typing.
    static let windows = ["1h", "6h", "24h", "7d", "30d"]

    package static let newRule = DeclaredForm(FormDeclaration(of: .createAlertRule), fields)
    package static let rule = DeclaredForm(FormDeclaration(of: .replaceAlertRule), fields)
    package static let thresholds = DeclaredForm(
        FormDeclaration(of: .replaceAlertThresholds),
        [
            .init(
                "thresholds", "Thresholds",
                hint: """
                    One number on each line. One that is reached and never fired fires at once; one that has \
                    fired stays silent.
                    """)
        ])
}
