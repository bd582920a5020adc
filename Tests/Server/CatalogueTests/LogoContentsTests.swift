import BackendTestKit
import Catalogue
import Foundation
import SQLDatabase
import ServerAccess
import SubGuardDomain
import TestKit
import Testing

/// Both places for contents of logos, on the database that the other tests use.
struct LogoContentsTests {
    enum Place: String, CaseIterable, Sendable { case folder, table }

    private let fixture: BackendFixture
    private let catalogue: CatalogueStore
    private let folder: TemporaryFolder

    init() throws {
        fixture = try BackendFixture()
        catalogue = CatalogueStore(context: fixture.context)
        folder = try TemporaryFolder()
    }

    private func contents(_ place: Place) -> any LogoContents {
        switch place {
        case .folder: LogoFolder(path: folder.file("l'été “29”/logos"))
        case .table: LogoTable(store: fixture.store)
        }
    }

    /// Not an image, which only the upload checks; contains every octet and has the maximum size.
    private func logo(_ seed: UInt8, bytes: Int = 300) -> LogoFile {
        LogoFile((0..<bytes).map { UInt8(truncatingIfNeeded: $0) &+ seed }, format: .png)
    }

    private func insertItem(_ number: Int = 1) throws -> UUID {
        try catalogue.insert(.sample("Ciné “O'Neil” \(number) 🎬", slug: "item-\(number)"), id: nil, by: .editor).id
    }

    @discardableResult
    private func show(_ logo: LogoFile?, _ id: UUID, _ place: Place) throws -> CatalogueItem {
        try catalogue.setLogo(logo, in: contents(place), of: id, ifRevision: nil, by: .editor)
    }

    private func collect(_ place: Place) throws -> Int {
        try LogoCollector(context: fixture.context, contents: contents(place)).run()
    }

