import HTML
import SubGuardDomain

/// The thresholds in a form.
package struct AlertThresholdsPage: ConsolePage {
    private let values: FormValues
    private let faults: FormFaults
    private let revision: String

    package init(values: FormValues, faults: FormFaults = FormFaults(), revision: String) {
        self.values = values
        self.faults = faults
        self.revision = revision
    }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(.alerts, title: words["Edit thresholds"]) { html in
            html.crumb(ConsoleSection.alerts.link, words["Alerts"])
            frame.top("Edit thresholds", "Numbers of users, each announced once, ever.", to: &html)
            AlertForms.thresholds.writeSummary(faults, words, to: &html)
            html.form(
                HTMLLink("console", "alerts", "thresholds"), [("revision", revision), frame.keyed()], .class("form"),
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
