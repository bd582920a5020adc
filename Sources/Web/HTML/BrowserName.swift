/// The name of a browser for people, from what it says of itself: `Firefox, Linux`.
package enum BrowserName {
    /// The first that is found counts: most name others too.
    private static let programs = [
        ("Edg/", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox/", "Firefox"),
        ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("Chromium/", "Chromium"), ("Chrome/", "Chrome"),
        ("Safari/", "Safari"), ("curl/", "curl"),
    ]
    private static let systems = [
        ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("Mac OS X", "macOS"),
        ("CrOS", "ChromeOS"), ("Linux", "Linux"),
    ]

    /// Nil for one that is not known.
    package static func text(_ userAgent: String) -> String? {
        let found = [programs, systems].map { names in names.first { userAgent.contains($0.0) }?.1 }
        return found[0] == nil ? nil : found.compactMap(\.self).joined(separator: ", ")
    }
}
