import ArgumentParser
import Foundation
import ServerContract

struct OpenAPICommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi", abstract: "Print the OpenAPI 3.1 description of the HTTP interface.")

    func run() { FileHandle.standardOutput.write(Data(OpenAPIDocument.text())) }
}
