import HTML
import SubGuardDomain
package import Telemetry

/// What a rule would have done: a sentence, the latest crossings and the figure over time with the rule's value.
package struct AlertPreviewView: Sendable {
    private let draft: AlertRuleDraft
    private let preview: AlertRulePreview

    /// The crossings that are listed, newest first.
    private static let mostCrossings = 12

    package init(_ draft: AlertRuleDraft, _ preview: AlertRulePreview) {
        self.draft = draft
        self.preview = preview
    }

    func write(_ words: ConsoleWords, to html: inout HTMLWriter) {
        guard preview.hasPast, preview.points.count > 1 else {
            let last = preview.points.last
            let verdict = words[last?.state == .firing ? "fire" : "not fire"]
            let sentence =
                last?.value == nil
                ? words.text(
                    "The past of this figure is not stored, and it has no value now; the rule would %1.", verdict)
                : words.text(
                    "The past of this figure is not stored. Now it is %1; the rule would %2.",
                    words.measured(last?.value, of: draft), verdict)
            html.paragraph(sentence)
            return
        }
        let crossings = preview.crossings
        html.add(.p, .class("verdict"), text: verdict(crossings.count { $0.state == .firing }, words))
        html.hint(
            words[
                preview.step == .day
                    ? "Measured at the end of each day and now, as far back as data is stored. Muting is ignored."
                    : "Measured at the end of each hour and now, as far back as data is stored. Muting is ignored."
            ])
        writePlot(words, to: &html)
        writeCrossings(crossings, words, to: &html)
    }

    private func verdict(_ count: Int, _ words: ConsoleWords) -> String {
        let hours = Int64(preview.points.count - 1) * (preview.step == .day ? 24 : 1)
        let span =
            hours < 48
            ? words.text("%1 h", words.number(hours))
            : words.count(hours / 24, "%1 day|%1 days")
        switch count {
        case 0: return words.text("It would not have fired in the last %1.", span)
        case 1: return words.text("It would have fired once in the last %1.", span)
        default: return words.text("It would have fired %2 times in the last %1.", span, words.number(Int64(count)))
        }
    }

    private func writeCrossings(
        _ crossings: [AlertRulePreview.Point], _ words: ConsoleWords, to html: inout HTMLWriter
    ) {
        guard !crossings.isEmpty else { return }
        html.rows(crossings.reversed().prefix(Self.mostCrossings), style: "waits crossings") { crossing, html in
            html.add(.span) { html in
                let isFiring = crossing.state == .firing
                html.rating(words[isFiring ? "Would have fired" : "Would have recovered"], isGood: !isFiring)
                html.text(" ")
                html.instant(crossing.at, words)
            }
            html.add(.span, text: words.measured(crossing.value, of: draft))
        }
        if crossings.count > Self.mostCrossings {
            let more = words.number(Int64(crossings.count - Self.mostCrossings))
            html.hint(words.text("%1 earlier ones are not listed.", more))
        }
    }

    private func writePlot(_ words: ConsoleWords, to html: inout HTMLWriter) {
        let calendar = preview.standing.calendar
        let points = preview.points.map { point in
            PlotPoint(label: words.shortDay(calendar.day(of: point.at)), value: point.value.map(number))
        }
        guard let first = preview.points.first?.at, let last = preview.points.last?.at,
            points.contains(where: { $0.value != nil })
        else { return }
        let limit = number(draft.value)
        let values = points.compactMap(\.value) + [limit]
        let isRate = draft.figure.isPercentage
        let figure = words[words.phrase(draft.figure)]
        let summary = words.text(
            "%1 from %2 to %3, compared with %4.", figure, words.day(calendar.day(of: first)),
            words.day(calendar.day(of: last)), words.measured(draft.value, of: draft)
        )
        let isInPercent = draft.isInPercent
        var plot = TimePlot(
            id: "past", form: .line, title: figure, summary: summary, points: points,
            scale: isRate ? PlotScale(near: values, ceiling: 100) : PlotScale(of: values, wholeNumbers: !isInPercent)
        ) { words.tick($0, isPercent: isInPercent) }
        plot.limit = PlotLimit(value: limit, label: words.measured(draft.value, of: draft))
        PlotPanel(
            plot: plot,
            rows: preview.points.map {
                (words.instant($0.at), words.measured($0.value, of: draft), words.name($0.state))
            }
        ).write(figure, summary, words, to: &html)
    }

    /// In a plot of changes, falls are below zero.
    private func number(_ value: AlertValue) -> Double {
        let shown = draft.comparison.isChange ? value.change(measuredFor: draft.comparison) : value
        return Double(shown.thousandths) / 1000
    }
}
