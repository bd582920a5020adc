import DeviceWords
import HTML
import SubGuardDomain

/// Writes the fields of a form: with what was typed, else the values as they stand, and with their faults.
struct FieldWriter {
    let visit: AppVisit
    private let values: [(name: String, value: String)]
    private let sent: SentForm?

    /// - Parameter link: where the form is sent.
    init(_ visit: AppVisit, _ link: HTMLLink, _ values: [(name: String, value: String)] = []) {
        self.visit = visit
        self.values = values
        sent = visit.sent(to: link)
    }

    /// What was sent, when the form is shown again.
    var typed: FormFields? { sent?.fields }
    var faults: [Fault] { sent.faults }

    func value(_ name: String) -> String { typed?[name] ?? values.first { $0.name == name }?.value ?? "" }

    /// Hidden fields with the values that the page shows, or those of a sent form that was not accepted.
    func writeShown(_ further: [(name: String, value: String)] = [], to html: inout HTMLWriter) {
        for (name, value) in values + further { html.hidden(FormFields.shownName(name), typed?.shown(name) ?? value) }
    }

    /// A field of one line.
    func line(
        _ name: String, _ label: String, hint: String? = nil, type: StaticString = "text", isAmount: Bool = false,
        to html: inout HTMLWriter
    ) {
        visit.field(
            name, label, value: value(name), hint: hint, type: type, isAmount: isAmount, faults: faults, to: &html)
    }

    /// A field of several lines.
    func area(_ name: String, _ label: String, to html: inout HTMLWriter) {
        visit.area(name, label, value: value(name), faults: faults, to: &html)
    }

    func choice(_ name: String, _ label: String, _ options: [(value: String, text: String)], to html: inout HTMLWriter)
    {
        html.choice(name, label, current: value(name), options)
    }

    /// A box to tick, with its text.
    ///
    /// - Parameter isOn: whether it is as it stands.
    func tick(_ name: String, _ label: String, isOn: Bool, to html: inout HTMLWriter) {
        html.choice(name, value: "on", label, isOn: typed.map { $0[name] != nil } ?? isOn)
    }
}

extension AppVisit {
    /// A field of one line with its faults.
    ///
    /// - Parameters:
    ///   - id: that of the field; nil for its name.
    ///   - isAmount: entered on a keyboard of digits, and hidden with the amounts.
    ///   - style: of the field with its label.
    ///   - isListed: whether an alert above the form has the faults too.
    func field(
        _ name: String, _ label: String, id: String? = nil, value: String, hint: String? = nil,
        type: StaticString = "text", isAmount: Bool = false, most: Int = 200, style: StaticString = "field",
        _ attribute: HTMLAttribute? = nil, faults: [Fault] = [], isListed: Bool = false, to html: inout HTMLWriter
    ) {
        let id = id ?? name
        html.field(
            id, label, style: style, faults: sentences(faults, of: name), areAlerts: !isListed, hint: hint
        ) { html, marks in
            html.add(
                .input, .type(type), .id(id), .name(name), .value(value), .autocomplete("off"), .maxLength(most),
                isAmount ? .inputMode("decimal") : nil, attribute, marks.invalid, marks.described)
        }
    }

    /// A field of several lines with its faults.
    func area(_ name: String, _ label: String, value: String, faults: [Fault], to html: inout HTMLWriter) {
        let faults = sentences(faults, of: name)
        html.field(name, label, style: "field whole", faults: faults, areAlerts: true) { html, marks in
            html.add(.textarea, .id(name), .name(name), .rows(3), marks.invalid, marks.described, text: value)
        }
    }

    /// The sentences of the faults of a field.
    func sentences(_ faults: [Fault], of name: String) -> [String] {
        faults.filter { $0.pointer == name }.map { sentence($0.detail) }
    }

    /// A small form with an amount that was paid, folded away unless it is shown again.
    ///
    /// - Parameters:
    ///   - amount: the expected one.
    ///   - sent: what it has sent.
    func writePaid(
        _ title: String, _ id: String, _ link: HTMLLink, _ values: KeyValuePairs<String, String>, amount: Money,
        _ sent: SentForm?, to html: inout HTMLWriter
    ) {
        html.add(.details, sent == nil ? nil : .open) { html in
            html.add(.summary, text: title)
            html.post(link, "paid", .data("keep")) { html in
                for (name, value) in values { html.hidden(name, value) }
                field(
                    "amount", text("Amount in \(amount.currency.code)"), id: id,
                    value: sent.map { $0.fields["amount"] ?? "" } ?? number(amount.decimal), isAmount: true,
                    faults: sent.faults.map { $0.at("amount") }, to: &html)
                html.submit(text("Save"))
            }
        }
    }

    /// A form that edits, folded away unless it was refused.
    func editing(
        _ title: String, _ link: HTMLLink, to html: inout HTMLWriter, fields: (inout HTMLWriter) -> Void
    ) {
        html.fold(title, "more section", isOpen: sent(to: link) != nil) { html in
            html.post(link, "panel stack after", .data("guard")) { html in
                fields(&html)
                html.submit(text("Save"), "primary")
            }
        }
    }

    /// A button that deletes, below what deleting means; folded away unless it was refused.
    ///
    /// - Parameter meaning: a sentence each.
    func deletion(
        _ title: String, _ meaning: [String], _ link: HTMLLink, to html: inout HTMLWriter,
        fields: (inout HTMLWriter) -> Void = { _ in }
    ) {
        html.fold(title, "more section", isOpen: sent(to: link) != nil) { html in
            html.post(link, "panel stack after") { html in
                for sentence in meaning { html.paragraph(sentence) }
                fields(&html)
                html.submit(text("Delete"), "danger")
            }
        }
    }
}

/// A form that sends a file.
struct FileForm {
    let visit: AppVisit
    let link: HTMLLink
    /// The name of the field with the file.
    var name = "file"
    /// Begins the ids of the fields.
    var prefix = ""
    let label: String
    var hint: String?
    var accept: HTMLAttribute?
    /// The longest file, in bytes.
    let most: Int
    /// What is said of a longer one; nil for its size in MB.
    var tooLarge: String?
    let submit: String
    var submitStyle: StaticString?
    var style: StaticString = "panel stack"
    /// What the script makes of a file that is too large, and what it says meanwhile.
    var side: HTMLAttribute?
    var working: HTMLAttribute?

    /// - Parameters:
    ///   - after: what stands below the field.
    ///   - before: what stands above it.
    func write(
        to html: inout HTMLWriter, after: (inout HTMLWriter) -> Void = { _ in },
        before: (inout HTMLWriter) -> Void = { _ in }
    ) {
        let id = prefix + name
        let faults = visit.sent(to: link).faults
        let fault = faults.map { visit.sentence(String($0.detail.prefix(300))) }.joined(separator: " ")
        html.add(
            .form, .methodPost, .multipart, .action(link), .class(style), .data("drop"), working,
            .data("most", "\(most)"), side,
            .data("too-large", visit.sentence(tooLarge ?? "The file is larger than \(most >> 20) MB."))
        ) { html in
            before(&html)
            html.field(id, label, faults: faults.isEmpty ? [] : [fault], areAlerts: true, hint: hint) { html, marks in
                html.add(
                    .input, .type("file"), .id(id), .name(name), .required, accept, marks.invalid, marks.described)
            }
            after(&html)
            html.submit(submit, submitStyle)
        }
    }
}
