import DeviceWords
import HTML
import SubGuardDomain
import SubGuardEngine

/// What would be different after a restore or an import: a list for each effect.
struct DifferenceList {
    private let visit: AppVisit
    private let wording: MergeWording

    init(_ visit: AppVisit) {
        self.visit = visit
        wording = MergeWording(visit.words, visit.moment)
    }

    /// - Parameter charges: how many charges would be different so, too.
    func write(_ title: String, _ group: StoreDifferences.Group, charges: Int = 0, to html: inout HTMLWriter) {
        guard group.count > 0 || charges > 0 else { return }
        html.section(title) { html in
            html.add(.ul, .class("waits changes wide")) { html in
                for difference in group.differences { write(difference, to: &html) }
                if charges > 0 {
                    html.add(
                        .li,
                        text: visit.text(
                            "\(charges) charge, with what was confirmed|\(charges) charges, with what was confirmed"))
                }
            }
            visit.writeMore(group.rest, to: &html)
        }
    }

    private func write(_ difference: StoreDifferences.Difference, to html: inout HTMLWriter) {
        html.add(.li) { html in
            html.add(.span, .class("entry")) { html in
                html.add(.b, text: wording.name(difference))
                html.add(.small, .class("muted"), text: wording.word(difference.kind))
                for change in difference.changes { html.add(.span, text: wording.line(change)) }
            }
            let facts =
                if let before = difference.before, let after = difference.after {
                    wording.facts(from: before, to: after)
                } else {
                    (difference.before ?? difference.after).map { wording.facts($0) } ?? ""
                }
            if !facts.isEmpty { html.add(.span, .class("price"), text: facts) }
        }
    }
}
