import HTML
import Testing

@Suite struct FormTests {
    private func read(_ body: String, limits: FormLimits = FormLimits()) throws -> [String] {
        try FormFields(urlencoded: Array(body.utf8), limits: limits).fields.map { "\($0.name)=\($0.value)" }
    }

    private func multipart(_ parts: [String], boundary: String = "x", end: String = "--x--\r\n") throws -> MultipartForm
    {
        let body = parts.map { "--\(boundary)\r\n\($0)\r\n" }.joined() + end
        return try MultipartForm(Array(body.utf8), boundary: boundary)
    }

    private static let note = "Content-Disposition: form-data; name=\"note\"\r\n\r\n"
    /// More than may stand in a row.
    private static let flags = String(repeating: "🇫🇷", count: 33)

    @Test(arguments: [
        ("fr, en;q=0.8", "fr"), ("en;q=0.5, fr-CH;q=0.7", "fr"), ("de, *", nil), ("fr\u{301}, en", "en"),
        ("e" + String(repeating: "\u{301}\u{323}", count: 400_000) + ", fr", nil),
    ])
    func prefersALanguage(_ field: String, _ language: String?) {
        #expect(AcceptedLanguage.preferred(field, of: ["en", "fr"]) == language)
    }

    // MARK: URL-encoded

    @Test func readsFieldsInOrder() throws {
        #expect(try read("") == [])
        #expect(try read("a=1&b=&a=%C3%A9+%26") == ["a=1", "b=", "a=é &"])
        let form = try FormFields(urlencoded: Array("a=1&b=2&a=3&c=4&c=5".utf8))
        #expect(form["a"] == "1" && form["x"] == nil && form.values("a") == ["1", "3"])
    }

    @Test func endsLinesWithALineFeed() throws {
        #expect(try read("t=a%0D%0Ab%0Dc%0Ad%0D%0D%0A") == ["t=a\nb\nc\nd\n\n"])
    }

    @Test(arguments: ["a", "a=1&", "&a=1", "=1", "a=%", "a=%4", "a=%zz", "a=%00", "a=%C3", "%=1"])
    func refusesOtherSyntax(_ body: String) {
        #expect(throws: FormError.self) { try read(body) }
    }

    @Test func refusesMoreThanItsLimits() throws {
        var limits = FormLimits()
        limits.fields = 2
        limits.nameBytes = 3
        limits.valueBytes = 4
        #expect(try read("abc=1234&b=", limits: limits).count == 2)
        for body in ["a=&b=&c=", "abcd=1", "a=12345", "a=%C3%A9%C3%A9e"] {
            #expect(throws: FormError.self) { try read(body, limits: limits) }
        }
    }

    // MARK: Multipart

    @Test func readsTextsAndFiles() throws {
        let form = try multipart([
            Self.note + "one\r\ntwo",
            """
            Content-Disposition: form-data; name="logo"; filename="a%22b.png"\r\nContent-Type: image/png\r\n\r\n\
            \u{1}\r\n--y
            """,
        ])
        #expect(form.texts == FormFields([FormFields.Field(name: "note", value: "one\ntwo")]))
        let file = try #require(form.files.first)
        #expect(file.name == "logo" && file.fileName == "a\"b.png" && file.contentType == "image/png")
        #expect(file.content == Array("\u{1}\r\n--y".utf8))
        #expect(try multipart([]).texts.fields.isEmpty)
    }

    @Test(arguments: [
        "", "--x", "x", "--x--\r\nmore", "--x\r\n\(note)never ends", "\r\n--x\r\n\(note)a\r\n--x--",
        "--x\r\n\r\na\r\n--x--", "--x\r\nContent-Disposition: form-data\r\n\r\na\r\n--x--",
        "--x\r\nContent-Disposition: form-data; name=\"\"\r\n\r\na\r\n--x--",
        "--x\r\nX-Other: 1\r\n\(note)a\r\n--x--", "--x\n\(note)a\n--x--", "--x\r\n\(note)\0\r\n--x--",
        "--x\r\n\(note.dropLast(2))\(note)a\r\n--x--",
        "--x\r\nContent-Disposition: form-data; name=\"a\"; other=\"b\"\r\n\r\na\r\n--x--",
        "--x\r\nContent-Disposition: form-data; name=\"a\"; filename=\"\(flags)\"\r\n\r\na\r\n--x--",
        "--x\r\n\(note)\(flags)\r\n--x--",
    ])
    func refusesOtherBodies(_ body: String) {
        #expect(throws: FormError.self) { try MultipartForm(Array(body.utf8), boundary: "x") }
    }

    @Test func refusesTooManyPartsAndTooLargeFiles() {
        var limits = FormLimits()
        limits.fields = 1
        limits.fileBytes = 2
        let two = Array("--x\r\n\(Self.note)a\r\n--x\r\n\(Self.note)b\r\n--x--".utf8)
        let large = Array(
            "--x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n\r\nabc\r\n--x--".utf8)
        for body in [two, large] {
            #expect(throws: FormError.self) { try MultipartForm(body, boundary: "x", limits: limits) }
        }
    }

    @Test func findsTheBoundary() {
        #expect(MultipartForm.boundary(inMediaType: "multipart/form-data; boundary=----WebKit7") == "----WebKit7")
        #expect(MultipartForm.boundary(inMediaType: "Multipart/Form-Data;charset=utf-8; Boundary=\"a b\"") == "a b")
        for type in [
            "", "text/plain; boundary=x", "multipart/form-data", "multipart/form-data; boundary=",
            "multipart/form-data; boundary=a; boundary=b", "multipart/form-data; boundary=a\"b",
            "multipart/form-data; boundary=" + String(repeating: "x", count: 71),
        ] {
            #expect(MultipartForm.boundary(inMediaType: type) == nil, "\(type)")
        }
    }
}
