import Foundation
import Testing

/// Forms of a page, as a browser would send them.
enum PageForm {
    /// The fields of a form of a page as a browser would send them, by the end of its address.
    static func fields(_ page: String, _ action: String) throws -> [(String, String)] {
        let form = try #require(
            page.components(separatedBy: "<form ").first { $0.prefix(200).contains("/\(action)\"") }?
                .components(separatedBy: "</form>").first, "no form \(action)")
        let plain = { (text: Substring) -> String in
            String(text).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
                .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
        }
        var fields: [(String, String)] = []
        for match in form.matches(of: /<input ([^>]*)>/) {
            let tag = match.1
            guard let name = tag.firstMatch(of: /name="([^"]*)"/)?.1 else { continue }
            if tag.contains("type=\"checkbox\""), !tag.contains(" checked") { continue }
            fields.append((String(name), plain(tag.firstMatch(of: /value="([^"]*)"/)?.1 ?? "")))
        }
        for match in form.matches(of: /<textarea [^>]*name="([^"]*)"[^>]*>([^<]*)</) {
            fields.append((String(match.1), plain(match.2)))
        }
        for select in form.components(separatedBy: "<select ").dropFirst() {
            guard let name = select.firstMatch(of: /name="([^"]*)"/)?.1 else { continue }
            let list = select.components(separatedBy: "</select>")[0]
            let chosen =
                list.firstMatch(of: /value="([^"]*)" selected/)?.1 ?? list.firstMatch(of: /value="([^"]*)"/)?.1
            fields.append((String(name), String(chosen ?? "")))
        }
        return fields
    }

    /// The fields with other values.
    static func changed(_ fields: [(String, String)], _ changes: [(String, String)]) -> [(String, String)] {
        fields.filter { field in !changes.contains { $0.0 == field.0 } } + changes
    }
}
