import HTML
package import ServerAccess
import ServerContract
import SubGuardDomain

/// The passkeys of the viewer's token, or all with the permission to manage access.
package struct PasskeysPage: ConsolePage {
    /// The form for a new passkey as it was sent.
    package struct Draft: Sendable {
        package var name = ""
        /// Sentences of the API about the name, in English.
        package var faults: [Refusal] = []
        package var refusal: PasskeyRefusal?

        package init() {}
    }

    private let passkeys: [ListedPasskey]
    private let isPossible: Bool
    private let provider: String?
    private let draft: Draft

    /// - Parameters:
    ///   - isPossible: whether browsers make passkeys for the address of the request.
    ///   - provider: the name of the identity provider whose people have no passkeys here.
    package init(
        _ passkeys: [ListedPasskey], isPossible: Bool, provider: String? = nil,
        draft: Draft = Draft()
    ) {
        self.passkeys = passkeys
        self.isPossible = isPossible
        self.provider = provider
        self.draft = draft
    }

    package func page(_ frame: ConsoleFrame, _ words: ConsoleWords) -> [UInt8] {
        let seesAll = frame.may(.revokeAccessToken)
        return frame.page(
            seesAll ? .access : nil, "Passkeys",
            "A passkey signs in to the console without a token, by the lock of a device or by a security key."
        ) { html in
            AccessTab.write(.passkeys, frame, to: &html)
            frame.notice(["added": "The passkey is added.", "removed": "The passkey is removed."], to: &html)
            if let refusal = draft.refusal { html.notice(.bad, text: words[Self.phrase(refusal)]) }
            frame.list(
                passkeys, empty: "No passkeys yet", "Add one below, and the sign-in needs no token any more.", to: &html
            ) { writeTable(words, seesAll: seesAll, to: &$0) }
            writeForm(words, to: &html)
        }
    }

    private static func phrase(_ refusal: PasskeyRefusal) -> Sentence {
        switch refusal {
        case .challenge: "That took longer than 5 minutes, or was sent twice. Start again."
        case .registered: "This passkey is there already."
        case .tooMany: "A token has at most 20 passkeys. Remove one first."
        default: "The passkey was not accepted."
        }
    }

    private func writeTable(_ words: ConsoleWords, seesAll: Bool, to html: inout HTMLWriter) {
        html.table(
            .label(words["Passkeys"]), caption: words.count(Int64(passkeys.count), "1 passkey|%1 passkeys"),
            of: passkeys,
            [
                .heading(words["Name"]) { row, html in html.bdi(row.passkey.name) },
                seesAll
                    ? .text(words["Access token"]) { row, html in html.link(named: row.token.name, row.token.link) }
                    : nil,
                .text(words["Host"]) { $0.passkey.relyingParty },
                .instant("Added", words) { $0.passkey.createdAt },
                .instant("Last used", words, or: "never") { $0.passkey.lastUsedAt },
                .actions { row, html in
                    let id = row.passkey.id.lowercased
                    html.linkButton(
                        words["Remove…"], HTMLLink("console", "access", "passkeys", query: [("remove", id)]),
                        label: words.text("Remove the passkey %1", row.passkey.name))
                },
            ])
    }

    private func writeForm(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.section(words["Add a passkey"], id: "new") { html in
            if let provider {
                return html.hint(
                    words.text(
                        "You sign in by %1 only, so you have no passkeys here: they would still work when it "
                            + "has removed you.", provider))
            }
            guard isPossible else {
                return html.hint(
                    words[
                        "Passkeys cannot be used at this address: open the console by localhost, or by the "
                            + "HTTPS name in public_url."])
            }
            Self.writeScriptHint(words, to: &html)
            html.form(AccessTab.passkeysLink, [], .class("panel stack"), .data("passkey", "name"), .hidden) { html in
                html.add(.div, .class("fields")) { html in
                    html.field(
                        "name", words["Name"], faults: draft.faults.map(words.sentence), areAlerts: true,
                        hint: words["For your own list, such as “Laptop” or “Blue key”."]
                    ) { html, marks in
                        html.add(
                            .input, .id("name"), .name("name"), .value(draft.name), .required, .maxLength(120),
                            .autocomplete("off"), marks.described, marks.invalid)
                    }
                }
                html.mainAction(words["Continue"])
            }
        }
    }

    private static func writeScriptHint(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(
            .p, .class("hint"), .data("without-passkeys"),
            text: words["Passkeys need JavaScript and a browser that knows them."])
    }

    /// The page whose button asks the device.
    package static func creation(
        _ frame: ConsoleFrame, name: String, of creation: PasskeyCreation, at party: RelyingParty
    ) -> [UInt8] {
        let words = frame.words
        return frame.card(
            title: words["Add a passkey"],
            lead: words.text(
                "Your browser now asks for the passkey “%1”. It belongs to your token, and is "
                    + "removed when that is revoked.", name)
        ) { html in
            writeScriptHint(words, to: &html)
            html.form(
                HTMLLink("console", "access", "passkeys", "register"),
                [("name", name), ("client_data", ""), ("attestation", "")], .class("stack"),
                .data("passkey", "create"), .data("challenge", creation.challenge), .data("party", party.id),
                .data("user", creation.userHandle), .data("user-name", frame.viewer?.name ?? "SubGuard"),
                .data("excluded", creation.excluded.joined(separator: " ")),
                .data("failed", words["No passkey was made. Try again, or with another device."]), .hidden
            ) { html in
                html.submit(words["Create the passkey"], .class("primary"), .autofocus)
                html.add(.p, .class("fault")) { _ in }
            }
            html.add(.p) { $0.link(words["Cancel, change nothing"], AccessTab.passkeysLink) }
        }
    }

    // MARK: Removal

    /// Asks before a passkey is removed.
    package static func removal(of row: ListedPasskey, in section: ConsoleSection?) -> SimplePage {
        .question(
            section, "Remove the passkey \(row.passkey.name)?", "Remove the passkey", AccessTab.passkeysLink,
            [("remove", row.passkey.id.lowercased)], isKeyed: false, cancel: "Change nothing",
            back: AccessTab.passkeysLink
        ) { _, words, html in
            html.paragraph(
                words.text(
                    "It will no longer sign in as %1. Sessions that it began go on; end them under "
                        + "Sessions. The device keeps its part until you delete it there.", row.token.name))
        }
    }
}
