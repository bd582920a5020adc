import HTTPServer
import HTTPWire
import Locking
package import SubGuardClient
package import SubGuardDomain
package import SubGuardEngine

/// The app in the browser: pages on the device's store, for browsers on this machine only.
package final class AppServer: Sendable {
    /// The port unless another one is given, always the same so that the app can be installed.
    package static let defaultPort = 8377

    package let port: Int
    private let servers: [HTTPServer]
    private let context: AppContext

    /// Binds 127.0.0.1 and, where the machine has it, ::1, ends the sessions of browsers that are not remembered, and
    /// then serves. Throws what the store throws, and ``PortTaken`` if the port is in use on either: `localhost` can
    /// mean both, and a browser must not reach another user's pages by that name. Throws ``ListenError`` for another
    /// reason.
    ///
    /// - Parameters:
    ///   - port: 0 lets the system choose.
    ///   - link: the server to sync with; nil for none.
    ///   - device: what a sync sends with each event.
    ///   - moment: the current moment, asked for each request.
    ///   - language: for as long as the store has no setting.
    ///   - followsBrowser: whether the language of the browser comes before `language`.
    package init(
        store: DeviceStore, port: Int = AppServer.defaultPort, language: DisplayLanguage,
        followsBrowser: Bool = false, link: ServerLink? = nil, device: DeviceProperties = DeviceProperties(),
        moment: @escaping @Sendable () -> Moment
    ) throws {
        let context = AppContext(
            store: store, language: language, followsBrowser: followsBrowser, server: ServerDesk(link), device: device,
            moment: moment)
        let application = AppApplication(context)
        var configuration = HTTPServerConfiguration()
        configuration.port = port
        configuration.loops = 1
        // Each open page waits for changes in one.
        configuration.workers = 32
        configuration.connections.inAll = 2048
        // Cookies of all ports of 127.0.0.1 come along, so another program could fill a head: browsers keep up to 180
        // for a host, of 4 KiB each.
        configuration.limits.headerBytes = 800 << 10
        // A statement of 20 MB takes a slow machine longer than half a minute.
        configuration.deadlines.handling = .seconds(600)
        configuration.maximumBodyMemoryBytes = 32 << 20
        // Every process of the machine can hold bodies; uploads of a session must find room beside them.
        configuration.limitsBodiesOfStrangers = true
        configuration.maximumAnswerMemoryBytes = 32 << 20
        servers = try Self.bind(configuration, application)
        self.port = servers[0].port
        self.context = context
        // Before the first request is let in: a cookie that another process caught while the app was away would be good
        // until then. Not before the port is bound: an app that has it serves these sessions.
        do {
            try store.browsers.endUnremembered(at: moment())
        } catch {
            for server in servers { server.stop(deadline: .zero) }
            throw error
        }
        context.open(port: self.port)
    }

    /// Servers on 127.0.0.1 and, where the machine has it, on ::1, with the same port.
    private static func bind(
        _ configuration: HTTPServerConfiguration, _ application: AppApplication
    ) throws -> [HTTPServer] {
        var configuration = configuration
        let isChosenBySystem = configuration.port == 0
        // The system chooses a port that is free on 127.0.0.1, and may not be on ::1.
        var attempts = 0
        while true {
            attempts += 1
            var servers: [HTTPServer] = []
            do {
                servers.append(try HTTPServer(configuration: configuration, application: application))
                configuration.port = servers[0].port
                configuration.host = "::1"
                servers.append(try HTTPServer(configuration: configuration, application: application))
            } catch let error as ListenError {
                if error.isAbsentAddress, !servers.isEmpty { return servers }
                for server in servers { server.stop(deadline: .zero) }
                guard error.isInUse else { throw error }
                guard isChosenBySystem, attempts < 10 else {
                    throw PortTaken(host: error.host, port: error.port, holder: PortHolder(port: error.port))
                }
                configuration.port = 0
                configuration.host = "127.0.0.1"
                continue
            }
            return servers
        }
    }

    /// The address that lets one browser in, once, within a minute.
    package func launchAddress() throws -> String {
        Self.address(port: port, code: try context.store.browsers.makeCode(at: context.moment()))
    }

    package func stop() {
        context.live.stop()
        for server in servers { server.stop(deadline: .seconds(2)) }
    }
}

/// What all requests share.
final class AppContext: Sendable {
    let store: DeviceStore
    let language: DisplayLanguage
    let followsBrowser: Bool
    let moment: @Sendable () -> Moment
    let live: LiveChanges
    let answers = AnswerCache()
    let logos: LogoCache
    let server: ServerDesk
    let device: DeviceProperties
    private let port = Guarded<Int?>(nil)

    init(
        store: DeviceStore, language: DisplayLanguage, followsBrowser: Bool, server: ServerDesk,
        device: DeviceProperties,
        moment: @escaping @Sendable () -> Moment
    ) {
        self.followsBrowser = followsBrowser
        self.server = server
        self.device = device
        self.store = store
        self.language = language
        self.moment = moment
        live = LiveChanges(store)
        logos = LogoCache(beside: store)
    }

    func open(port: Int) { self.port.withLock { $0 = port } }

    /// Nil before the port is bound.
    var origin: AppOrigin? { port.withLock { $0 }.map { AppOrigin(port: $0) } }
}

/// What pages have read from the database, until something changes or the day ends. A page is read far more often than
/// its data changes: by every window, after each change of tab, and in each language.
///
/// Answers to a few questions are kept, those asked last. Safe to use from several threads.
final class AnswerCache: Sendable {
    private struct Entry {
        let question: String
        let revision: Int64
        let today: CalendarDay
        let answer: any Sendable
    }

    private static let capacity = 12
    private let entries = Guarded<[Entry]>([])

    /// The kept answer, or the one that `read` gives now.
    ///
    /// - Parameters:
    ///   - question: names what is asked, with all that the answer depends on beside the database and the day.
    ///   - revision: that of the database before anything is read.
    func answer<Answer: Sendable>(
        _ question: String, at revision: Int64, _ today: CalendarDay, _ read: () throws -> Answer
    ) rethrows -> Answer {
        let kept = entries.withLock { entries -> (any Sendable)? in
            guard let place = entries.firstIndex(where: { $0.question == question }) else { return nil }
            let entry = entries.remove(at: place)
            guard entry.revision == revision, entry.today == today else { return nil }
            entries.append(entry)
            return entry.answer
        }
        // Unwrapped first: nothing at all would pass for an answer that may be nil.
        if let kept, let answer = kept as? Answer { return answer }
        let answer = try read()
        entries.withLock { entries in
            entries.removeAll { $0.question == question }
            entries.append(Entry(question: question, revision: revision, today: today, answer: answer))
            if entries.count > Self.capacity { entries.removeFirst() }
        }
        return answer
    }
}
