import DeviceWords
import HTML
import SubGuardDomain

// A form that changes something has the values that its page showed, so that it changes only what was typed: what
// another person else has changed since is no edit of the form.

extension FormFields {
    private static func shownName(_ name: String) -> String { "shown_\(name)" }

    /// What was typed in a field; nil when it is what the page showed, and without the field.
    func edited(_ name: String) -> String? {
        guard let typed = self[name]?.trimmingBlanks, typed != shown(name)?.trimmingBlanks else { return nil }
        return typed
    }

    /// The value that the page showed; nil when the form does not say.
    func shown(_ name: String) -> String? { self[Self.shownName(name)] }

    /// Whether a box was ticked or unticked; nil when it is as the page showed it.
    func editedTick(_ name: String) -> Bool? {
        let isTicked = self[name] != nil
        return shown(name) == (isTicked ? "on" : "") ? nil : isTicked
    }
}

extension AppVisit {
    /// What stands in a field: what was typed, else the value of the page.
    func entered(_ values: [(name: String, value: String)], typed: FormFields?) -> (String) -> String {
        { name in typed?[name] ?? values.first { $0.name == name }?.value ?? "" }
    }

    /// Hidden fields with the values that the page shows, or those of a sent form that was not accepted.
    func writeShown(_ values: [(name: String, value: String)], typed: FormFields? = nil, to html: inout HTMLWriter) {
        for (name, value) in values { html.hidden("shown_\(name)", typed?.shown(name) ?? value) }
    }

    /// A decimal number as people write it in a field: `5.00`, in French `5,00`.
    func entry(_ decimal: String) -> String { words == .french ? decimal.replacing(".", with: ",") : decimal }

    /// A field of several lines.
    func area(_ name: String, _ label: String, value: String, faults: [Fault], to html: inout HTMLWriter) {
        let own = faults.filter { $0.pointer == name }
        html.add(.div, .class("field whole")) { html in
            html.add(.label, .for(name), text: label)
            html.add(
                .textarea, .id(name), .name(name), .rows(3), own.isEmpty ? nil : .aria("invalid", "true"),
                own.isEmpty ? nil : .aria("describedby", "\(name)-fault"), text: value)
            for (index, fault) in own.enumerated() {
                html.add(
                    .p, .class("fault"), index == 0 ? .id("\(name)-fault") : nil, .role("alert"),
                    text: sentence(fault.detail))
            }
        }
    }

    /// A box to tick, with its text.
    func tick(_ name: String, _ label: String, isOn: Bool, to html: inout HTMLWriter) {
        html.add(.label, .class("choice")) { html in
            html.add(.input, .type("checkbox"), .name(name), .value("on"), isOn ? .checked : nil)
            html.text(label)
        }
    }

    /// A form that edits, folded away unless it was refused.
    func editing(
        _ title: String, _ link: HTMLLink, isOpen: Bool, to html: inout HTMLWriter, fields: (inout HTMLWriter) -> Void
    ) {
        html.add(.details, .class("more section"), isOpen ? .open : nil) { html in
            html.add(.summary, text: title)
            html.add(.form, .methodPost, .action(link), .class("panel stack after"), .data("guard")) { html in
                fields(&html)
                html.add(.button, .type("submit"), .class("primary"), text: text("Save"))
            }
        }
    }

    /// A button that deletes, below what deleting means.
    ///
    /// - Parameters:
    ///   - meaning: a sentence each.
    ///   - isOpen: whether it is shown at once.
    func deletion(
        _ title: String, _ meaning: [String], _ link: HTMLLink, isOpen: Bool = false, to html: inout HTMLWriter,
        fields: (inout HTMLWriter) -> Void = { _ in }
    ) {
        html.add(.details, .class("more section"), isOpen ? .open : nil) { html in
            html.add(.summary, text: title)
            html.add(.form, .methodPost, .action(link), .class("panel stack after")) { html in
                for sentence in meaning { html.add(.p, text: sentence) }
                fields(&html)
                html.add(.button, .type("submit"), .class("danger"), text: text("Delete"))
            }
        }
    }
}
