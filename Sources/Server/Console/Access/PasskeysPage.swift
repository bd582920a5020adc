package import Backend
import HTML
import SubGuardDomain

/// The passkeys of the viewer's token, or all with the permission to manage access.
package struct PasskeysPage: Sendable {
    package enum Notice: Sendable {
        case added
        case removed
    }

    /// The form for a new passkey as it was sent.
    package struct Draft: Sendable {
        package var name = ""
        /// Sentences of the API about the name, in English.
        package var faults: [Refusal] = []
        package var refusal: PasskeyRefusal?

        package init() {}
    }

    private let passkeys: [ListedPasskey]
    private let seesAll: Bool
    private let isPossible: Bool
    private let provider: String?
    private let notice: Notice?
    private let draft: Draft

    /// - Parameters:
    ///   - isPossible: whether browsers make passkeys for the address of the request.
    ///   - provider: the name of the identity provider whose people have no passkeys here.
    package init(
        _ passkeys: [ListedPasskey], seesAll: Bool, isPossible: Bool, provider: String? = nil, notice: Notice? = nil,
        draft: Draft = Draft()
    ) {
        self.passkeys = passkeys
        self.seesAll = seesAll
        self.isPossible = isPossible
        self.provider = provider
        self.notice = notice
        self.draft = draft
    }

    private static let link = HTMLLink("console", "access", "passkeys")

    package func page(_ frame: ConsoleFrame) -> [UInt8] {
        let words = frame.words
        return frame.page(seesAll ? .access : nil, title: words[.passkeys]) { html in
            frame.top(.passkeys, .passkeysLead, to: &html)
            AccessTab.write(.passkeys, frame, to: &html)
            frame.notice(notice.map { $0 == .added ? .passkeyAdded : .passkeyRemoved }, to: &html)
            if let refusal = draft.refusal {
                html.add(.p, .class("notice bad"), .role("alert"), text: words[Self.phrase(refusal)])
            }
            if passkeys.isEmpty {
                frame.empty(.passkeysNone, .passkeysNoneHint, to: &html)
            } else {
                writeTable(words, to: &html)
            }
            writeForm(words, to: &html)
        }
    }

    private static func phrase(_ refusal: PasskeyRefusal) -> Phrase {
        switch refusal {
        case .challenge: .passkeyLate
        case .registered: .passkeyRegistered
        case .tooMany: .passkeyTooMany
        default: .passkeyRefused
        }
    }

    private func writeTable(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.div, .class("scroll"), .role("region"), .aria("label", words[.passkeys]), .tabindex(0)) { html in
            html.add(.table, .class("stacked")) { html in
                html.add(.caption, text: words.count(Int64(passkeys.count), one: .passkeyOne, many: .passkeyMany))
                html.add(.thead) { html in
                    html.add(.tr) { html in
                        html.add(.th, .scope("col"), text: words[.name])
                        if seesAll { html.add(.th, .scope("col"), text: words[.token]) }
                        html.add(.th, .scope("col"), text: words[.passkeyHost])
                        html.add(.th, .scope("col"), text: words[.passkeyMade])
                        html.add(.th, .scope("col"), text: words[.accessLastUsed])
                        html.add(.td) { _ in }
                    }
                }
                html.add(.tbody) { html in for row in passkeys { write(row, words, to: &html) } }
            }
        }
    }

    private func write(_ row: ListedPasskey, _ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.tr) { html in
            html.add(.th, .scope("row")) { $0.add(.bdi, text: row.passkey.name) }
            if seesAll {
                html.add(.td, .data("label", words[.token])) { html in
                    html.add(.a, .href(HTMLLink("console", "access", "tokens", row.token.id.lowercased))) { html in
                        html.add(.bdi, text: row.token.name)
                    }
                }
            }
            html.add(.td, .data("label", words[.passkeyHost]), text: row.passkey.relyingParty)
            for (label, instant) in [
                (Phrase.passkeyMade, Optional(row.passkey.createdAt)), (.accessLastUsed, row.passkey.lastUsedAt),
            ] {
                html.add(.td, .data("label", words[label])) { html in
                    if let instant {
                        html.add(.time, .datetime(instant.rfc3339), text: words.instant(instant))
                    } else {
                        html.text(words[.accessNever])
                    }
                }
            }
            html.add(.td, .class("rowactions")) { html in
                html.add(
                    .a, .class("button"),
                    .href(HTMLLink("console", "access", "passkeys", query: [("remove", row.passkey.id.lowercased)])),
                    .aria("label", words.text(.passkeyRemoveNamed, row.passkey.name)), text: words[.passkeyRemove])
            }
        }
    }

    // MARK: A new one

    private func writeForm(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.section, .class("section"), .id("new")) { html in
            html.add(.h2, text: words[.passkeyNew])
            if let provider {
                html.add(.p, .class("hint"), text: words.text(.openIDNoPasskeys, provider))
                return
            }
            guard isPossible else {
                html.add(.p, .class("hint"), text: words[.passkeyImpossible])
                return
            }
            html.add(.p, .class("hint"), .data("without-passkeys"), text: words[.passkeyNeedsScript])
            html.add(
                .form, .methodPost, .action(Self.link), .class("panel stack"), .data("passkey", "name"), .hidden
            ) { html in
                html.add(.div, .class("fields")) { html in
                    html.add(.div, .class("field")) { writeName(words, to: &$0) }
                }
                html.add(.p, .class("actions")) { html in
                    html.add(.button, .type("submit"), .class("primary"), text: words[.passkeyContinue])
                }
            }
        }
    }

    private func writeName(_ words: ConsoleWords, to html: inout HTMLWriter) {
        html.add(.label, .for("name"), text: words[.name])
        html.add(
            .input, .id("name"), .name("name"), .value(draft.name), .required, .maxLength(120), .autocomplete("off"),
            .aria("describedby", draft.faults.isEmpty ? "name-hint" : "name-fault name-hint"),
            draft.faults.isEmpty ? nil : .aria("invalid", "true"))
        if !draft.faults.isEmpty {
            html.add(
                .p, .id("name-fault"), .class("fault"), .role("alert"),
                text: draft.faults.map(words.sentence).joined(separator: " "))
        }
        html.add(.p, .id("name-hint"), .class("hint"), text: words[.passkeyNameHint])
    }

    /// The page whose button asks the device.
    package static func creation(
        _ frame: ConsoleFrame, name: String, of creation: PasskeyCreation, at party: RelyingParty
    ) -> [UInt8] {
        let words = frame.words
        return frame.card(title: words[.passkeyNew]) { html in
            html.add(.p, .class("lead"), text: words.text(.passkeyCreateLead, name))
            html.add(.p, .class("hint"), .data("without-passkeys"), text: words[.passkeyNeedsScript])
            html.add(
                .form, .methodPost, .action(HTMLLink("console", "access", "passkeys", "register")), .class("stack"),
                .data("passkey", "create"), .data("challenge", creation.challenge), .data("party", party.id),
                .data("user", creation.userHandle), .data("user-name", frame.viewer?.name ?? "SubGuard"),
                .data("excluded", creation.excluded.joined(separator: " ")),
                .data("failed", words[.passkeyNotMade]), .hidden
            ) { html in
                html.add(.input, .type("hidden"), .name("name"), .value(name))
                for field in ["client_data", "attestation"] {
                    html.add(.input, .type("hidden"), .name(field), .value(""))
                }
                html.add(.button, .type("submit"), .class("primary"), .autofocus, text: words[.passkeyCreate])
                html.add(.p, .class("fault")) { _ in }
            }
            html.add(.p) { $0.add(.a, .href(link), text: words[.reentryCancel]) }
        }
    }

    // MARK: Removal

    /// Asks before a passkey is removed.
    package static func removal(_ frame: ConsoleFrame, of row: ListedPasskey, seesAll: Bool) -> [UInt8] {
        let words = frame.words
        let title = words.text(.passkeyRemoveTitle, row.passkey.name)
        return frame.page(seesAll ? .access : nil, title: title) { html in
            html.add(.div, .class("top")) { $0.add(.h1, text: title) }
            html.add(.div, .class("panel confirm")) { html in
                html.add(.p, text: words.text(.passkeyRemoveScope, row.token.name))
                html.add(.form, .methodPost, .action(link)) { html in
                    html.add(.input, .type("hidden"), .name("remove"), .value(row.passkey.id.lowercased))
                    html.add(.p, .class("actions")) { html in
                        html.add(.button, .type("submit"), .class("danger"), text: words[.passkeyRemoveNow])
                        html.add(.a, .class("button"), .href(link), text: words[.accessKeep])
                    }
                }
            }
        }
    }
}
