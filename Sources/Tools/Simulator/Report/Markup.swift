/// Text for HTML and SVG.
enum Markup {
    static func escape(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    static func table(_ rows: [[String]], header: [String]) -> String {
        let head = header.map { "<th>\(escape($0))</th>" }.joined()
        let body = rows.map { row in
            let cells = row.enumerated().map { index, cell in
                index == 0 ? "<th scope=\"row\">\(escape(cell))</th>" : "<td>\(escape(cell))</td>"
            }
            return "<tr>\(cells.joined())</tr>"
        }
        return "<table><thead><tr>\(head)</tr></thead><tbody>\(body.joined(separator: "\n"))</tbody></table>"
    }
}
