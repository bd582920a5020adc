import HTML
import SubGuardDomain

extension SimplePage {
    /// The thresholds in a form.
    package static func thresholds(
        _ values: FormValues, _ faults: FormFaults = FormFaults(), revision: String
    ) -> SimplePage {
        SimplePage { frame in
            let words = frame.words
            return frame.page(.alerts, title: words["Edit thresholds"]) { html in
                html.crumb(ConsoleSection.alerts.link, words["Alerts"])
                frame.top("Edit thresholds", "Numbers of users, each announced once, ever.", to: &html)
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
