/// A column of a table: its name, the kind of its values, and what stands in a cell.
package struct TableColumn<Row> {
    private enum Kind {
        /// Names the row.
        case heading
        case text
        case number
        /// Buttons and links; has no name.
        case actions
        /// A check box to select the row.
        case check
    }

    /// Empty for a column that explains itself.
    private let name: String
    private let kind: Kind
    /// Whether each cell of a narrow screen says the name too.
    private let isLabelled: Bool
    private let attribute: ((Row) -> HTMLAttribute?)?
    private let headAttribute: HTMLAttribute?
    /// What stands in the head instead of the name.
    private var headContent: ((inout HTMLWriter) -> Void)?
    private let content: (Row, inout HTMLWriter) -> Void

    private init(
        _ name: String, _ kind: Kind, isLabelled: Bool = true, attribute: ((Row) -> HTMLAttribute?)? = nil,
        head headAttribute: HTMLAttribute? = nil, _ content: @escaping (Row, inout HTMLWriter) -> Void
    ) {
        self.name = name
        self.kind = kind
        self.isLabelled = isLabelled
        self.attribute = attribute
        self.headAttribute = headAttribute
        self.content = content
    }

    /// The column that names each row.
    package static func heading(
        _ name: String, _ attribute: ((Row) -> HTMLAttribute?)? = nil,
        content: @escaping (Row, inout HTMLWriter) -> Void
    ) -> TableColumn { TableColumn(name, .heading, isLabelled: false, attribute: attribute, content) }

    /// - Parameters:
    ///   - isLabelled: false where the value needs no name on a narrow screen.
    ///   - attribute: of each cell, such as a class.
    package static func text(
        _ name: String, isLabelled: Bool = true, _ attribute: HTMLAttribute? = nil,
        content: @escaping (Row, inout HTMLWriter) -> Void
    ) -> TableColumn {
        TableColumn(
            name, .text, isLabelled: isLabelled, attribute: attribute.map { attribute in { _ in attribute } }, content)
    }

    /// The same for plain text.
    package static func text(
        _ name: String, isLabelled: Bool = true, _ attribute: HTMLAttribute? = nil, text: @escaping (Row) -> String
    ) -> TableColumn { .text(name, isLabelled: isLabelled, attribute) { row, html in html.text(text(row)) } }

    /// - Parameter style: the class of each cell.
    package static func number(
        _ name: String, _ style: StaticString = "number", text: @escaping (Row) -> String
    ) -> TableColumn {
        TableColumn(name, .number, attribute: { _ in .class(style) }) { row, html in html.text(text(row)) }
    }

    /// The place of each row, large.
    package static func place(_ name: String, text: @escaping (Row) -> String) -> TableColumn {
        TableColumn(name, .number, isLabelled: false, attribute: { _ in .class("number place") }) { row, html in
            html.text(text(row))
        }
    }

    /// Bars that show the share of each row.
    package static func share(_ share: @escaping (Row) -> Double) -> TableColumn {
        TableColumn("", .text, attribute: { _ in .class("meters") }) { row, html in
            MeterBar(share: share(row)).write(to: &html)
        }
    }

    /// A cell whose attribute depends on the row, such as its colour.
    ///
    /// - Parameter head: of the cell with the name.
    package static func cell(
        _ name: String, head: HTMLAttribute? = nil, _ attribute: @escaping (Row) -> HTMLAttribute?,
        content: @escaping (Row, inout HTMLWriter) -> Void
    ) -> TableColumn { TableColumn(name, .text, attribute: attribute, head: head, content) }

    /// The same with a head that has more than a name.
    package static func cell(
        _ attribute: HTMLAttribute, head: @escaping (inout HTMLWriter) -> Void,
        content: @escaping (Row, inout HTMLWriter) -> Void
    ) -> TableColumn {
        var column = TableColumn("", .text, attribute: { _ in attribute }, head: attribute, content)
        column.headContent = head
        return column
    }

    package static func actions(content: @escaping (Row, inout HTMLWriter) -> Void) -> TableColumn {
        TableColumn("", .actions, content)
    }

    /// - Parameter selectAll: what the box in the head is called, which a script adds.
    package static func check(
        _ selectAll: String, _ name: String, value: @escaping (Row) -> String, label: @escaping (Row) -> String
    ) -> TableColumn {
        TableColumn("", .check, head: .data("select-all", selectAll)) { row, html in
            html.add(.input, .type("checkbox"), .name(name), .value(value(row)), .aria("label", label(row)))
        }
    }

    func writeHead(to html: inout HTMLWriter) {
        switch kind {
        case .check: html.add(.td, .class("check"), headAttribute) { _ in }
        case .number: html.add(.th, .scope("col"), .class("number"), text: name)
        default:
            if let headContent {
                html.add(.th, .scope("col"), headAttribute) { headContent(&$0) }
            } else if name.isEmpty {
                html.add(.td) { _ in }
            } else {
                html.add(.th, .scope("col"), headAttribute, text: name)
            }
        }
    }

    func write(_ row: Row, to html: inout HTMLWriter) {
        let attribute = attribute?(row)
        let label: HTMLAttribute? = isLabelled && !name.isEmpty ? .data("label", name) : nil
        switch kind {
        case .heading: html.add(.th, .scope("row"), attribute) { content(row, &$0) }
        case .text: html.add(.td, attribute, label) { content(row, &$0) }
        case .number: html.add(.td, attribute ?? .class("number"), label) { content(row, &$0) }
        case .actions: html.add(.td, .class("rowactions")) { content(row, &$0) }
        case .check: html.add(.td, .class("check")) { content(row, &$0) }
        }
    }
}

/// What a table is called.
package enum TableTitle {
    /// For screen readers only.
    case label(String)
    /// The id of the heading above it.
    case labelledBy(String)
}

extension HTMLWriter {
    /// A table. On a narrow screen each row becomes a card; a wide one scrolls in its own frame.
    ///
    /// - Parameters:
    ///   - caption: a sentence above the rows.
    ///   - unseen: whether the caption only repeats for screen readers what stands above.
    ///   - style: further classes with `stacked`, as literals.
    ///   - columns: nil is left out.
    package mutating func table<Row>(
        _ title: TableTitle, caption: String? = nil, unseen: Bool = false, style: StaticString = "stacked",
        frame: StaticString = "scroll",
        of rows: some Sequence<Row>, row attribute: (Row) -> HTMLAttribute? = { _ in nil },
        _ columns: [TableColumn<Row>?]
    ) {
        let columns = columns.compactMap(\.self)
        let name: HTMLAttribute =
            switch title {
            case .label(let text): .aria("label", text)
            case .labelledBy(let id): .aria("labelledby", id)
            }
        add(.div, .class(frame), .role("region"), name, .tabindex(0)) { html in
            html.add(.table, .class(style)) { html in
                if let caption { html.add(.caption, unseen ? .class("unseen") : nil, text: caption) }
                html.add(.thead) { html in
                    html.add(.tr) { html in for column in columns { column.writeHead(to: &html) } }
                }
                html.add(.tbody) { html in
                    for row in rows {
                        html.add(.tr, attribute(row)) { html in
                            for column in columns { column.write(row, to: &html) }
                        }
                    }
                }
            }
        }
    }

    /// A value that the form sends unseen.
    package mutating func hidden(_ name: String, _ value: String) {
        add(.input, .type("hidden"), .name(name), .value(value))
    }
}
