import HTML
package import ServerAccess
import ServerContract
package import SubGuardDomain
package import Telemetry

/// One crash group: facts, decisions, reports by day, releases, stored reports and who decided what.
package struct CrashDetailsPage: ConsolePage {
    /// The days of the plot.
    package static let plotDays = 90

    private let details: CrashGroup.Details
    private var group: CrashGroup { details.group }
    /// Reports by day, the last one being today.
    private let trend: [Int64]
    private let today: CalendarDay
    /// Newest first; nil for those who may not read the audit log.
    private let decisions: [AuditEntry]?
    /// Whether the group had changed since the page was read, so that nothing was done.
    private let hasChanged: Bool

    package init(
        _ details: CrashGroup.Details, trend: [Int64], today: CalendarDay, decisions: [AuditEntry]?,
        hasChanged: Bool = false
    ) {
        self.details = details
        self.trend = trend
        self.today = today
        self.decisions = decisions
        self.hasChanged = hasChanged
    }

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        frame.page(.crashes, title: "\(group.title) · \(words["Crashes"])") { html in
            html.crumb(ConsoleSection.crashes.link, words["Crashes"])
            writeTop(frame, to: &html)
            writeNotice(frame, to: &html)
            html.facts(
                [
                    Fact(words["Reports"], words.number(group.count)),
                    Fact(words["First seen"], words.instant(group.firstSeenAt)),
                    Fact(words["Last seen"], words.instant(group.lastSeenAt)),
                    Fact(words["Platform"], group.platform), Fact(words["Level"], group.level.rawValue),
                    Fact(words["Decided"], group.decidedAt.map(words.instant)),
                    Fact(words["Came back"], group.regressedAt.map(words.instant)),
                ], style: "factline")
            writePlot(words, to: &html)
            html.section(words["Releases"], headingID: "releases") { html in writeReleases(words, to: &html) }
            if !details.parts.isEmpty {
                html.section(words["One function, several places"], headingID: "parts") { writeParts(frame, to: &$0) }
            }
            html.section(words["Stored reports"], headingID: "samples") { html in
                html.hint(
                    words[
                        details.samples.isEmpty
                            ? "No report is stored."
                            : "The newest reports and the first one. Only fields of an allow-list are stored, "
                                + "without personal data."])
                for (index, sample) in details.samples.enumerated() {
                    CrashReportView(sample, isOpen: index == 0).write(words, to: &html)
                }
            }
            if let decisions {
                html.section(words["Decisions"], headingID: "history") { writeHistory(decisions, words, to: &$0) }
            }
        }
    }

    // MARK: Decisions

    private func writeTop(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        let actions: [CrashAction] = group.status == .open ? [.resolve, .ignore] : [.reopen]
        func lead(_ html: inout HTMLWriter) {
            html.add(.p) { html in
                html.rating(words.singular(group.status))
                html.text(" ")
                if group.regressedAt != nil {
                    html.rating(words["came back"], isGood: false)
                    html.text(" ")
                }
                if let culprit = group.culprit { html.add(.code, text: culprit) }
            }
        }
        func decide(_ html: inout HTMLWriter) {
            for action in actions {
                let style: HTMLAttribute? = action == actions.first ? .class("primary") : nil
                html.postButton(words.name(action), link(action.rawValue), hidden(frame.keyed()), style)
            }
            html.linkButton(words["Delete…"], link("delete"), style: "button danger")
        }
        html.top(group.title, isName: true, lead: lead, actions: frame.may(.resolveCrashGroup) ? decide : nil)
    }

    func link(_ further: String) -> HTMLLink { HTMLLink("console", "crashes", group.id.lowercased, further) }

    private func hidden(_ key: NamedValue) -> [NamedValue] {
        [key, ("revision", "\(group.revision)"), ("former", group.status.rawValue)]
    }

    private func writeNotice(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        guard !hasChanged else {
            return html.notice(
                .warning, role: .alert, hasFocus: true,
                text: words.text(
                    "Nothing was changed: meanwhile, the group became “%1”. Decide again.", words.singular(group.status)
                ))
        }
        frame.notice(["parted": "The groups are parted. The others are in the list."], to: &html)
        guard let noticed = frame.noticed, noticed.code == "decided" else { return }
        html.done(words.text("The group is now “%1”.", words.singular(group.status))) { html in
            // The status before.
            let former = noticed.value.flatMap { CrashStatus(rawValue: $0) }
            guard let former, former != group.status, frame.may(.resolveCrashGroup) else { return }
            html.postButton(
                words["Undo"], link(CrashAction(giving: former).rawValue), hidden(frame.keyed("undo")))
        }
    }

    // MARK: Parts

    private func writePlot(_ words: ConsoleWords, to html: inout HTMLWriter) {
        let first = today.adding(days: 1 - trend.count)
        let summary = words.text(
            "Reports from %1 to %2: %3 in all, at most %4 on a day.", words.day(first), words.day(today),
            words.number(trend.reduce(0, +)), words.number(trend.max() ?? 0))
        let days = trend.enumerated().map { index, count in
            (day: first.adding(days: index), count: count, isUnfinished: index == trend.count - 1)
        }
        let points = days.map {
            PlotPoint(label: words.shortDay($0.day), value: Double($0.count), isUnfinished: $0.isUnfinished)
        }
        let title = words["Reports by day"]
        PlotPanel(
            style: "panel section", headingID: "by-day",
            plot: TimePlot(
                id: "plot", form: .bars, title: title, summary: summary, points: points,
                scale: PlotScale(of: points.compactMap(\.value))
            ) { words.tick($0) },
            rows: days.map { (words.day($0.day), words.number($0.count), words.unfinished($0.isUnfinished)) },
            foot: words["Days are in UTC."]
        ).write(title, summary, words, to: &html)
    }
}