    /// Sets the file's modification time to two days ago.
    private func age(_ logo: LogoFile) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -2 * 86_400)],
            ofItemAtPath: folder.file("l'été “29”/logos/\(logo.name)"))
    }

    @Test(arguments: Place.allCases)
    func givesBackWhatItWasGiven(_ place: Place) throws {
        let contents = contents(place)
        #expect(try contents.names().isEmpty)
        let (small, large) = (logo(1), logo(7, bytes: ImageFile.limitBytes - 1))
        let id = try insertItem()
        #expect(try show(small, id, place).logoURL == small.path)
        #expect(try show(large, id, place).logoURL == large.path)
        #expect(try show(large, id, place).revision == 3, "the same once more is no change")
        #expect(try contents.read(small.name) == small.bytes)
        #expect(try contents.read(large.name) == large.bytes)
        #expect(try contents.names() == [small.name, large.name].sorted())
        for name in ["", "x", "../logos/\(small.name)", "\(small.name)%", logo(2).name] {
            #expect(try contents.read(name) == nil, "\(name)")
            #expect(try fixture.store.read { try contents.exists(name, in: $0) } == false, "\(name)")
        }
        #expect(try fixture.store.read { try contents.exists(small.name, in: $0) })
    }

    @Test(arguments: Place.allCases)
    func whatIsRefusedLeavesNoContentThatTheCatalogueNames(_ place: Place) throws {
        let id = try insertItem()
        #expect(throws: BackendError.preconditionFailed(currentRevision: 1)) {
            try catalogue.setLogo(logo(1), in: contents(place), of: id, ifRevision: 29, by: .editor)
        }
        #expect(throws: (any Error).self) { try show(logo(1), makeID(404), place) }
        #expect(try !catalogue.knowsLogo(logo(1).name))
        // The folder keeps it for a day, because its upload may still be in progress; the table never had it.
        #expect(try contents(place).names() == (place == .folder ? [logo(1).name] : []))
    }

    @Test(arguments: Place.allCases)
    func anUndoBringsBackWhatIsThereAndNothingElse(_ place: Place) throws {
        let id = try insertItem()
        try show(logo(1), id, place)
        try show(nil, id, place)
        let back = try catalogue.undo(nil, of: id, ifRevision: nil, by: .editor, logos: contents(place))
        #expect(back?.logoURL == logo(1).path)
        try show(nil, id, place)
        try fixture.store.write { try contents(place).remove(logo(1).name, in: $0) }
        let gone = try catalogue.undo(nil, of: id, ifRevision: nil, by: .editor, logos: contents(place))
        #expect(gone?.logoURL == nil)
    }

    @Test(arguments: Place.allCases)
    func goesThirtyDaysAfterNobodyShowsIt(_ place: Place) throws {
        let (id, other) = (try insertItem(1), try insertItem(2))
        for number: UInt8 in [1, 2, 3] { try show(logo(number), id, place) }
        try show(logo(2), other, place)
        #expect(try collect(place) == 0)
        fixture.now = fixture.now.adding(days: LogoCollector.graceDays)
        #expect(try collect(place) == 0, "to the moment")
        fixture.now = fixture.now.adding(seconds: 1)
        #expect(try collect(place) == 1)
        #expect(try contents(place).names() == [logo(2).name, logo(3).name].sorted())
        #expect(try catalogue.knowsLogo(logo(1).name) == false)
    }

    /// A logo is uploaded, or restored by an undo, just when the collector has found it due.
    @Test(arguments: Place.allCases)
    func whatIsShownAgainMeanwhileStays(_ place: Place) throws {
        let id = try insertItem()
        for number: UInt8 in [1, 2, 3] { try show(logo(number), id, place) }
        let other = try insertItem(2)
        try show(logo(4), other, place)
        try show(nil, other, place)
        _ = try collect(place)
        fixture.now = fixture.now.adding(days: LogoCollector.graceDays + 1)
        let moment = fixture.now.adding(days: -LogoCollector.graceDays)
        #expect(
            try catalogue.releasedLogos(before: moment) == [logo(1).name, logo(2).name, logo(4).name].sorted())
        _ = try catalogue.undo(nil, of: other, ifRevision: nil, by: .editor, logos: contents(place))
        #expect(try catalogue.removeLogo(logo(4).name, releasedBefore: moment, from: contents(place)) == false)
        #expect(try contents(place).read(logo(4).name) == logo(4).bytes)
        try show(logo(1), id, place)
        #expect(try catalogue.removeLogo(logo(1).name, releasedBefore: moment, from: contents(place)) == false)
        #expect(try contents(place).read(logo(1).name) == logo(1).bytes)
        #expect(try catalogue.removeLogo(logo(2).name, releasedBefore: moment, from: contents(place)))
        #expect(try catalogue.removeLogo(logo(2).name, releasedBefore: moment, from: contents(place)) == false)
        #expect(try contents(place).read(logo(2).name) == nil)
        // If it was collected between the two halves of an upload, the second half would restore it.
        try contents(place).prepare(logo(2))
        try fixture.store.write { try contents(place).remove(logo(2).name, in: $0) }
        try fixture.store.write { try contents(place).keep(logo(2), in: $0) }
        #expect(try contents(place).read(logo(2).name) == logo(2).bytes)
    }

    @Test func aFileThatIsUploadedAgainIsNoStray() throws {
        let contents = contents(.folder)
        try contents.prepare(logo(1))
        #expect(try collect(.folder) == 0)
        try age(logo(1))
        try contents.prepare(logo(1))
        #expect(try collect(.folder) == 0, "an upload of it is under way")
        try age(logo(1))
        #expect(try collect(.folder) == 1)
        #expect(try contents.names().isEmpty)
        let id = try insertItem()
        try show(logo(2), id, .folder)
        try age(logo(2))
        #expect(try collect(.folder) == 0)
    }

    /// They remain when the operator switches to a folder for logos.
    @Test func rowsThatTheCatalogueDoesNotKnowGo() throws {
        let id = try insertItem()
        try show(logo(1), id, .table)
        try fixture.store.write { try contents(.table).keep(logo(2), in: $0) }
        #expect(try collect(.table) == 1)
        #expect(try contents(.table).names() == [logo(1).name])
    }

    @Test func aNameStandsForOneContent() {
        let file = logo(1)
        #expect(LogoFile(file.bytes, named: file.name) == file)
        #expect(LogoFile(file.bytes + [0], named: file.name) == nil)
        #expect(LogoFile(file.bytes, named: file.name + "x") == nil)
        #expect(LogoFile(file.bytes, named: "x") == nil)
        #expect(LogoFile(file.bytes, named: file.name.replacing(".png", with: ".jpg"))?.path.hasSuffix(".jpg") == true)
    }
}
