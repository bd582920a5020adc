import ArgumentParser
import DeviceWords
import JSONWire
import SubGuardDomain
import SubGuardEngine

/// The flag of commands that sum up.
struct NetOption: ParsableArguments {
    @Flag(help: "Count only your part of shared subscriptions.") var net = false

    /// A line below the sums that says which they are, when anything is shared.
    func note(_ session: Session) throws -> String {
        guard try session.store.totals.isAnythingShared() else { return "" }
        return "\n" + session.text(net ? "your part of what is shared" : "in full; --net counts only your part")
    }

    /// A member `net` in rows of the owner's part.
    func write(to json: inout JSONWriter) {
        if net { json.field("net", true) }
    }
}
