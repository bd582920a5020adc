import HTML
import ServerContract
import SubGuardDomain
package import Telemetry

/// The crash-free rate over time with the first appearance of each release, and the health of all releases.
package struct CrashReleasesPage: ConsolePage {
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
    private let result: Result?

    package init(rate: Series, releases: [ReleaseHealth], days: Int, result: Result? = nil) {
        self.rate = rate
        self.releases = releases
        self.days = days
        self.result = result
    }

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        frame.page(
            .crashes, "Crash-free sessions by release",
            "The share of sessions without a crash, and where each release first appeared.",
            back: ("Crashes", ConsoleSection.crashes.link)
        ) { html in
            let query = [
                ("figure", "crash_free_sessions"), ("from", rate.range.from.iso), ("to", rate.range.to.iso),
                ("format", "csv"),
            ]
            frame.csvLink(HTMLLink("console", "series", query: query), to: &html)
        } main: { html in
            if let result { write(result, frame, to: &html) }
            frame.chips("Range", Self.lengths, chosen: days, to: &html) { length in
                let name: Sentence = length == 30 ? "Last 30 days" : length == 90 ? "Last 90 days" : "Last 12 months"
                return (words[name], HTMLLink("console", "crashes", "releases", query: [("days", "\(length)")]), nil)
            }
            writePlot(words, to: &html)
            html.section(words["Releases"], headingID: "all-releases") { html in
                frame.list(
                    releases, empty: "No releases yet",
                    "Releases appear with the first crash report or session count that names one.", to: &html
                ) { writeTable(frame, to: &$0) }
            }
            frame.below(words.definition(rate.figure), rate.standing, to: &html)
        }
    }

    // MARK: Plot

    private func writePlot(_ words: ConsoleWords, to html: inout HTMLWriter) {
        let points = SeriesPage.points(of: rate, words)
        let values = points.compactMap(\.value)
        let scale = PlotScale(near: values, ceiling: 100)
        var notes: [String] = []
        if scale.minimum > 0 {
            notes.append(words.text("The axis begins at %1.", words.tick(scale.minimum, isPercent: true)))
        }
        if !markers.isEmpty { notes.append(words["Vertical lines: first appearance of a release."]) }
        let (title, summary) = (words["Crash-free sessions by day"], summary(words))
        var plot = TimePlot(
            id: "plot", form: .line, title: title, summary: summary, points: points, scale: scale
        ) { words.tick($0, isPercent: true) }
        plot.markers = markers
        PlotPanel(
            headingID: "rate", plot: values.isEmpty ? nil : plot, notes: notes + words.hatched(points),
            rows: rate.points.map { point in
                (words.day(point.on), words.figure(point.value, isPercent: true), words.unfinished(point.isUnfinished))
            }
        ).write(title, summary, words, to: &html)
    }

    private func summary(_ words: ConsoleWords) -> String {
        let (from, to) = (words.day(rate.range.from), words.day(rate.range.to))
        guard let (low, high, last) = SeriesPage.extremes(of: rate) else {
            return words.text("No sessions were reported from %1 to %2.", from, to)
        }
        return words.text(
            "Crash-free sessions from %1 to %2: lowest %3, highest %4, last finished day %5.", from, to,
            words.figure(low, isPercent: true), words.figure(high, isPercent: true),
            words.figure(last, isPercent: true))
    }

    /// Releases that first appeared in the range; those of one day share a line.
    private var markers: [PlotMarker] {
        var names: [Int: [String]] = [:]
        for release in releases {
            guard let instant = release.firstSeenAt, release.release != CrashStore.otherRelease else { continue }
            let index = rate.range.from.days(until: rate.standing.calendar.day(of: instant))
            if rate.points.indices.contains(index) { names[index, default: []].append(release.release) }
        }
        return names.sorted { $0.key < $1.key }.map { index, names in
            let name = names.count > 1 ? "\(names[0]) +\(names.count - 1)" : names[0]
            return PlotMarker(index: index, label: name.count > 18 ? name.prefix(17) + "…" : name)
        }
    }

    // MARK: Table

    private func writeTable(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        guard frame.may(.decideCrashReleases) else { return writeRows(isSelectable: false, words, to: &html) }
        BulkForm(
            HTMLLink("console", "crashes", "releases"), [frame.keyed(), ("days", "\(days)")],
            legend: words["With the selected releases"],
            selected: (words["%1 selected", of: "one of releases"], words["%1 selected", of: "releases"])
        ).write(to: &html, list: { writeRows(isSelectable: true, words, to: &$0) }) { html in
            html.submit(words["Delete…"], .class("danger"))
        }
    }

    private func writeRows(isSelectable: Bool, _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.table(
            .labelledBy("all-releases"),
            caption: words["Sessions of the last 30 days, reports of all stored groups."], of: releases,
            [
                isSelectable
                    ? .check(
                        words["Select all on this page"], "releases", value: \.release,
                        label: { words.text("Select %1", $0.release) }) : nil,
                .named(words["Release"]) { ($0.release, HTMLLink.crashes(ofRelease: $0.release)) },
                .number(words["Crash-free"]) { words.figure($0.crashFree, isPercent: true) },
                .number(words["Sessions"]) { words.number($0.tally.sessions) },
                .number(words["Crashed"]) { words.number($0.tally.crashed) },
                .number(words["Reports"]) { words.number($0.reports) },
                .day("First seen", words, by: rate.standing.calendar.day(of:)) { $0.firstSeenAt },
            ])
    }

    private func write(_ result: Result, _ frame: ConsoleFrame, to html: inout HTMLWriter) {
        switch result {
        case .nothingSelected: frame.nothingSelected(to: &html)
        case .refused(let sentences): frame.refusal(sentences, to: &html)
        case .deleted(let decisions):
            html.notice(.good, hasFocus: true) { html in
                for (outcome, phrase) in [
                    (CrashOutcome.deleted, "Releases deleted: %1." as Sentence), (.notFound, "No longer there: %1."),
                ] {
                    if let names = decisions[outcome] { html.paragraph(frame.words.text(phrase, names)) }
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

extension SimplePage {
    /// The images whose functions have names, and how to add more.
    ///
    /// - Parameter removed: what was removed by the form before.
    package static func symbols(_ files: [SymbolFile], removed: String?) -> SimplePage {
        SimplePage { frame, words in
            frame.page(
                .crashes, "Symbols",
                "The images whose functions have names. Crashes of other images show image and offset.",
                back: ("Crashes", ConsoleSection.crashes.link)
            ) { html in
                if let removed { html.done(words.text("The symbols of %1 are removed.", removed)) }
                frame.list(
                    files, empty: "No symbols yet",
                    "Crashes show image and offset until the symbols of the image are added.", to: &html
                ) { html in
                    html.table(
                        .label(words["Symbols"]), of: files,
                        symbolColumns(mayRemove: frame.may(.deleteSymbols), words))
                }
                html.section(words["Add symbols"]) { html in
                    html.paragraph(
                        words[
                            "On the Mac that built the app, then on the server. The API takes them too: PUT "
                                + "/api/v1/admin/crashes/symbols/{debug_id}."])
                    html.add(
                        .pre, .tabindex(0),
                        text: """
                            (dwarfdump --uuid -arch arm64 App.app/App; nm -arch arm64 App.app/App) > App.symbols
                            subguardd crashes symbols add App.symbols
                            """)
                }
            }
        }
    }

    private static func symbolColumns(mayRemove: Bool, _ words: ConsoleWords) -> [TableColumn<SymbolFile>?] {
        [
            .heading(words["Image"]) { file, html in
                html.bdi(file.name.isEmpty ? "–" : file.name)
                if let architecture = file.architecture { html.muted(" \(architecture)") }
            },
            .text(words["Debug id"]) { file, html in html.add(.code, text: file.debugID) },
            .number(words["Functions"]) { words.number($0.functionCount) },
            .text(words["Added"]) { file, html in
                html.instant(file.uploadedAt, words)
                html.text(" · ")
                html.bdi(file.uploadedBy)
            },
            mayRemove
                ? .actions { file, html in
                    let name = file.name.isEmpty ? file.debugID : file.name
                    html.linkButton(
                        words["Remove…"], HTMLLink("console", "crashes", "symbols", file.debugID, "delete"),
                        style: "button danger", label: words.text("Remove the symbols of %1", name))
                } : nil,
        ]
    }
}
