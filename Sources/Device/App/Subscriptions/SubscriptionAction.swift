import DeviceWords
import Foundation
import HTML
import SubGuardDomain
import SubGuardEngine

/// What can be done with a subscription at once.
enum SubscriptionAction {
    case pause, resume, cancel
    /// Takes back a cancellation.
    case keep
    case delete

    /// Whether a page asks before it is done.
    var hasPage: Bool { self == .cancel }

    /// - Parameter back: the list that it is done from, for an action with a page.
    func link(_ id: UUID, back: HTMLLink? = nil) -> HTMLLink {
        let name =
            switch self {
            case .pause: "pause"
            case .resume, .keep: "resume"
            case .cancel: "cancel"
            case .delete: "delete"
            }
        guard hasPage, let back, back != HTMLLink() else { return HTMLLink("subscriptions", id.lowercased, name) }
        return HTMLLink("subscriptions", id.lowercased, name, query: [("back", back.text)])
    }
}

extension SubscriptionSummary {
    /// What can be done in its state.
    var actions: [SubscriptionAction] {
        var actions: [SubscriptionAction] = []
        if status == .paused {
            actions.append(.resume)
        } else if status.isCharged || status == .trial {
            actions.append(.pause)
        }
        if ![.cancelled, .ended].contains(status), cancelsOn == nil {
            actions.append(.cancel)
        } else if status == .cancelled || cancelsOn != nil {
            actions.append(.keep)
        }
        return actions + [.delete]
    }
}

extension AppVisit {
    func name(_ action: SubscriptionAction) -> String {
        switch action {
        case .pause: text("Pause")
        case .resume: text("Resume")
        case .cancel: text("Cancel subscription…")
        case .keep: text("Keep it")
        case .delete: text("Delete")
        }
    }
}
