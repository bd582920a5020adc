package import HTML
import SubGuardDomain

/// The page after a lost race: another person saved first. It shows both versions, field by field; the chosen values
/// are sent with the present revision, in the form that the operation declares.
package struct LostRacePage: ConsolePage {
    private let section: ConsoleSection
    /// What was being changed.
    private let name: String
    private let form: DeclaredForm
    private let mine: FormValues
    private let present: FormValues
    /// The version that both began with, if it is known.
    private let base: FormValues?
    /// Where the choice is sent, and where the present version is shown.
    private let action: HTMLLink
    private let cancel: HTMLLink
    /// Hidden fields: the present revision and a new key.
    private let hidden: [NamedValue]

    package init(
        section: ConsoleSection, name: String, form: DeclaredForm, mine: FormValues, present: FormValues,
        base: FormValues? = nil, action: HTMLLink, cancel: HTMLLink, hidden: [NamedValue]
    ) {
        self.section = section
        self.name = name
        self.form = form
        self.mine = mine
        self.present = present
        self.base = base
        self.action = action
        self.cancel = cancel
        self.hidden = hidden
    }

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        frame.page(section, title: words["Another user saved first"]) { html in
            html.top(words["Another user saved first"]) { html in
                html.add(
                    .p, .role("alert"),
                    text: words.text(
                        "Another user changed %1 while you were editing. Nothing of yours is saved yet. Choose a "
                            + "version of each field that differs, then save.", name))
            }
            html.form(action, hidden, .class("stack")) { html in
                for field in form.fields { write(field, words, to: &html) }
                html.actions { html in
                    html.submit(words["Save the chosen values"], .class("primary"))
                    html.linkButton(words["Discard mine"], cancel)
                }
            }
        }
    }

    private func write(_ field: DeclaredForm.Field, _ words: ConsoleWords, to html: inout HTMLWriter) {
        guard !form.isEqual(field.name, self.mine, self.present) else {
            html.hidden(field.name, self.mine[field.name])
            return
        }
        // A field that only the other one has changed keeps that change.
        let isMineUnchanged = base.map { form.isEqual(field.name, $0, self.mine) } ?? false
        let (mine, present) = (self.mine[field.name], self.present[field.name])
        html.add(.fieldset, .class("versions")) { html in
            html.add(.legend, text: words[field.label])
            for (label, value, isChosen) in [
                ("Yours" as Sentence, mine, !isMineUnchanged), ("Stored now", present, isMineUnchanged),
            ] {
                html.add(.label, .class("version")) { html in
                    html.add(
                        .input, .type("radio"), .name(field.name), .value(value), isChosen ? .checked : nil)
                    html.add(.span) { html in
                        html.add(.small, .class("muted"), text: words[label])
                        if value.isEmpty {
                            html.muted(words["(empty)"])
                        } else {
                            html.add(.bdi, .class("lines"), text: field.text(value, words))
                        }
                    }
                }
            }
        }
    }
}
