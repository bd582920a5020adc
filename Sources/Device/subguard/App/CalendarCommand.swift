import SubGuardDomain

#if canImport(DeviceApp)
    import ArgumentParser
    import DeviceApp
    import DeviceCommands
    import DeviceWords
    import JSONWire
    import SubGuardEngine

    struct CalendarCommand: ReadCommand {
        static let configuration = CommandConfiguration(
            commandName: "calendar", abstract: "Show the address from which calendars refresh by themselves.",
            discussion: """
                `subguard open` serves the calendar of `export --format ical` at an address on this machine, if you \
                turn that on. The address needs no password: keep it to yourself. While the app is closed, another \
                user of this machine may take its port, and calendars send the address there; --renew makes it \
                worthless. iCalendar needs premium.
                """)

        @Flag(help: "Turn the address on.") var on = false
        @Flag(help: "Turn it on with a new address; the old one stops working.") var renew = false
        @Flag(help: "Turn the address off.") var off = false
        @Option(help: "Port of `subguard open`, for the address.") var port = AppServer.defaultPort
        @OptionGroup var options: GlobalOptions

        func validate() throws {
            guard [on, renew, off].count(where: \.self) < 2 else {
                throw ValidationError("Use one of --on, --renew and --off.")
            }
            guard (1...65_535).contains(port) else { throw ValidationError("--port must be from 1 to 65535") }
        }

        func run(_ session: Session) throws {
            let address = session.store.calendarAddress
            if on { try address.turnOn(at: session.moment) }
            if renew { try address.renew(at: session.moment) }
            if off { try address.turnOff(at: session.moment) }
            let url = try address.secret().map { AppServer.calendarAddress(port: port, secret: $0) }
            session.print(
                object: { json in
                    json.field("is_on", url != nil)
                    json.field("url", url)
                }, text: { url ?? session.text("off; to turn it on: subguard calendar --on") })
            if url != nil, !session.isJSON {
                session.note("the address answers while subguard open runs")
            }
        }
    }
#endif
