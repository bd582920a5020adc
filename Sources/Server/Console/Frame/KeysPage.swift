import HTML

/// The keys of the console, and the switch that turns them off.
package enum KeysPage {
    private static let keys: [(key: String, effect: Phrase)] = [
        ("j", .keysNext), ("k", .keysPrevious), ("x", .keysSelect), ("/", .keysSearch), ("?", .keysHelp),
    ]

    package static func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(nil, title: words[.keysTitle]) { html in
            frame.top(.keysTitle, .keysLead, to: &html) { html in
                html.add(
                    .button, .type("button"), .data("keys-on", words[.keysAreOn]),
                    .data("keys-off", words[.keysAreOff]),
                    .hidden
                ) { _ in }
            }
            html.add(.div, .class("scroll")) { html in
                html.add(.table) { html in
                    html.add(.caption, text: words[.keysNote])
                    html.add(.thead) { html in
                        html.add(.tr) { html in
                            html.add(.th, .scope("col"), text: words[.keysKey])
                            html.add(.th, .scope("col"), text: words[.keysEffect])
                        }
                    }
                    html.add(.tbody) { html in
                        for (key, effect) in keys {
                            html.add(.tr) { html in
                                html.add(.th, .scope("row")) { $0.add(.kbd, text: key) }
                                html.add(.td, text: words[effect])
                            }
                        }
                    }
                }
            }
        }
    }
}
