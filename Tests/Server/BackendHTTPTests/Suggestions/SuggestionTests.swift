import ServerAccess
import SubGuardContract
import SubGuardDomain
import TestKit
import Testing

@Suite struct SuggestionTests {
    private static let target = "/api/v1/suggestions"

    private func suggestion(_ number: UInt64, _ name: String = "Café “Ginko” 🍵") -> String {
        #"{"id":"\#(makeID(number).lowercased)","name":"\#(name)"}"#
    }

    @Test func takesOneAndManyAndEachOnce() throws {
        let server = try TestServer()
        defer { server.end() }
        #expect(try server.post(Self.target, suggestion(1)).text == #"{"accepted":1,"duplicates":0}"#)
        let hundred = (1...100).map { suggestion($0) }.joined(separator: ",")
        let answer = try server.post(Self.target, #"{"suggestions":[\#(hundred)]}"#)
        #expect(answer.status == 202)
        #expect(answer.text == #"{"accepted":99,"duplicates":1}"#)
        try server.expectInvalid(
            try server.post(Self.target, #"{"suggestions":[\#(hundred),\#(suggestion(101))]}"#),
            [("#/suggestions", "out_of_range")])
    }

    @Test func refusesNamesThatNobodyCanSee() throws {
        let server = try TestServer()
        defer { server.end() }
        for (name, code) in [
            ("\u{3164}", "blank"), ("\u{2800}", "blank"), ("\u{E0041}\u{E0042}", "blank"), ("\u{200B}", "blank"),
            ("\u{13441}\u{13442}", "blank"), ("\u{1D159}", "blank"), ("Net\u{FFFC}flix", "invisible_characters"),
            ("Net\u{200B}flix", "invisible_characters"), ("Netflix\u{E0041}", "invisible_characters"),
            ("N" + String(repeating: "\u{336}", count: 40), "too_many_marks"),
        ] {
            try server.expectInvalid(
                try server.post(Self.target, #"{"suggestions":[\#(suggestion(1)),\#(suggestion(2, name))]}"#),
                [("#/suggestions/1/name", code)])
        }
        let aliases = #"{"aliases":["ok","\#u{3164}"]}"#
        let id = try server.item("netflix").id.lowercased
        try server.expectInvalid(
            try server.admin(.editor, "PATCH", "/api/v1/admin/catalogue/\(id)", json: aliases),
            [("#/aliases/1", "blank")])
    }

    @Test func takesNothingButANameAndWritesAllOrNothing() throws {
        let server = try TestServer()
        defer { server.end() }
        let nosy = suggestion(1).replacing("}", with: #","amount":"12.34"}"#)
        try server.expectInvalid(try server.post(Self.target, nosy), [("#/amount", "unknown_field")])
        try server.expectInvalid(
            try server.post(Self.target, #"{"suggestions":[\#(suggestion(1)),{"id":"7","name":" "}]}"#),
            [("#/suggestions/1/id", "invalid_id"), ("#/suggestions/1/name", "required")])
        let names = ["Fine", " ", "line\u{2028}break", String(repeating: "é", count: 121)]
        let batch = names.enumerated().map { suggestion(UInt64($0 + 2), $1) }.joined(separator: ",")
        try server.expectInvalid(
            try server.post(Self.target, #"{"suggestions":[\#(batch)]}"#),
            [
                ("#/suggestions/1/name", "required"), ("#/suggestions/2/name", "invalid_characters"),
                ("#/suggestions/3/name", "out_of_range"),
            ])
        #expect(try server.post(Self.target, suggestion(1)).text == #"{"accepted":1,"duplicates":0}"#)
    }
}
