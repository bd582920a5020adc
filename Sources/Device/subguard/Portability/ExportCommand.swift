import ArgumentParser
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes the store to standard output.",
        discussion: "JSON is free; the other formats need premium. iCalendar reaches 24 months ahead.")

    @Option(help: "The format.") var format: ExportFormat
    @OptionGroup var options: GlobalOptions

    func run() throws {
        try Session.read(options) { session in
            let text = try session.store.portability.export(format, language: session.language, at: session.moment)
            guard session.isJSON, format != .json else {
                StandardStream.output(text)
                return
            }
            session.print(
                object: { json in
                    json.field("format", format.rawValue)
                    json.field("content", text)
                }, text: { text })
        }
    }
}
