#if canImport(DeviceApp)
    import ArgumentParser
    import CAllocator
    import DeviceApp
    import DeviceCommands
    import DeviceWords
    import Dispatch
    import Foundation
    import SubGuardClient
    import SubGuardDomain
    import SubGuardEngine

    struct OpenCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "open", abstract: "Open the app in the browser.",
            discussion: """
                Serves the app to browsers on this machine until it is stopped, and prints the address that lets one \
                of them in: once, within a minute. Run it again for another browser. With --server, its settings sync \
                with that server.
                """)

        @Flag(help: "Only print the address.") var noBrowser = false
        @Option(help: "Port on 127.0.0.1 and ::1; 0 lets the system choose.") var port = AppServer.defaultPort
        @OptionGroup var options: GlobalOptions

        func validate() throws {
            guard (0...65_535).contains(port) else { throw ValidationError("--port must be from 0 to 65535") }
        }

        func run() async throws {
            allocator_limit_arenas(2)
            allocator_return_blocks(128 << 10)
            try await Session.online(options) { session in
                let options = options
                // Another process serves this database: one more browser is let in. A second server would end its
                // sessions.
                if let running = try AppServer.runningAddress(store: session.store, at: session.moment) {
                    return await show(running, in: session.store)
                }
                let link = try session.server().map { server in
                    ServerLink(
                        address: server.address.text, synchroniser: session.synchroniser(server),
                        account: session.account(server))
                }
                let server: AppServer
                do {
                    server = try AppServer(
                        store: session.store, port: port, language: session.language,
                        followsBrowser: options.lang == nil, link: link,
                        device: session.device, moment: { options.moment })
                } catch {
                    let running =
                        error is PortTaken
                        ? try AppServer.runningAddress(port: port, store: session.store, at: session.moment) : nil
                    guard let running else { throw DeviceStoreError.file("\(error)") }
                    // It began a moment ago, or the system does not tell who has which port.
                    return await show(running, in: session.store)
                }
                defer { server.stop() }
                let (ended, sources) = Self.endSignals()
                let address = try server.launchAddress()
                let store = session.store
                let showing = Task { await show(address, in: store) }
                // A new store has no catalogue yet, and names are looked up in it. Without blocking what is there
                // already.
                let moment = session.moment
                if let synchroniser = try session.server().map(session.synchroniser) {
                    Task { _ = await synchroniser.revalidateCatalogue(at: moment) }
                }
                // Without blocking a thread of tasks, which a sync needs.
                for await _ in ended { break }
                sources.forEach { $0.cancel() }
                showing.cancel()
                await showing.value
            }
        }

        /// Prints the address and opens the browser. Returns once it was let in, at the latest after a minute: until
        /// then, a file leads to the address.
        private func show(_ address: String, in store: DeviceStore) async {
            StandardStream.output(address + "\n")
            guard !noBrowser, let code = address.split(separator: "#").last,
                let file = LaunchFile(address, data: URL(fileURLWithPath: store.path).deletingLastPathComponent().path)
            else { return }
            defer { file.delete() }
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["xdg-open", file.path]
            process.environment = Invocation.current.environmentOfOthers
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            // Without a desktop, the address is there to be copied.
            guard (try? process.run()) != nil else { return }
            let options = options
            let end = ContinuousClock.now.advanced(by: .seconds(DeviceStore.Browsers.codeSeconds))
            while !Task.isCancelled, ContinuousClock.now < end,
                (try? store.browsers.isPending(code: String(code), at: options.moment)) == true
            {
                if !process.isRunning, process.terminationStatus != 0 { return }
                try? await Task.sleep(for: .milliseconds(200))
            }
        }

        /// Has an element once SIGINT or SIGTERM has come.
        private static func endSignals() -> (ended: AsyncStream<Void>, sources: [any DispatchSourceSignal]) {
            let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
            let sources = [SIGINT, SIGTERM].map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { continuation.yield() }
                source.resume()
                return source
            }
            return (ended, sources)
        }
    }
#endif
