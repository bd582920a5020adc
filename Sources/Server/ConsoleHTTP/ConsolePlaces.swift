import HTML
import Synchronization
import TextCoding

/// The pages that a sign-in may lead to: those that a session opens by GET.
final class ConsolePlaces: Sendable {
    /// The segments of each page; nil where any value may stand.
    private let pages = Mutex<[[String?]]>([])
    private static let mostBytes = 2000

    /// Adds the page of a route, such as `/console/crashes/{id:uuid}`.
    func add(_ route: String) {
        let segments = route.split(separator: "/").map { $0.hasPrefix("{") ? nil : String($0) }
        pages.withLock { $0.append(segments) }
    }

    /// A page with its query; nil for any other text, so that a link can neither lead away through the sign-in nor to
    /// an address that takes forms only.
    func next(_ text: String) -> String? {
        guard text.utf8.count <= Self.mostBytes, let link = HTMLLink(checking: text) else { return nil }
        let path = link.text.prefix { $0 != "?" && $0 != "#" }
        guard path.hasPrefix("/") else { return nil }
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        return pages.withLock { $0.contains { Self.matches(segments, $0) } } ? link.text : nil
    }

    private static func matches(_ segments: [Substring], _ page: [String?]) -> Bool {
        segments.count == page.count
            && zip(segments, page).allSatisfy { segment, name in
                if let name { return segment == name }
                return !segment.isEmpty && !segment.hasPrefix(".")
                    && segment.utf8.allSatisfy(PercentCoding.isUnreserved)
            }
    }
}
