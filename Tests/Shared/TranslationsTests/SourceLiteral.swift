import Foundation
import TestKit

/// A string literal of the sources, joined with those that a plus appends to it.
struct SourceLiteral {
    let path: String
    /// The text with `%1`, `%2` and so on in the places of interpolations, as a pattern of a sentence has it.
    let pattern: String
    /// Up to thirty characters before it.
    let before: String

    /// The literals of every Swift file in the folder, without files that are generated.
    static func all(in folder: String) throws -> [SourceLiteral] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: RepositoryFile.url(folder).path)
        return try names.sorted().filter { $0.hasSuffix(".swift") }.flatMap { name -> [SourceLiteral] in
            let text = try RepositoryFile.text(folder + "/" + name)
            guard !text.hasPrefix("// swift-format-ignore-file") else { return [] }
            var reader = Reader(path: folder + "/" + name, text: Array(text.unicodeScalars))
            return reader.literals()
        }
    }

    /// Numbers the interpolations, which are written as NUL. Singular and plural name the same values.
    private static func numbered(_ text: String) -> String {
        let forms = text.components(separatedBy: "|")
        let counts = Set(forms.map { $0.components(separatedBy: "\0").count })
        let isPlural = forms.count == 2 && counts.count == 1 && text.contains("\0")
        return (isPlural ? forms : [text]).map { form in
            var pieces = form.components(separatedBy: "\0")[...]
            var pattern = pieces.removeFirst()
            for (index, piece) in pieces.enumerated() { pattern += "%\(index + 1)" + piece }
            return pattern
        }.joined(separator: "|")
    }

    private struct Reader {
        let path: String
        let text: [Unicode.Scalar]
        private var place = 0
        private var found: [(text: String, start: Int, end: Int)] = []

        init(path: String, text: [Unicode.Scalar]) {
            self.path = path
            self.text = text
        }

        private func isAt(_ word: String, _ place: Int) -> Bool {
            place >= 0 && text[place...].starts(with: word.unicodeScalars)
        }

        mutating func literals() -> [SourceLiteral] {
            while place < text.count {
                if isAt("//", place) {
                    while place < text.count, text[place] != "\n" { place += 1 }
                } else if isAt("#\"", place) {
                    skipRaw()
                } else if text[place] == "\"" {
                    readLiteral()
                } else {
                    place += 1
                }
            }
            return found.map { literal in
                let before = text[max(0, literal.start - 30)..<literal.start]
                return SourceLiteral(
                    path: path, pattern: numbered(literal.text), before: String(String.UnicodeScalarView(before)))
            }
        }

        /// A raw literal says nothing to people.
        private mutating func skipRaw() {
            let mark = isAt("#\"\"\"", place) ? "\"\"\"#" : "\"#"
            place += mark.unicodeScalars.count
            while place < text.count, !isAt(mark, place) { place += 1 }
            place += mark.unicodeScalars.count
        }

        private mutating func readLiteral() {
            let start = place
            let index = found.count
            let content = content()
            let end = place
            let isContinued =
                index > 0
                && text[found[index - 1].end..<start].allSatisfy { $0 == "+" || $0.properties.isWhitespace }
                && text[found[index - 1].end..<start].contains("+")
            if isContinued {
                found[index - 1].text += content
                found[index - 1].end = end
            } else {
                found.insert((content, start, end), at: index)
            }
        }

        /// Reads from the opening quotation mark to behind the closing one; literals inside of interpolations are found
        /// on the way.
        private mutating func content() -> String {
            let isLong = isAt("\"\"\"", place)
            place += isLong ? 3 : 1
            var content = String.UnicodeScalarView()
            while place < text.count {
                if isLong ? isAt("\"\"\"", place) : text[place] == "\"" { break }
                guard text[place] == "\\" else {
                    content.append(text[place])
                    place += 1
                    continue
                }
                place += 1
                switch text[place] {
                case "(":
                    skipInterpolation()
                    content.append("\0")
                    continue
                case "u":
                    place += 2
                    var digits = ""
                    while text[place] != "}" {
                        digits.unicodeScalars.append(text[place])
                        place += 1
                    }
                    if let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) { content.append(scalar) }
                case "\n":
                    while text[place + 1] == " " { place += 1 }
                case "n": content.append("\n")
                default: content.append(text[place])
                }
                place += 1
            }
            place += isLong ? 3 : 1
            guard isLong else { return String(content) }
            return String(content).split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.drop { $0 == " " } }.joined(separator: "\n").trimmingCharacters(in: .newlines)
        }

        private mutating func skipInterpolation() {
            var depth = 0
            repeat {
                switch text[place] {
                case "(": depth += 1
                case ")": depth -= 1
                case "\"":
                    readLiteral()
                    continue
                default: break
                }
                place += 1
            } while depth > 0 && place < text.count
        }
    }
}
