import HTML
import SubGuardDomain

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
