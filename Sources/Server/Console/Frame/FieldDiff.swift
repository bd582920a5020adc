import HTML
import JSONWire

/// What differs between two states of an object: one row for each member.
struct FieldDiff {
    struct Row {
        let name: String
        let before: String?
        let after: String?
    }

    let rows: [Row]

    /// - Parameters:
    ///   - before: nil if there was none. A row has only values that exist.
    ///   - ignored: members that change with every write.
    init(before: JSONObject?, after: JSONObject?, ignoring ignored: Set<String> = []) {
        var names = (before?.members ?? []).map(\.name)
        names += (after?.members ?? []).map(\.name).filter { !names.contains($0) }
        rows = names.filter { !ignored.contains($0) }.compactMap { name in
            let (old, new) = (Self.text(before?[name]), Self.text(after?[name]))
            return old == new ? nil : Row(name: name, before: old, after: new)
        }
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

    /// - Parameter label: the name of a member for people.
    func write(_ words: ConsoleWords, label: (String) -> String, to html: inout HTMLWriter) {
        html.add(.dl, .class("diff")) { html in
            for row in rows {
                html.add(.div) { html in
                    html.add(.dt, text: label(row.name))
                    html.add(.dd) { html in
                        if let before = row.before { html.add(.del, text: before) }
                        // Colour and strike-through are not the only signs.
                        html.add(.span, .class("muted"), .aria("label", words[.becomes]), .role("img"), text: "→")
                        if let after = row.after {
                            html.add(.ins, text: after)
                        } else {
                            html.add(.span, .class("muted"), text: words[.emptyValue])
                        }
                    }
                }
            }
        }
    }
}

extension Phrase {
    static let becomes = Phrase("becomes", "devient")
}
