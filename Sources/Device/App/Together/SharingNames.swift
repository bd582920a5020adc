import DeviceWords
import Foundation
import SubGuardDomain
import SubGuardEngine

extension AppVisit {
    /// The owner as a person, before the first use of it.
    func makeMe() throws { try store.sharing.makeMe(named: text("Me"), at: moment) }

    /// Names by id, those of deleted people included. The owner's own is in the language of the page, unless edited.
    func names() throws -> [UUID: String] {
        var names = try store.sharing.names()
        names[Person.me] = ownName(names[Person.me])
        return names
    }

    /// The name of the owner.
    func ownName(_ stored: String?) -> String {
        guard let stored else { return text("Me") }
        return Person.myName(stored, words)
    }
}
