/// A notice above the content of a page.
package enum NoticeKind: Sendable {
    case plain, good, warning, bad

    var style: HTMLAttribute {
        switch self {
        case .plain: .class("notice")
        case .good: .class("notice good")
        case .warning: .class("notice warn")
        case .bad: .class("notice bad")
        }
    }
}

/// Whether a screen reader says a notice: politely, at once, or only in its place.
package enum NoticeRole: Sendable {
    case status, alert, none

    var attribute: HTMLAttribute? {
        switch self {
        case .status: .role("status")
        case .alert: .role("alert")
        case .none: nil
        }
    }
}

extension HTMLWriter {
    /// A notice of one sentence.
    ///
    /// - Parameters:
    ///   - role: what is bad is an alert, anything else a status, unless it says otherwise.
    ///   - hasFocus: whether it gets the focus when the page is shown, so that a keyboard goes on from here.
    package mutating func notice(
        _ kind: NoticeKind, role: NoticeRole? = nil, hasFocus: Bool = false, text: String
    ) {
        let (role, index, focus) = Self.marks(kind, role, hasFocus)
        add(.p, kind.style, role, index, focus, text: text)
    }

    /// A notice of several parts, such as a sentence and a button.
    package mutating func notice(
        _ kind: NoticeKind, role: NoticeRole? = nil, hasFocus: Bool = false, content: (inout HTMLWriter) -> Void
    ) {
        let (role, index, focus) = Self.marks(kind, role, hasFocus)
        add(.div, kind.style, role, index, focus, content: content)
    }

    /// What was not accepted, with links to the fields.
    ///
    /// - Parameters:
    ///   - lead: the sentence above.
    ///   - sentences: what concerns the whole.
    ///   - faults: each with the label and the id of its field, if it is one of the page.
    ///   - colon: between a label and its fault, with the spaces of the language.
    package mutating func refusal(
        _ lead: String, id: String? = nil, sentences: [String] = [],
        faults: [(field: (label: String, id: String)?, text: String)] = [], colon: String = ": "
    ) {
        add(.div, NoticeKind.bad.style, NoticeRole.alert.attribute, id.map { .id($0) }, .tabindex(-1), .data("focus")) {
            html in
            html.paragraph(lead)
            for sentence in sentences { html.paragraph(sentence) }
            guard !faults.isEmpty else { return }
            html.rows(faults, style: nil) { fault, html in
                if let field = fault.field {
                    html.link(field.label, .fragment(field.id))
                    html.text(colon)
                }
                html.add(.span, text: fault.text)
            }
        }
    }

    private static func marks(
        _ kind: NoticeKind, _ role: NoticeRole?, _ hasFocus: Bool
    ) -> (HTMLAttribute?, HTMLAttribute?, HTMLAttribute?) {
        let role = role ?? (kind == .bad ? .alert : .status)
        return (role.attribute, hasFocus ? .tabindex(-1) : nil, hasFocus ? .data("focus") : nil)
    }
}