extension CrashDetailsPage {
    func writeReleases(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.table(
            .label(words["Releases"]), of: group.releases,
            [
                .heading(words["Release"]) { release, html in
                    guard let name = release.name else { return html.text(words["without a release"]) }
                    html.link(named: name, .crashes(ofRelease: name))
                },
                .share { Double($0.count) / Double(max(group.count, 1)) },
                .number(words["Reports"]) { words.number($0.count) },
                .text(words["Last seen"]) { release, html in html.day(release.lastSeenAt, words) },
            ])
    }

    func writeParts(_ frame: ConsoleFrame, to html: inout HTMLWriter) {
        let words = frame.words
        html.hint(
            words[
                "By their symbols these groups are one. Parting them gives each its own reports and "
                    + "status back; the same symbols do not make them one again."])
        html.table(
            .label(words["One function, several places"]), of: details.parts,
            [
                .heading(words["Place"]) { part, html in
                    html.add(.code, text: part.place ?? "–")
                    if let build = part.build { html.add(.code, .class("muted"), text: " \(build)") }
                },
                .number(words["Reports"]) { words.number($0.count) },
                .instant("First seen", words) { $0.firstSeenAt },
                .instant("Last seen", words) { $0.lastSeenAt },
                .text(words["Status"]) { words.singular($0.status) },
            ])
        let more = details.partCount - Int64(details.parts.count)
        if more > 0 { html.hint(words.count(more, "%1 more is not shown.|%1 more are not shown.")) }
        guard frame.may(.resolveCrashGroup) else { return }
        html.form(link("undo"), [frame.keyed("part"), ("revision", "\(group.revision)")]) { html in
            html.actions { $0.submit(words["Part them"]) }
        }
    }

    func writeHistory(_ decisions: [AuditEntry], _ words: ConsoleWords, to html: inout HTMLWriter) {
        guard !decisions.isEmpty else {
            return html.add(.p, .class("muted"), text: words["Not decided yet."])
        }
        html.table(
            .label(words["Decisions"]), of: decisions,
            [
                .instant("When", words) { $0.happenedAt },
                .text(words["What"]) { Self.action($0).map(words.name) ?? $0.change.action },
                .text(words["Who"]) { entry, html in html.bdi(entry.change.actor.name) },
            ])
    }

    static func action(_ entry: AuditEntry) -> CrashAction? {
        let (name, prefix) = (entry.change.action, "crash.")
        return name.hasPrefix(prefix) ? CrashAction(rawValue: String(name.dropFirst(prefix.count))) : nil
    }
}
