import ArgumentParser
import Foundation
import JSONWire
import SubGuardDomain
import SubGuardEngine

struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "Show or change the settings of this device.",
        subcommands: [List.self, Get.self, Set.self], defaultSubcommand: List.self)

    struct List: ReadCommand {
        static let configuration = CommandConfiguration(abstract: "List all settings with their values.")

        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) throws {
            let settings = try UserSetting.allCases.map { setting in
                (setting, try session.store.settings.value(setting))
            }
            session.print(
                settings, json: { $1.fields($0.0, $0.1) }, empty: "",
                [.text("name") { $0.0.rawValue }, .text("value") { $0.1 ?? "–" }])
        }
    }

    struct Get: ReadCommand {
        static let configuration = CommandConfiguration(abstract: "Print the value of a setting.")

        @Argument(help: "Name of the setting.") var name: String
        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) throws { try session.print(try session.store.settings.named(name)) }
    }

    struct Set: WriteCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change a setting; an empty value returns to the default.")

        @Argument(help: "Name of the setting.") var name: String
        @Argument(help: "New value.") var value: String
        @OptionGroup var options: GlobalOptions

        func run(_ session: Session) throws {
            let setting = try session.store.settings.named(name)
            try session.store.settings.set(setting, to: value, at: session.moment)
            try session.print(setting)
        }
    }
}

extension Session {
    fileprivate func print(_ setting: UserSetting) throws {
        let value = try store.settings.value(setting)
        print(object: { $0.fields(setting, value) }, text: { value ?? "–" })
    }
}

extension JSONWriter {
    fileprivate mutating func fields(_ setting: UserSetting, _ value: String?) {
        field("name", setting.rawValue)
        field("value", value)
        field("default", setting.defaultValue)
    }
}
