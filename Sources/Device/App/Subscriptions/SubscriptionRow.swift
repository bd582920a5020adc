import DeviceWords
import HTML
import SubGuardDomain
import SubGuardEngine

/// One subscription of the list: mark, name, next charge, badges, price, and what can be done with it.
struct SubscriptionRow {
    let visit: AppVisit
    let summary: SubscriptionSummary
    /// The last day to cancel, when it is near.
    let cancelBy: CancelBy?
    let marks: ServiceMarks

    /// Within how many days a last day to cancel has a badge.
    static let nearDays = 14
    /// The form of all buttons of the list; each names its own address.
    private static let form = "row"

    /// The form that the buttons of the rows belong to, once for all rows.
    static func writeForm(_ visit: AppVisit, to html: inout HTMLWriter) {
        html.add(.form, .methodPost, .action(HTMLLink()), .id(form)) { html in
            html.hidden("back", visit.here.text)
        }
    }

    func write(to html: inout HTMLWriter) {
        html.add(.li) { html in
            html.add(.a, .href(SubscriptionPages.link(summary.id))) { html in
                marks.write(summary.id, named: summary.name, to: &html)
                html.entry(summary.name, next) { writeBadges(to: &$0) }
                html.add(.span, .class("price")) { html in
                    let about = summary.isVariable ? "≈ " : ""
                    let each = "\(about)\(visit.money(summary.amount))"
                    // What costs nothing more has no sum of a year.
                    if summary.annualAmount.minorUnits > 0 {
                        html.add(.b) { html in
                            html.add(.span, .class("amount"), text: about + visit.money(summary.annualAmount))
                            html.add(.small, .class("muted"), text: " " + visit.text("per year"))
                        }
                        html.add(.small, .class("muted")) { html in
                            html.add(.span, .class("amount"), text: each)
                            html.text(" " + visit.cycle(summary.cycle))
                        }
                    } else {
                        html.add(.b, .class("amount"), text: each)
                        html.add(.small, .class("muted"), text: visit.cycle(summary.cycle))
                    }
                }
            }
            writeMenu(to: &html)
        }
    }

    private func writeBadges(to html: inout HTMLWriter) {
        guard summary.status == .trial || cancelBy != nil else { return }
        html.add(.span, .class("badges")) { html in
            visit.writeBadges(of: summary.status, cancelBy, to: &html)
        }
    }

    /// The next charge in words, and what is not as usual.
    private var next: String {
        var parts: [String] = []
        if ![.active, .trial].contains(summary.status) { parts.append(summary.status.displayName(visit.words)) }
        if let last = summary.cancelsOn?.adding(days: -1) { parts.append(visit.text("until \(visit.day(last))")) }
        if summary.isBundled {
            parts.append(visit.text("bundled"))
        } else if let next = summary.nextBillingOn, summary.status.isCharged {
            parts.append(visit.when(next))
        }
        return parts.isEmpty ? summary.category.displayName(visit.words) : parts.joined(separator: " · ")
    }

    // MARK: Actions

    private func writeMenu(to html: inout HTMLWriter) {
        // Of one name, so that opening one closes the others.
        html.add(.details, .class("menu"), .name("menu")) { html in
            html.add(.summary, .aria("label", visit.label(visit.text("Actions"), summary.name)), text: "⋯")
            html.add(.div) { html in
                for action in summary.actions { button(action, to: &html) }
            }
        }
    }

    private func button(_ action: SubscriptionAction, to html: inout HTMLWriter) {
        let label = visit.name(action)
        guard !action.hasPage else {
            return html.linkButton(label, action.link(summary.id, back: visit.here), label: "\(label) \(summary.name)")
        }
        html.add(
            .button, .type("submit"), .form(Self.form), .formAction(action.link(summary.id)),
            action == .delete ? .class("danger") : nil, .aria("label", visit.label(label, summary.name)), text: label)
    }
}

extension AppVisit {
    /// That it is a trial, perhaps paid twice, and the last day to cancel.
    func writeBadges(
        of status: SubscriptionStatus, isTwice: Bool = false, _ cancelBy: CancelBy?, to html: inout HTMLWriter
    ) {
        if status == .trial { html.add(.small, .class("badge"), text: text("Trial")) }
        if isTwice { html.add(.small, .class("badge"), text: text("Possibly twice")) }
        guard let cancelBy else { return }
        html.add(.small, .class("badge warn"), text: text("Cancel by \(day(cancelBy.lastDay))"))
    }
}
