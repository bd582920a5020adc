import Foundation
import HTML
import HTTPServer
import HTTPTypes
import Locking
import SubGuardDomain
import SubGuardEngine

/// A file that was sent and is looked at: nothing of it is stored before it is accepted.
struct HeldFile<Kind: Sendable>: Sendable {
    let id: UUID
    let session: UUID
    let name: String
    let bytes: [UInt8]
    /// How the file is read.
    var kind: Kind
    /// What the preview was made of.
    var shown: ShownState
    let expiresAt: UTCInstant

    /// - Parameter session: the browser that has sent it.
    init(_ name: String, _ bytes: [UInt8], _ kind: Kind, of session: BrowserSession, _ visit: AppVisit) {
        id = visit.store.makeID(visit.moment)
        self.session = session.id
        self.name = String(name.prefix(200))
        self.bytes = bytes
        self.kind = kind
        shown = visit.shown
        expiresAt = visit.moment.now.adding(seconds: FileDesk<Kind>.minutes * 60)
    }

    /// The answer to a form with the file of a backup.
    ///
    /// - Parameters:
    ///   - again: the page for a file that was refused.
    ///   - preview: the page with what would change.
    ///   - kind: how the file is read with a passphrase.
    static func take(
        _ form: MultipartForm, _ visit: AppVisit, again: (DeviceStoreError) -> [UInt8],
        preview: (HeldFile) throws -> [UInt8], kind: (Passphrase?) -> Kind
    ) throws -> Response {
        do {
            guard let session = visit.session, let file = form.files.first, !file.content.isEmpty else {
                throw DeviceStoreError.file("No file was chosen.")
            }
            let kind = kind(form.texts.passphrase())
            return AppResponse.page(try preview(HeldFile(file.fileName, file.content, kind, of: session, visit)))
        } catch let error as DeviceStoreError {
            return AppResponse.page(again(error), .unprocessableContent)
        }
    }
}

/// Files between the preview and the decision, in memory only. One for each browser; the next one replaces it.
final class FileDesk<Kind: Sendable>: Sendable {
    /// How long a file is kept, in minutes.
    static var minutes: Int64 { 15 }
    /// The longest file, in bytes.
    static var maximumBytes: Int { 16 << 20 }
    /// The most files.
    private static var most: Int { 4 }

    private let waiting = Guarded([HeldFile<Kind>]())

    /// Keeps a file.
    func put(_ file: HeldFile<Kind>, now: UTCInstant) {
        waiting.withLock { waiting in
            waiting.removeAll { $0.session == file.session || $0.expiresAt <= now }
            if waiting.count >= Self.most { waiting.removeFirst() }
            waiting.append(file)
        }
    }

    /// Throws when the file has expired or belongs to another browser.
    func file(_ id: String?, _ visit: AppVisit) throws(AppRefusal) -> HeldFile<Kind> {
        let found = id.flatMap { UUID(uuidString: $0) }.flatMap { id in
            waiting.withLock { waiting in
                waiting.first {
                    $0.id == id && $0.session == visit.session?.id && $0.expiresAt > visit.moment.now
                }
            }
        }
        guard let found else { throw .unreadable("The file is no longer here. Choose it again.") }
        return found
    }

    func remove(_ id: UUID) { waiting.withLock { $0.removeAll { $0.id == id } } }
}
