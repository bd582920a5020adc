import Backend
import HTML
import ServerContract
import SubGuardDomain

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
        let more = partCount - Int64(parts.count)
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
