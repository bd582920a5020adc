import ArgumentParser
import Backend
import BackendHTTP
import Foundation

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Proves a backup, then puts it in the place of the store.",
        discussion: """
            The server must not run. What was there is kept beside the store. With --drill nothing is replaced: the newest \
            backup is restored into a folder that is taken away again.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Only prove the newest backup.")
    var drill = false

    @Argument(help: "The backup's folder, as `backup` printed it.")
    var backup: String?

    func validate() throws {
        guard drill != (backup != nil) else { throw ValidationError("give a backup, or --drill") }
    }

    func run() throws {
        let settings = try options.settings()
        guard let backup else {
            let proven = try StoreFiles(settings: settings).drill()
            return print(
                "proven \(proven.backup): \(proven.copy.events) events, \(proven.copy.auditRows) audit rows, "
                    + "\(proven.copy.manifest.files.count) files")
        }
        let files = StoreFiles(settings: settings)
        let restored = try files.restore(backup, by: .currentUser)
        // Absolute, because a store that is not where the service looks for it is the mistake to see here.
        let place = URL(fileURLWithPath: restored.store).standardizedFileURL.path
        print("restored \(place) from \(backup): \(restored.copy.events) events, \(restored.copy.auditRows) audit rows")
        if let kept = restored.kept { print("what was there is now \(kept)") }
    }
}
