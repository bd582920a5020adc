import DeviceCommands

#if canImport(DeviceApp)
    import ArgumentParser
#endif

@main
enum Program {
    static func main() async {
        #if canImport(DeviceApp)
            // The app is served where our HTTP server runs.
            await SubGuard.run(with: [OpenCommand.self, CalendarCommand.self])
        #else
            await SubGuard.run(with: [])
        #endif
    }
}
