import ArgumentParser
import DeviceWords
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct RepairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair", abstract: "Repair what this device's store cannot repair by itself.",
        subcommands: [Clock.self])

    struct Clock: WriteCommand {
        static let configuration = CommandConfiguration(
            commandName: "clock", abstract: "Give edits that bear times of the future the present time.",
            discussion: """
                Each edit bears the time at which it was made, so that of two devices' edits the newer one wins. Edits \
                made while the clock of this device ran ahead are refused by other devices. Set the device's clock \
                first, then run this: the edits keep their order. It cannot be undone.
                """)

        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) throws {
            let repair = try session.store.clock.repair(at: session.moment)
            session.print(
                object: { json in
                    json.field("rows", repair.rows)
                    json.field("was_at", repair.wasAt?.rfc3339)
                },
                text: {
                    guard let wasAt = repair.wasAt else { return session.text("nothing lies ahead of the clock") }
                    return session.text(
                        """
                        \(repair.rows) row with times up to \(session.time(wasAt)) has the present one now|\
                        \(repair.rows) rows with times up to \(session.time(wasAt)) have the present one now
                        """)
                })
        }
    }
}
