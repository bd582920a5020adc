package import Backend

extension CrashOutcome {
    /// The status of a group after it; nil if there is no group.
    package var status: CrashStatus? {
        switch self {
        case .resolved: .resolved
        case .ignored: .ignored
        case .reopened: .open
        case .deleted, .notFound: nil
        }
    }
}

extension CrashAction {
    /// The status of a group after it; nil after a deletion.
    var status: CrashStatus? { CrashStatus.allCases.first { CrashAction(giving: $0) == self } }

    /// The decision that gives a group a status.
    package init(giving status: CrashStatus) {
        self =
            switch status {
            case .open: .reopen
            case .resolved: .resolve
            case .ignored: .ignore
            }
    }
}
