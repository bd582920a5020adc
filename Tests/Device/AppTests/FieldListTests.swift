import DeviceWords
import SubGuardDomain
import TestKit
import Testing

@testable import DeviceApp
@testable import DeviceWords
@testable import SubGuardEngine

/// No list of fields forgets one. Without a decision about a new field, the switches here do not compile.
@Suite struct FieldListTests {
    /// The fields of a subscription that its form has; others are set elsewhere.
    private func isInForm(_ field: SubscriptionField) -> Bool {
        switch field {
        case .name, .amount, .currency, .cycle, .nextBillingOn, .startedOn, .scope, .category, .trialStartsOn,
            .trialEndsOn, .contractEndsOn, .minimumMonths, .extensionMonths, .noticeDays, .paymentMethod, .website,
            .notes:
            true
        // Set with the catalogue, the actions of the page, or on the command line.
        case .id, .anchorOn, .status, .cancelsOn, .trialConverts, .remind, .details, .icon, .color, .catalogueItemID,
            .endsOn, .isVariable, .bundledIn, .replacedBy:
            false
        }
    }

    @Test(arguments: [DisplayLanguage.english, .french])
    func theFormHasEachFieldWithItsName(_ language: DisplayLanguage) throws {
        let app = try AppFixture(language: language)
        let id = try app.add("Zoë’s “Net”")
        let page = try app.get("/subscriptions/\(id.lowercased)").text
        for field in SubscriptionField.allCases {
            let label = "<label for=\"\(field.rawValue)\">"
            #expect(page.contains(label) == isInForm(field), "\(field)")
            #expect(!page.contains(label + field.rawValue), "\(field) has a name for people")
        }
    }

    /// A column that the program has recognised would be ignored if the choice did not offer it.
    @Test func theChoiceOfColumnsOffersEachField() throws {
        let app = try AppFixture(language: .french)
        let header = SubscriptionField.allCases.filter { $0 != .name }.map(\.rawValue).joined(separator: ",")
        let page = try app.send("/import", [("kind", "csv")], "a.csv", Array("\(header)\n\(header)\n".utf8)).text
        for field in SubscriptionField.allCases {
            let option = "<option value=\"\(field.rawValue)\""
            #expect(page.contains(option), "\(field)")
            #expect(page.contains(option + " selected>") == (field != .name), "\(field)")
        }
    }

    /// Merges and undos name what they changed.
    @Test func eachColumnThatPeopleSeeHasAWord() throws {
        let app = try AppFixture()
        let words = MergeWording(.english, app.moment)
        let silent = [EntityTables.withdrawals.name, EntityTables.withdrawnRows.name, EntityTables.additions.name]
        for table in EntityTables.all where !silent.contains(table.name) {
            for column in table.columns.map(\.name) where !MergeWords.isHidden(column, of: table) {
                #expect(words.word(column, of: table.name) != nil, "\(table.name).\(column)")
            }
        }
    }
}
