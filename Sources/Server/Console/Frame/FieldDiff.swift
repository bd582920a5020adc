import HTML
import JSONWire
import ServerAccess
import SubGuardDomain

/// The members of two states of an object.
struct FieldDiff {
    struct Row {
        let name: String
        let before: String?
        let after: String?

        var isChanged: Bool { before != after }
    }

    /// In the order of the newer state; members that only the older one has come last.
    let rows: [Row]
    var changes: [Row] { rows.filter(\.isChanged) }
    /// Whether there was no object before, so that no value replaces another.
    private let isNew: Bool

    /// - Parameters:
    ///   - before: nil if there was none. A row has only values that exist.
    ///   - ignored: members that change with every write.
    init(before: JSONObject?, after: JSONObject?, ignoring ignored: Set<String> = []) {
        var names = (after?.members ?? []).map(\.name)
        names += (before?.members ?? []).map(\.name).filter { !names.contains($0) }
        isNew = before == nil
        rows = names.filter { !ignored.contains($0) }.map { name in
            Row(name: name, before: Self.text(before?[name]), after: Self.text(after?[name]))
        }
    }

    /// A state that is no object has one member without a name.
    init(_ change: AuditChange) {
        func members(_ text: String?) -> JSONObject? {
            text.map { text in
                let value = (try? JSONValue.parse(Array(text.utf8))) ?? .string(text)
                return value.objectValue ?? JSONObject([(name: "", value: value)])
            }
        }
        self.init(before: members(change.before), after: members(change.after))
    }

    /// The name of what was changed, if a state has one.
    var subject: String? {
        ["name", "title", "slug", "token", "type", "culprit"].lazy.compactMap { name in
            rows.first { $0.name == name }.flatMap { $0.after ?? $0.before }.flatMap { $0.isEmpty ? nil : $0 }
        }.first
    }

    /// Lists and objects in one line; nil for an absent value, null and an empty list.
    private static func text(_ value: JSONValue?) -> String? {
        switch value {
        case nil, .null?: nil
        case .bool(let isTrue)?: "\(isTrue)"
        case .number(let text)?: text
        case .string(let text)?: text
        case .array(let elements)?:
            elements.isEmpty ? nil : elements.compactMap { text($0) }.joined(separator: ", ")
        case .object?: value.map { String(decoding: $0.serialized(), as: UTF8.self) }
        }
    }

    /// - Parameters:
    ///   - label: the name of a member for people.
    ///   - text: a value of a member for people.
    ///   - images: the members whose values are addresses of images.
    func write(
        _ words: ConsoleWords, label: (String) -> String, text: (_ name: String, _ value: String) -> String = { $1 },
        images: Set<String> = [], to html: inout HTMLWriter
    ) {
        func write(_ element: HTMLElement, _ value: String, _ row: Row, _ html: inout HTMLWriter) {
            html.add(element) { html in
                if images.contains(row.name), let link = HTMLLink(checking: value) {
                    html.add(
                        .img, .class("logo"), .source(link), .alt(label(row.name)), .width(pixels: 28),
                        .height(pixels: 28), .lazy)
                } else {
                    html.text(text(row.name, value))
                }
            }
        }
        html.add(.dl, .class("diff")) { html in
            for row in changes {
                html.add(.div) { html in
                    html.add(.dt, text: label(row.name))
                    html.add(.dd) { html in
                        if let before = row.before { write(.del, before, row, &html) }
                        // Colour and strike-through are not the only signs.
                        if !isNew {
                            html.add(.span, .class("muted"), .aria("label", words["becomes"]), .role("img"), text: "→")
                        }
                        if let after = row.after {
                            write(.ins, after, row, &html)
                        } else {
                            html.muted(words["(empty)"])
                        }
                    }
                }
            }
        }
    }
}
