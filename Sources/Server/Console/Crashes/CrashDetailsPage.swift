package import Backend
import HTML
package import SubGuardDomain

/// One crash group: facts, decisions, reports by day, releases, stored reports and who decided what.
package struct CrashDetailsPage: Sendable {
    /// What the last decision did.
    package enum Notice: Sendable {
        /// - Parameter former: the status before, to undo the decision.
        case decided(former: CrashStatus?)
        /// The group had changed since the page was read, so nothing was done.
        case changedMeanwhile
        /// The group was parted from others.
        case parted
    }

    /// The days of the plot.
    package static let plotDays = 90

    private let group: CrashGroup
    private let samples: [CrashGroup.Sample]
    private let parts: [CrashGroup.Part]
    /// Reports by day, the last one being today.
    private let trend: [Int64]
    private let today: CalendarDay
    /// Newest first; nil for those who may not read the audit log.
    private let decisions: [AuditEntry]?
    /// Nil for those who may not decide; otherwise a new key for the next decision.
    private let idempotencyKey: String?
    private let notice: Notice?

    package init(
        _ details: CrashGroup.Details, trend: [Int64], today: CalendarDay, decisions: [AuditEntry]?,
        idempotencyKey: String?, notice: Notice? = nil
    ) {
        group = details.group
        samples = details.samples
        parts = details.parts
        self.trend = trend
        self.today = today
        self.decisions = decisions
        self.idempotencyKey = idempotencyKey
        self.notice = notice
    }

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(.crashes, title: "\(group.title) · \(words["Crashes"])") { html in
            writeTop(words, to: &html)
            if let notice { write(notice, words, to: &html) }
            writeFacts(words, to: &html)
            writePlot(words, to: &html)
            writeReleases(words, to: &html)
            if !parts.isEmpty {
                section("parts", "One function, several places", words, &html) { html in writeParts(words, to: &html) }
            }
            section("samples", "Stored reports", words, &html) { html in
                html.add(
                    .p, .class("hint"),
                    text: words[
                        samples.isEmpty
                            ? "No report is stored."
                            : "The newest reports and the first one. Only fields of an allow-list are stored, "
                                + "without personal data."])
                for (index, sample) in samples.enumerated() {
                    CrashReportView(sample, isOpen: index == 0).write(words, to: &html)
                }
            }
            if let decisions {
                section("history", "Decisions", words, &html) { html in
                    writeHistory(decisions, words, to: &html)
                }
            }
        }
    }

    private func section(
        _ id: String, _ title: Sentence, _ words: ConsoleWords, _ html: inout HTMLWriter,
        content: (inout HTMLWriter) -> Void
    ) {
        html.add(.section, .class("section")) { html in
            html.add(.h2, .id(id), text: words[title])
            content(&html)
        }
    }

    // MARK: Decisions

    private func writeTop(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.crumb(ConsoleSection.crashes.link, words["Crashes"])
        html.add(.div, .class("top")) { html in
            html.add(.div) { html in
                html.add(.h1) { html in html.add(.bdi, text: group.title) }
                html.add(.p) { html in
                    html.add(.span, .class("rating"), text: words.singular(group.status))
                    html.text(" ")
                    if group.regressedAt != nil {
                        html.add(.span, .class("rating bad"), text: words["came back"])
                        html.text(" ")
                    }
                    if let culprit = group.culprit { html.add(.code, text: culprit) }
                }
            }
            guard let idempotencyKey else { return }
            html.add(.div, .class("actions")) { html in
                let actions: [CrashAction] = group.status == .open ? [.resolve, .ignore] : [.reopen]
                for action in actions {
                    writeForm(action, key: idempotencyKey, isPrimary: action == actions.first, words, to: &html)
                }
                html.add(
                    .a, .class("button danger"), .href(HTMLLink("console", "crashes", group.id.lowercased, "delete")),
                    text: words["Delete…"])
            }
        }
    }

    private func writeForm(
        _ action: CrashAction, key: String, isPrimary: Bool = false, named name: Sentence? = nil, _ words: ConsoleWords,
        to html: inout HTMLWriter
    ) {
        let link = HTMLLink("console", "crashes", group.id.lowercased, action.rawValue)
        html.add(.form, .methodPost, .action(link)) { html in
            html.hidden("idempotency_key", key)
            html.hidden("revision", "\(group.revision)")
            html.hidden("former", group.status.rawValue)
            html.add(
                .button, .type("submit"), isPrimary ? .class("primary") : nil,
                text: name.map { words[$0] } ?? words.name(action))
        }
    }

    private func write(_ notice: Notice, _ words: ConsoleWords, to html: inout HTMLWriter) {
        switch notice {
        case .changedMeanwhile:
            html.add(
                .p, .class("notice warn"), .role("alert"), .tabindex(-1), .data("focus"),
                text: words.text(
                    "Nothing was changed: meanwhile, the group became “%1”. Decide again.", words.singular(group.status)
                ))
        case .parted:
            html.add(
                .p, .class("notice good"), .role("status"), .tabindex(-1), .data("focus"),
                text: words["The groups are parted. The others are in the list."])
        case .decided(let former):
            html.add(.div, .class("notice good"), .role("status"), .tabindex(-1), .data("focus")) { html in
                html.add(.p, text: words.text("The group is now “%1”.", words.singular(group.status)))
                if let idempotencyKey, let former, former != group.status {
                    writeForm(
                        CrashAction(giving: former), key: idempotencyKey + "-undo", named: "Undo", words, to: &html)
                }
            }
        }
    }

    // MARK: Parts

    private func writeFacts(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.dl, .class("factline")) { html in
            func fact(_ name: Sentence, _ text: String?) {
                guard let text else { return }
                html.add(.div) { html in
                    html.add(.dt, text: words[name])
                    html.add(.dd, text: text)
                }
            }
            fact("Reports", words.number(group.count))
            fact("First seen", words.instant(group.firstSeenAt))
            fact("Last seen", words.instant(group.lastSeenAt))
            fact("Platform", group.platform)
            fact("Level", group.level.rawValue)
            fact("Decided", group.decidedAt.map(words.instant))
            fact("Came back", group.regressedAt.map(words.instant))
        }
    }

    private func writePlot(_ words: ConsoleWords, to html: inout HTMLWriter) {
        let first = today.adding(days: 1 - trend.count)
        let summary = words.text(
            "Reports from %1 to %2: %3 in all, at most %4 on a day.", words.day(first), words.day(today),
            words.number(trend.reduce(0, +)),
            words.number(trend.max() ?? 0))
        let points = trend.enumerated().map { index, count in
            PlotPoint(
                label: words.shortDay(first.adding(days: index)), value: Double(count),
                isUnfinished: index == trend.count - 1)
        }
        html.add(.section, .class("panel section"), .aria("labelledby", "by-day")) { html in
            html.add(.h2, .id("by-day"), text: words["Reports by day"])
            html.add(.p, .class("hint"), text: summary)
            html.add(.div, .class("plotted")) { html in
                TimePlot(
                    id: "plot", form: .bars, title: words["Reports by day"], summary: summary, points: points,
                    scale: PlotScale(of: points.compactMap(\.value))
                ) { words.tick($0) }.write(to: &html)
                PlotTable(
                    rows: trend.enumerated().map { index, count in
                        (
                            words.day(first.adding(days: index)), words.number(count),
                            index == trend.count - 1 ? words["unfinished"] : ""
                        )
                    }
                ).write(words, to: &html)
            }
            html.add(.p, .class("hint"), text: words["Days are in UTC."])
        }
    }

    private func writeReleases(_ words: ConsoleWords, to html: inout HTMLWriter) {
        section("releases", "Releases", words, &html) { html in
            html.table(
                .label(words["Releases"]), of: group.releases,
                [
                    .heading(words["Release"]) { release, html in
                        guard let name = release.name else { return html.text(words["without a release"]) }
                        html.add(.a, .href(HTMLLink.crashes(ofRelease: name))) { html in html.add(.bdi, text: name) }
                    },
                    .share { Double($0.count) / Double(max(group.count, 1)) },
                    .number(words["Reports"]) { words.number($0.count) },
                    .text(words["Last seen"]) { release, html in
                        html.add(
                            .time, .datetime(release.lastSeenAt.rfc3339), text: words.day(release.lastSeenAt.day))
                    },
                ])
        }
    }

    private func writeParts(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(
            .p, .class("hint"),
            text: words[
                "By their symbols these groups are one. Parting them gives each its own reports and "
                    + "status back; the same symbols do not make them one again."])
        html.table(
            .label(words["One function, several places"]), of: parts,
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
        guard let idempotencyKey else { return }
        html.add(.form, .methodPost, .action(HTMLLink("console", "crashes", group.id.lowercased, "undo"))) { html in
            html.hidden("idempotency_key", idempotencyKey + "-part")
            html.hidden("revision", "\(group.revision)")
            html.add(.p, .class("actions")) { html in
                html.add(.button, .type("submit"), text: words["Part them"])
            }
        }
    }

    private func writeHistory(_ decisions: [AuditEntry], _ words: ConsoleWords, to html: inout HTMLWriter) {
        guard !decisions.isEmpty else {
            return html.add(.p, .class("muted"), text: words["Not decided yet."])
        }
        html.table(
            .label(words["Decisions"]), of: decisions,
            [
                .instant("When", words) { $0.happenedAt },
                .text(words["What"]) { Self.action($0).map(words.name) ?? $0.change.action },
                .text(words["Who"]) { entry, html in html.add(.bdi, text: entry.change.actor.name) },
            ])
    }

    private static func action(_ entry: AuditEntry) -> CrashAction? {
        let parts = entry.change.action.split(separator: ".")
        guard parts.count == 2, parts[0] == "crash" else { return nil }
        return CrashAction(rawValue: String(parts[1]))
    }
}
