import Foundation
import JSONWire
import SubGuardContract
import SubGuardDomain
import TestKit

/// An object with a field of every type and every kind of optionality.
struct WireSample: WireObject, Equatable {
    enum Colour: String, CaseIterable, Sendable { case red, green }

    struct Part: WireObject, Equatable {
        let name: String
        static let wire = WireSchema<Part>(
            "SamplePart", "A part.", make: Part.init, Field("name", \.name, .text(1...5), example: "wheel"))
    }

    let id: UUID
    let name: String
    let day: CalendarDay
    let at: UTCInstant?
    let colour: Colour?
    let count: Int
    let isOn: Bool
    let tags: [String]
    let part: Part
    let parts: [Part]
    let note: Change<String>

    static let wire = WireSchema<WireSample>(
        "Sample", "A sample.", make: WireSample.init,
        Field("id", \.id, .givenID, "Whose it is."),
        Field("name", \.name, .text(1...8, pattern: "^[A-Za-z🎬 ]+$"), example: "Ada"),
        Field("day", \.day, .day),
        Field("at", \.at, nullable: .givenInstant, "Null while it has not happened."),
        Field("colour", \.colour, optional: .choice),
        Field("count", \.count, .integer(1...9), default: 3),
        Field("is_on", \.isOn, .boolean),
        Field("tags", \.tags, .set(of: .text(bytes: 1...4), count: 0...3, called: "tags"), example: ["a"]),
        Field("part", \.part, .object),
        Field("parts", \.parts, .array(of: .object, count: 0...2)),
        Field("note", \.note, patch: .text(0...10), orNull: true))
}

/// Parameters of a query.
struct WireSampleQuery: WireObject, Equatable {
    let limit: Int
    let isDry: Bool
    let colour: WireSample.Colour?
    let since: UTCInstant?

    static let wire = WireSchema<WireSampleQuery>(
        nil, make: WireSampleQuery.init,
        Field("limit", \.limit, .integer(1...500), "Items on a page.", default: 50),
        Field("dry_run", \.isDry, .boolean, default: false),
        Field("colour", \.colour, optional: .choice),
        Field("since", \.since, optional: .givenInstant))
}

/// An object that contains a sample; it can only be written.
struct WireEnvelope: WireObject {
    let part: WireSample.Part
    let number: Int

    static let wire = WireSchema<WireEnvelope>("SampleEnvelope") {
        Field("number", \.number, .count)
        Field(flattening: \.part)
    }
}
