package import Backend
import HTML
import SubGuardDomain

/// The first page: what needs somebody, and the dashboard's figures.
package struct OverviewPage: Sendable {
    /// Figures for those who may read them.
    package struct Figures: Sendable {
        let dashboard: Dashboard
        let series: [Dashboard.Name: Series]

        package init(dashboard: Dashboard, series: [Dashboard.Name: Series]) {
            self.dashboard = dashboard
            self.series = series
        }

        /// The figure over time beside each figure of the dashboard.
        package static let seriesNames: [(figure: Dashboard.Name, series: String)] = [
            (.totalUsers, "users"), (.activeUsers30d, "active_30d"), (.subscriptionsTracked, "subscriptions_added"),
            (.premiumConversions, "conversions"), (.crashFreeSessions, "crash_free_sessions"),
        ]
    }

    private let figures: Figures?
    private let attention: [Attention]

    /// - Parameter attention: in the order of the list.
    package init(figures: Figures?, attention: [Attention]) {
        self.figures = figures
        self.attention = attention
    }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(.overview, title: words["Overview"]) { html in
            frame.top("Overview", "The figures now, and how this week compares with the week before.", to: &html) {
                html in
                html.add(.span, .data("refresh-button")) { _ in }
            }
            html.add(
                .div, .data("refresh", "60"), .data("pause", words["Pause refresh"]),
                .data("resume", words["Refresh every minute"])
            ) { html in
                // What needs somebody comes first; that nothing does is no news.
                if !attention.isEmpty { writeAttention(words, to: &html) }
                if let figures {
                    frame.standingNotice(figures.dashboard.standing, to: &html)
                    html.add(.div, .class("tiles")) { html in
                        for name in Dashboard.Name.allCases { tile(name, figures, words, &html) }
                    }
                    frame.below(
                        words[
                            "This week is the last 7 × 24 hours, the week before the 7 × 24 hours before them. "
                                + "There is no trend when the week before is not above zero."],
                        figures.dashboard.standing, called: "How weeks are compared", to: &html)
                } else {
                    html.add(.p, .class("notice"), text: words["Your role has no access to the figures."])
                }
                if attention.isEmpty {
                    html.add(.p, .class("muted after"), text: words["Nothing needs attention."])
                }
            }
        }
    }

    private func tile(
        _ name: Dashboard.Name, _ figures: Figures, _ words: ConsoleWords, _ html: inout HTMLWriter
    ) {
        let figure = figures.dashboard[name]
        let isPercent = name == .crashFreeSessions
        html.add(.section, .class("tile"), .aria("labelledby", name.rawValue)) { html in
            html.add(.h2, .id(name.rawValue)) { html in
                let link = Figures.seriesNames.first { $0.figure == name }.map {
                    HTMLLink("console", "series", query: [("figure", $0.series)])
                }
                html.add(.a, .href(link ?? ConsoleSection.series.link), text: words.name(name))
            }
            html.add(.p, .class("value"), text: words.figure(figure.value, isPercent: isPercent))
            html.add(.p, .class("trend")) { html in
                guard figure.value != nil || figure.thisWeek != nil || figure.lastWeek != nil else {
                    return html.text(words["No data yet"])
                }
                html.add(.strong, text: Self.trend(figure, words))
                html.text(
                    words.text(
                        "%1 this week, %2 the week before", words.figure(figure.thisWeek, isPercent: isPercent),
                        words.figure(figure.lastWeek, isPercent: isPercent)))
            }
            // There even without a line, so that the parts of all tiles stand at the same height.
            html.add(.div, .class("line-box")) { html in
                if let series = figures.series[name] {
                    Sparkline(points: SeriesPage.points(of: series, words)).write(to: &html)
                }
            }
            html.add(.details, .class("what")) { html in
                html.add(.summary, text: words["Definition"])
                html.add(.p, text: words.definition(name))
            }
        }
    }

    /// The direction in words, with the number.
    static func trend(_ figure: DashboardFigure, _ words: ConsoleWords) -> String {
        guard let trend = figure.trendPercent else { return words["No trend"] }
        let text = words.figure(trend, isPercent: true)
        if trend.text.hasPrefix("-"), trend.text != "-0.0" {
            return words.text("Down %1", String(text.drop { $0 == "\u{2212}" }))
        }
        return trend.text == "0.0" ? words["Unchanged"] : words.text("Up %1", text)
    }

    private func writeAttention(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.section, .class("section"), .aria("labelledby", "attention")) { html in
            html.add(.h2, .id("attention"), text: words["Needs attention"])
            html.add(.ul, .class("waits")) { html in
                for item in attention {
                    html.add(.li) { html in
                        html.add(.a, .href(item.section.link), text: item.text(words))
                    }
                }
            }
        }
    }
}
