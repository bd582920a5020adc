import BackendHTTP
import Console
import Foundation
import HTML
import HTTPServer
import ServerContract
import SubGuardDomain
import Telemetry

/// The groups on which a form of the list of crashes decides, and how.
struct CrashSelection {
    /// The decision of the form. An undo gives each group its former status instead.
    let action: String
    let isUndo: Bool
    /// With the status that the page showed.
    private(set) var groups: [(id: UUID, status: CrashStatus)]
    /// What an undo gives back, as the server noted it when it decided.
    private var former: [UUID: CrashStatus] = [:]

    /// What a form selects, each group as `open.ID`; nil if it selects nothing or has no action.
    init?(_ form: FormFields) throws(HTTPFailure) {
        groups = []
        for text in form.values("groups") {
            let parts = text.split(separator: ".", maxSplits: 1)
            guard parts.count == 2, let status = CrashStatus(rawValue: String(parts[0])),
                let id = UUID(strict: String(parts[1]))
            else { throw .invalid("groups", .invalidFormat, "The form is not one of the console.") }
            groups.append((id, status))
        }
        guard let action = form["action"], !groups.isEmpty else { return nil }
        (self.action, isUndo) = (action, false)
    }

    /// What takes decisions back.
    init(undoing decisions: [CrashDecision]) {
        (action, isUndo) = ("undo", true)
        groups = decisions.compactMap { decision in decision.outcome.status.map { (decision.id, $0) } }
        for decision in decisions { former[decision.id] = decision.former }
    }

    /// Leaves out the groups on which another person has decided since. One that already is what it would become
    /// stays: the same form again is answered as before.
    ///
    /// - Returns: the titles of those left out.
    mutating func leaveOutChanged(_ stored: [UUID: CrashGroup]) -> [String] {
        let wanted = CrashStatus.allCases.first { CrashAction(giving: $0).rawValue == action }
        var titles: [String] = []
        groups.removeAll { group in
            guard let current = stored[group.id], current.status != group.status,
                current.status != wanted ?? former[group.id]
            else { return false }
            titles.append(current.title)
            return true
        }
        return titles
    }

    /// Groups with the same action; undoing may need several.
    var calls: [(action: String, ids: [UUID])] {
        guard isUndo else { return [(action, groups.map(\.id))] }
        return CrashStatus.allCases.compactMap { status in
            let ids = groups.filter { former[$0.id] == status }.map(\.id)
            return ids.isEmpty ? nil : (CrashAction(giving: status).rawValue, ids)
        }
    }
}
