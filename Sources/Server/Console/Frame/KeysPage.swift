import HTML
import SubGuardDomain

/// The keys of the console, and the switch that turns them off.
package struct KeysPage: ConsolePage {
    package init() {}

    private static let keys: [(key: String, effect: Sentence)] = [
        ("j", "Move to the next row of the list"), ("k", "Move to the previous row of the list"),
        ("x", "Select the row, or clear it"), ("a", "Approve the row: as an alias, or close it"),
        ("n", "Add the row to the catalogue as new"), ("r", "Reject the row"),
        ("/", "Move to the search of the page, or search everything"),
        ("Ctrl-K, ⌘K", "Search everything"), ("?", "Show this list"),
    ]

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        frame.page(nil, "Keys", "Single keys, while no field has the focus.") { html in
            html.add(
                .button, .type("button"), .data("keys-on", words["Keys are on: switch off"]),
                .data("keys-off", words["Keys are off: switch on"]), .hidden
            ) { _ in }
        } main: { html in
            html.table(
                .label(words["Keys"]),
                caption: words["The choice is kept in this browser. Without JavaScript there are no keys."],
                style: "keys", of: Self.keys,
                [
                    .heading(words["Key"]) { row, html in html.add(.kbd, text: row.key) },
                    .text(words["Effect"]) { words[$0.effect] },
                ])
        }
    }
}
