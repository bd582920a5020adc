import Foundation
import JSONWire
import SubGuardDomain
import TestKit
import Testing

/// Each field of a subscription has an option, is shown, and comes back from each export. Without a decision about a
/// new field, the switch here does not compile.
@Suite struct FieldOptionTests {
    private static let item = "0190f3a2-0000-7000-8000-00000000000a"

    /// The option and a value of it, as it is shown; nil for fields of other commands.
    private func option(_ field: SubscriptionField) -> (name: String, value: String)? {
        switch field {
        case .id, .anchorOn, .status, .cancelsOn: nil
        case .name: ("--name", "=Zoë’s “Net”, 1/2")
        case .amount: ("--amount", "1300.49")
        case .currency: ("--currency", "CHF")
        case .cycle: ("--cycle", "quarterly")
        case .nextBillingOn: ("--next", "2027-01-31")
        case .startedOn: ("--started", "2026-01-31")
        case .scope: ("--scope", "pro")
        case .category: ("--category", "Été; “x”")
        case .trialStartsOn: ("--trial-starts", "2026-11-01")
        case .trialEndsOn: ("--trial-ends", "2026-12-24")
        case .trialConverts: ("--no-trial-converts", "false")
        case .remind: ("--remind", "7,1")
        case .details: ("--details", "Größe M")
        case .notes: ("--notes", "one\ntwo, \"three\"")
        case .website: ("--website", "https://é.example/?a=b&c")
        case .paymentMethod: ("--payment-method", "Visa …42")
        case .icon: ("--icon", "drop")
        case .color: ("--color", "#9FE870")
        case .catalogueItemID: ("--catalogue-item", Self.item)
        case .contractEndsOn: ("--contract-ends", "2027-06-30")
        case .minimumMonths: ("--minimum-months", "24")
        case .extensionMonths: ("--extension-months", "12")
        case .noticeDays: ("--notice-days", "30")
        case .endsOn: ("--ends", "2028-12-31")
        case .isVariable: ("--variable", "true")
        case .bundledIn: ("--bundled-in", "Bundle")
        case .replacedBy: ("--replaced-by", "Later")
        }
    }

    @Test func everyFieldIsSetShownAndExported() throws {
        let client = try Client()
        let others = ["Bundle": try client.add("Bundle"), "Later": try client.add("Later")]
        var arguments = ["add"]
        var expected: [SubscriptionField: String] = [:]
        for field in SubscriptionField.allCases {
            guard let (name, value) = option(field) else { continue }
            arguments += ["true", "false"].contains(value) ? [name] : [name, value]
            expected[field] = others[value] ?? value
        }
        // Nothing is charged after this trial, so the next day is shown as the first.
        expected[.anchorOn] = expected.removeValue(forKey: .nextBillingOn)
        let added = try client.run(arguments)
        #expect(added.status == 0, "\(added.errors)")
        let id = added.output.trimmingCharacters(in: .newlines)
        let shown = try client.json("show", id)
        for (field, value) in expected { #expect(Self.text(shown[field.rawValue]) == value, "\(field)") }
        for format in ["csv", "json"] {
            let other = try Client()
            let file = try other.folder.write(try client.run("export", "--format", format).output, to: "e.\(format)")
            let outcome = try other.run("import", "--format", format, file)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let imported = try other.json("show", id)
            for (field, value) in expected {
                #expect(Self.text(imported[field.rawValue]) == value, "\(field) of \(format)")
            }
        }
        let help = try client.run("edit", "--help").output
        for case let (name, _)? in SubscriptionField.allCases.map(option) {
            #expect(help.contains(name.replacing("--no-", with: "--")), "\(name)")
        }
    }

    private static func text(_ value: JSONValue?) -> String? {
        if case .bool(let flag)? = value { return "\(flag)" }
        return value?.stringValue ?? value?.integerValue.map { "\($0)" }
    }
}
