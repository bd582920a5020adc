/// Reads the PO format of GNU gettext: `msgctxt`, `msgid`, `msgid_plural`, `msgstr` and `msgstr[N]`, each a quoted text
/// that may go on in the next lines; `#` begins a comment.
package enum PortableObject {
    package struct Entry: Sendable {
        package fileprivate(set) var context: String?
        /// Singular and plural are separated by a bar.
        package fileprivate(set) var english = ""
        package fileprivate(set) var translation = ""
    }

    /// In the order of the file, without its header and without entries that lack a translation.
    package static func entries(_ text: String) -> [Entry] {
        var entries: [Entry] = []
        var entry = Entry()
        var place: WritableKeyPath<Entry, String>?
        func end() {
            if !entry.english.isEmpty, !entry.translation.isEmpty { entries.append(entry) }
            entry = Entry()
            place = nil
        }
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
            guard let quote = line.firstIndex(of: UInt8(ascii: "\"")) else { continue }
            let word = String(Substring(line[..<quote])).split(separator: " ").first.map(String.init) ?? ""
            let content = unescaped(line[line.index(after: quote)...])
            switch word {
            case "msgctxt":
                end()
                entry.context = content
                continue
            case "msgid":
                if !entry.english.isEmpty || place == \.translation { end() }
                place = \.english
            case "msgid_plural": entry.english += "|"
            case "msgstr", "msgstr[0]": place = \.translation
            case "": break
            default: entry.translation += "|"
            }
            if let place { entry[keyPath: place] += content }
        }
        end()
        return entries
    }

    /// Up to the closing quotation mark.
    private static func unescaped(_ line: Substring.UTF8View) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(line.count)
        var isEscaped = false
        for byte in line {
            if isEscaped {
                bytes.append(byte == UInt8(ascii: "n") ? UInt8(ascii: "\n") : byte)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                break
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension French {
    /// Read once.
    package static let entries = PortableObject.entries(portableObject)
}
