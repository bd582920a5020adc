package import Backend
import HTML
import SubGuardDomain

/// The crash-free rate over time with the first appearance of each release, and the health of all releases.
package struct CrashReleasesPage: Sendable {
    package enum Result: Sendable {
        /// The names of the releases by outcome, or their number if the names are no longer kept.
        case deleted([CrashOutcome: String])
        case nothingSelected
        case refused([Refusal])
    }

    /// The lengths that can be chosen, in days.
    package static let lengths = [30, 90, 365]

    private let rate: Series
    private let releases: [ReleaseHealth]
    private let days: Int
    /// Nil for those who may not decide; otherwise a new key for the next decision.
    private let idempotencyKey: String?
    private let result: Result?

    package init(
        rate: Series, releases: [ReleaseHealth], days: Int, idempotencyKey: String?, result: Result? = nil
    ) {
        self.rate = rate
        self.releases = releases
        self.days = days
        self.idempotencyKey = idempotencyKey
        self.result = result
    }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(.crashes, title: words["Crash-free sessions by release"]) { html in
            html.crumb(ConsoleSection.crashes.link, words["Crashes"])
            frame.top(
                "Crash-free sessions by release",
                "The share of sessions without a crash, and where each release first appeared.", to: &html
            ) { html in
                let query = [
                    ("figure", "crash_free_sessions"), ("from", rate.range.from.iso), ("to", rate.range.to.iso),
                    ("format", "csv"),
                ]
                frame.csvLink(HTMLLink("console", "series", query: query), to: &html)
            }
            if let result { write(result, words, to: &html) }
            html.chips(
                words["Range"],
                [(30, "Last 30 days" as Sentence), (90, "Last 90 days"), (365, "Last 12 months")].map { length, name in
                    Chip(
                        words[name], HTMLLink("console", "crashes", "releases", query: [("days", "\(length)")]),
                        isCurrent: length == days)
                })
            writePlot(words, to: &html)
            html.add(.section, .class("section")) { html in
                html.add(.h2, .id("all-releases"), text: words["Releases"])
                if releases.isEmpty {
                    frame.empty(
                        "No releases yet",
                        "Releases appear with the first crash report or session count that names one.", to: &html)
                } else {
                    writeTable(words, to: &html)
                }
            }
            frame.below(words.definition(rate.figure), rate.standing, to: &html)
        }
    }

    // MARK: Plot

    private func writePlot(_ words: ConsoleWords, to html: inout HTMLWriter) {
        let points = SeriesPage.points(of: rate, words)
        let values = points.compactMap(\.value)
        let scale = PlotScale(near: values, ceiling: 100)
        let markers = self.markers
        html.add(.section, .class("panel"), .aria("labelledby", "rate")) { html in
            html.add(.h2, .id("rate"), text: words["Crash-free sessions by day"])
            let summary = summary(words)
            html.add(.p, .class("hint"), text: summary)
            guard !values.isEmpty else { return }
            html.add(.div, .class("plotted")) { html in
                var plot = TimePlot(
                    id: "plot", form: .line, title: words["Crash-free sessions by day"], summary: summary,
                    points: points,
                    scale: scale
                ) { words.tick($0, isPercent: true) }
                plot.markers = markers
                plot.write(to: &html)
                html.add(.p, .class("hint")) { html in
                    var notes: [String] = []
                    if scale.minimum > 0 {
                        notes.append(words.text("The axis begins at %1.", words.tick(scale.minimum, isPercent: true)))
                    }
                    if !markers.isEmpty { notes.append(words["Vertical lines: first appearance of a release."]) }
                    if points.contains(where: \.isUnfinished) {
                        notes.append(words["Hatched: the period has not ended, its value will still change."])
                    }
                    html.text(notes.joined(separator: " "))
                }
                PlotTable(
                    rows: rate.points.map {
                        (
                            words.day($0.on), words.figure($0.value, isPercent: true),
                            $0.isUnfinished ? words["unfinished"] : ""
                        )
                    }
                ).write(words, to: &html)
            }
        }
    }

    private func summary(_ words: ConsoleWords) -> String {
        let (from, to) = (words.day(rate.range.from), words.day(rate.range.to))
        func number(_ value: FigureNumber) -> Double { Double(value.text) ?? 0 }
        let values = rate.points.compactMap(\.value)
        guard let low = values.min(by: { number($0) < number($1) }),
            let high = values.max(by: { number($0) < number($1) })
        else { return words.text("No sessions were reported from %1 to %2.", from, to) }
        let last = rate.points.last { !$0.isUnfinished && $0.value != nil }?.value
        return words.text(
            "Crash-free sessions from %1 to %2: lowest %3, highest %4, last finished day %5.", from, to,
            words.figure(low, isPercent: true), words.figure(high, isPercent: true),
            words.figure(last, isPercent: true))
    }

    /// Releases that first appeared in the range; those of one day share a line.
    private var markers: [PlotMarker] {
        var names: [Int: [String]] = [:]
        for release in releases {
            guard let day = release.firstSeenAt?.day, release.release != CrashStore.otherRelease else { continue }
            let index = rate.range.from.days(until: day)
            if rate.points.indices.contains(index) { names[index, default: []].append(release.release) }
        }
        return names.sorted { $0.key < $1.key }.map { index, names in
            let name = names.count > 1 ? "\(names[0]) +\(names.count - 1)" : names[0]
            return PlotMarker(index: index, label: name.count > 18 ? name.prefix(17) + "…" : name)
        }
    }

    // MARK: Table

    private func writeTable(_ words: ConsoleWords, to html: inout HTMLWriter) {
        guard let idempotencyKey else { return writeRows(words, to: &html) }
        html.add(
            .form, .methodPost, .action(HTMLLink("console", "crashes", "releases")), .data("bulk")
        ) { html in
            html.hidden("idempotency_key", idempotencyKey)
            html.hidden("days", "\(days)")
            writeRows(words, to: &html)
            html.add(.fieldset, .class("bulk")) { html in
                html.add(.legend) { html in
                    html.text(words["With the selected releases"])
                    html.add(
                        .output, .data("selected-one", words["%1 selected", of: "one of releases"]),
                        .data("selected-many", words["%1 selected", of: "releases"])
                    ) { _ in }
                }
                html.add(.button, .type("submit"), .class("danger"), text: words["Delete…"])
            }
        }
    }

    private func writeRows(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.table(
            .labelledBy("all-releases"),
            caption: words["Sessions of the last 30 days, reports of all stored groups."], of: releases,
            [
                idempotencyKey == nil
                    ? nil
                    : .check(words["Select all on this page"], "releases", value: \.release) {
                        words.text("Select %1", $0.release)
                    },
                .heading(words["Release"]) { health, html in
                    html.add(.a, .href(HTMLLink.crashes(ofRelease: health.release))) { html in
                        html.add(.bdi, text: health.release)
                    }
                },
                .number(words["Crash-free"]) { words.figure($0.crashFree, isPercent: true) },
                .number(words["Sessions"]) { words.number($0.tally.sessions) },
                .number(words["Crashed"]) { words.number($0.tally.crashed) },
                .number(words["Reports"]) { words.number($0.reports) },
                .text(words["First seen"]) { health, html in
                    guard let first = health.firstSeenAt else { return html.text("–") }
                    html.add(.time, .datetime(first.rfc3339), text: words.day(first.day))
                },
            ])
    }

    private func write(_ result: Result, _ words: ConsoleWords, to html: inout HTMLWriter) {
        switch result {
        case .nothingSelected: FormNotice.nothingSelected(words, to: &html)
        case .refused(let sentences): FormNotice.refused(sentences, words, to: &html)
        case .deleted(let decisions):
            html.add(.div, .class("notice good"), .role("status"), .tabindex(-1), .data("focus")) { html in
                for (outcome, phrase) in [
                    (CrashOutcome.deleted, "Releases deleted: %1." as Sentence), (.notFound, "No longer there: %1."),
                ] {
                    if let names = decisions[outcome] { html.add(.p, text: words.text(phrase, names)) }
                }
            }
        }
    }
}

extension HTMLLink {
    /// The groups of a release, whatever their status.
    static func crashes(ofRelease name: String) -> HTMLLink {
        HTMLLink("console", "crashes", query: [("status", "all"), ("release", name)])
    }
}
