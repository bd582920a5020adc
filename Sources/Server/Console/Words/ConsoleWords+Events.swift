import Backend
import SubGuardDomain

extension ConsoleWords {
    /// The name of a platform of ``EventSelection/platforms``.
    func platform(_ name: String) -> String {
        switch name {
        case "other": self["Other"]
        case EventSelection.noPlatform: self["Not given"]
        default: name
        }
    }
}
