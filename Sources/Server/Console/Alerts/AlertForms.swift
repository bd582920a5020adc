import HTML
import ServerContract
import SubGuardContract
import SubGuardDomain
import Telemetry

/// The forms of alerts, made from the contract.
package enum AlertForms {
    private static let fields: [DeclaredForm.Field] = [
        .init("name", "Name", isWide: true),
        .init(
            "figure", "Figure", names: names(AlertFigure.self) { words.phrase($0) },
            part: .init(before: "Send a message for")),
        .init("comparison", "Comparison", names: names(AlertComparison.self) { words.phrase($0) }, part: .init()),
        .init("value", "Value", part: .init(units: [("unit percent", "%"), ("unit seconds", "s")])),
        .init(
            "window", "Window",
            hint: "Active users: 7 or 30 days. Accepted events: at most 6 h. Storage and event sink: none.",
            saysEmpty: true, part: .init(before: "over")),
        .init("minimum_sample", "Minimum sample", hint: "With fewer sessions or users, the state stays as it is."),
        .init("muted_until", "Muted until", hint: "In UTC. Until then no message is sent."),
    ]

    private static let words = ConsoleWords(.english)

    private static func names<Word: CaseIterable & RawRepresentable<String>>(
        _ type: Word.Type, _ phrase: (Word) -> Sentence
    ) -> [String: Sentence] { Dictionary(uniqueKeysWithValues: Word.allCases.map { ($0.rawValue, phrase($0)) }) }

    /// The windows to choose from, with the one that a rule has.
    static func windows(with chosen: String, _ words: ConsoleWords) -> [FormOption] {
        var windows = ["1h", "6h", "12h", "24h", "3d", "7d", "14d", "30d"]
        if !chosen.isEmpty, !windows.contains(chosen) { windows.append(chosen) }
        return [FormOption(value: "", text: words["no window"])]
            + windows.map { FormOption(value: $0, text: AlertWindow($0).map(words.length) ?? $0) }
    }

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

extension SimplePage {
    /// The thresholds in a form.
    package static func thresholds(
        _ values: FormValues, _ faults: FormFaults = FormFaults(), revision: String
    ) -> SimplePage {
        SimplePage { frame, words in
            frame.page(
                .alerts, "Edit thresholds", "Numbers of users, each announced once, ever.",
                back: ("Alerts", ConsoleSection.alerts.link)
            ) { html in
                AlertForms.thresholds.writeSummary(faults, words, to: &html)
                html.form(
                    HTMLLink("console", "alerts", "thresholds"), [("revision", revision), frame.keyed()],
                    .class("form"),
                    .data("guard")
                ) { html in
                    AlertForms.thresholds.write(values, faults, words, to: &html)
                    html.actions { html in
                        html.submit(words["Save thresholds"], .class("primary"))
                        html.linkButton(words["Cancel"], ConsoleSection.alerts.link)
                    }
                }
            }
        }
    }
}
