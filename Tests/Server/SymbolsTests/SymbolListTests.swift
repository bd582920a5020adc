import SubGuardDomain
import Symbols
import Testing

@Suite struct SymbolListTests {
    private func read(
        _ text: String, pieces: Int = 1_000_000
    ) throws -> (image: SymbolListReader.Image, symbols: [ImageSymbol]) {
        var reader = SymbolListReader()
        var symbols: [ImageSymbol] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            try reader.take(bytes[start..<min(start + pieces, bytes.count)]) { symbols.append($0) }
        }
        try reader.finish { symbols.append($0) }
        return (reader.image, symbols)
    }

    /// One program in each form that the tools print.
    @Test(arguments: [
        // GNU nm and llvm-nm.
        """
        0000000000002020 D __bss_start
                         w __cxa_finalize
                         U printf
        00000000000006b0 T main
        0000000000000640 t weigh
        """,
        // With sizes.
        """
        0000000000002020 0000000000000008 D __bss_start
                         U printf
        00000000000006b0 0000000000000031 T main
        0000000000000640 0000000000000008 t weigh
        """,
        // The portable format of llvm-nm: what is undefined has the address 0.
        """
        __bss_start D 2020 0
        __cxa_finalize w 0 0
        printf U 0 0
        main T 6b0 31
        weigh t 640 8
        """,
        // That of GNU nm.
        """
        __bss_start D 0000000000002020
        __cxa_finalize w
        printf U
        main T 00000000000006b0 0000000000000031
        weigh t 0000000000000640 0000000000000008
        """,
        "\n\nshop:\n00000000000006b0 T main\r\n0000000000000640 t weigh\r\n",
    ])
    func readsWhatNMPrints(_ text: String) throws {
        let (image, symbols) = try read(text)
        #expect(symbols.map(\.name) == ["main", "weigh"])
        #expect(symbols.map(\.address) == [0x6B0, 0x640])
        #expect(image.format == .nm)
        #expect(!image.hasUnderscores)
        #expect(image.likelyBase == 0)
    }

    @Test func readsWhatAppleNMPrints() throws {
        let text = """
            UUID: 5F3A1C9E-7B42-3D8A-9C01-2E4F6A8B0D13 (arm64) build/My App.app/My App
            0000000100000000 T __mh_execute_header
            0000000100003f50 T _main
            0000000100003e10 t _$s4Shop5totalyS2iF
            0000000100003d00 t -[Cart addItem:count:]
            0000000100008000 D _counter
                             U _printf
            """
        let (image, symbols) = try read(text)
        #expect(image.debugID == "5F3A1C9E-7B42-3D8A-9C01-2E4F6A8B0D13")
        #expect(image.architecture == "arm64")
        #expect(image.name == "My App")
        #expect(image.likelyBase == 0x1_0000_0000)
        #expect(image.hasUnderscores)
        #expect(symbols.map(\.name) == ["_main", "_$s4Shop5totalyS2iF", "-[Cart addItem:count:]"])
    }

    @Test func readsApplesSections() throws {
        let text = """
            0000000100000000 (__TEXT,__text) [referenced dynamically] external __mh_execute_header
            0000000100003f50 (__TEXT,__text) external _main
            0000000100003e10 (__TEXT,__text) non-external (was a private external) _weigh
            0000000100003000 (__TEXT,__text) non-external [cold func] -[Cart total]
            0000000100007000 (__TEXT,__const) non-external _table
            0000000100008000 (__DATA,__data) external _counter
                             (undefined) external _printf (from libSystem)
            """
        #expect(try read(text).symbols.map(\.name) == ["_main", "_weigh", "-[Cart total]"])
    }

    /// A library without a header's symbol begins at 0; an executable where Apple's linker puts it.
    @Test(arguments: [
        ("0000000000003f50 T _main\n", 0 as UInt64), ("0000000100003f50 T _main\n", 0x1_0000_0000),
        ("0000000000400000 T __executable_start\n0000000000401136 T main\n", 0x40_0000),
    ])
    func findsTheBase(_ text: String, _ base: UInt64) throws {
        #expect(try read(text).image.likelyBase == base)
    }

    @Test func readsAnswersOfATOS() throws {
        let text = """
            0x100003f50 main (in Shop) (main.swift:12)
            0x100003e24 Cart.total() (in Shop) + 20
            """
        let (image, symbols) = try read(text)
        #expect(image.format == .atos)
        #expect(!image.hasUnderscores)
        #expect(symbols[0].line(at: 0x1_0000_3F50)?.number == 12)
        #expect(symbols[0].line(at: 0x1_0000_3F50)?.file == "main.swift")
        #expect(symbols[1].address == 0x1_0000_3E10)
        #expect(symbols[1].contains(0x1_0000_3E24))
        #expect(!symbols[1].contains(0x1_0000_3E25))
    }

    @Test func readsBreakpad() throws {
        let text = """
            MODULE mac arm64 5F3A1C9E7B423D8A9C012E4F6A8B0D130 Shop
            INFO CODE_ID 5F3A1C9E7B423D8A9C012E4F6A8B0D13
            FILE 0 /Users/builder/Shop/Cart.swift
            FILE 7 /Users/builder/Shop/Präfix & Co.swift
            INLINE_ORIGIN 0 weigh
            FUNC 3e10 2c 0 Cart.total() -> Int
            INLINE 0 14 0 0 3e18 8
            3e10 8 12 0
            3e18 24 3 7
            FUNC m 3f50 10 0 main
            3f50 10 40 0
            PUBLIC 4000 0 objc_msgSend
            STACK CFI INIT 3e10 2c .cfa: $rsp 8 +
            """
        for size in [1, 7, 100_000] {
            let (image, symbols) = try read(text, pieces: size)
            #expect(image.debugID == "5F3A1C9E7B423D8A9C012E4F6A8B0D130")
            #expect(image.architecture == "arm64")
            #expect(image.format == .breakpad)
            #expect(symbols.map(\.name) == ["Cart.total() -> Int", "main", "objc_msgSend"])
            #expect(symbols[0].line(at: 0x3E17)?.number == 12)
            #expect(symbols[0].line(at: 0x3E3B)?.file == "Präfix & Co.swift")
            #expect(symbols[0].line(at: 0x3E3C) == nil)
            #expect(symbols[2].size == 0)
        }
    }

    @Test(arguments: [
        ("", SymbolListError.noFunctions),
        ("                 U printf\n", .noFunctions),
        ("<html>\n", .unknownLine(1)),
        ("00000000000006b0 T main\nnonsense here\n", .unknownLine(2)),
        ("fffffffffffffff0 T main\n", .badAddress(1)),
        ("0xffffffffffffffff main (in App) + 18446744073709551615\n", .badAddress(1)),
        ("App (for architecture x86_64):\n00000000000006b0 T _a\nApp (for architecture arm64):\n", .severalImages(3)),
        ("MODULE Linux x86_64 \(String(repeating: "A", count: 33)) a\nFUNC zz 1 0 a\n", .unknownLine(2)),
        ("MODULE Linux x86_64 \(String(repeating: "A", count: 33)) a\nFUNC 10 1 0\n", .unknownLine(2)),
        ("00000000000006b0 T main\n00000000000006c0 T \(String(repeating: "\u{1F1E6}", count: 65))\n", .longRun(2)),
        ("0x6b0 f (in A) (\(String(repeating: "\u{1F1E6}", count: 65)):12)\n", .longRun(1)),
    ])
    func refuses(_ text: String, _ error: SymbolListError) {
        #expect(throws: error) { try read(text) }
    }

    /// A name stands beside each line of a function, so a short list could become a long page.
    @Test func boundsWhatLinesTake() throws {
        var list = "MODULE mac arm64 \(String(repeating: "A", count: 33)) a\n"
        list += "FILE 0 /a/\(String(repeating: "f", count: 60_000))\nFUNC 0 fffff 0 f\n"
        for number in 1...20_000 { list += "\(String(number, radix: 16)) 1 \(number) 0\n" }
        let symbols = try read(list).symbols
        #expect(symbols[0].lines.count == 10_000)
        #expect(symbols[0].lines[0].file.utf8.count == 200)
        #expect(SymbolPage.write(symbols).map(\.bytes.count).max() ?? 0 < 4 << 20)
    }

    @Test func boundsLines() {
        let long = String(repeating: "a", count: SymbolListReader.longestLine + 1)
        #expect(throws: SymbolListError.longLine(1, maximumBytes: SymbolListReader.longestLine)) { try read(long) }
        #expect(throws: SymbolListError.longLine(1, maximumBytes: SymbolListReader.longestLine)) {
            try read(long, pieces: 1000)
        }
    }

    @Test func namesWithBlanksAreWhole() throws {
        let name = "Shop::total(int, char const*) const"
        #expect(try read("00000000000006b0 T \(name)\n").symbols == [ImageSymbol(address: 0x6B0, name: name)])
        #expect(try read("\(name) T 6b0 31\n").symbols == [ImageSymbol(address: 0x6B0, size: 0x31, name: name)])
    }
}

@Suite struct SymbolPageTests {
    private func find(_ address: UInt64, in symbols: [ImageSymbol]) -> ImageSymbol? {
        let pages = SymbolPage.write(symbols)
        let page = pages.last { $0.first <= address }
        return page.flatMap { SymbolPage.symbol(at: address, in: $0.bytes) }
    }

    @Test func findsEachOfManyFunctions() {
        let symbols = (0..<5_000).map { (number: Int) -> ImageSymbol in
            let address = UInt64(0x1000 + number * 16)
            let lines = [
                ImageSymbol.Line(address: address, size: 4, number: 7, file: "a b.swift"),
                ImageSymbol.Line(address: address + 4, size: 8, number: 9, file: ""),
            ]
            return ImageSymbol(address: address, size: 12, name: "f\(number) (\"é\") \\", lines: lines)
        }
        #expect(SymbolPage.write(symbols.shuffled()).count > 5)
        for number in stride(from: 0, to: 5_000, by: 211) {
            let address = UInt64(0x1000 + number * 16)
            let found = find(address + 5, in: symbols.shuffled())
            #expect(found?.name == symbols[number].name)
            #expect(found?.line(at: address)?.file == "a b.swift")
            #expect(found?.line(at: address + 5)?.number == 9)
            #expect(found?.contains(address + 11) == true)
            #expect(found?.contains(address + 12) == false)
        }
        #expect(find(0xFFF, in: symbols) == nil)
    }

    /// A name with a size, then a global one, then the first.
    @Test func takesOneOfSeveralNames() {
        let names = [
            ImageSymbol(address: 16, name: "weak", rank: 2), ImageSymbol(address: 16, name: "local", rank: 1),
            ImageSymbol(address: 16, name: "global"), ImageSymbol(address: 16, name: "other"),
        ]
        #expect(find(20, in: names)?.name == "global")
        #expect(find(20, in: names + [ImageSymbol(address: 16, size: 8, name: "sized", rank: 2)])?.name == "sized")
    }
}

@Suite struct SymbolNameTests {
    @Test(arguments: [
        ("_$s4Shop4CartC5totalSiyF", true, "Shop.Cart.total() -> Swift.Int"),
        ("$s4Shop4CartC5totalSiyF", false, "Shop.Cart.total() -> Swift.Int"),
        ("__ZN4shop5totalEi", true, "shop::total(int)"), ("_ZN4shop5totalEi", false, "shop::total(int)"),
        ("_main", true, "main"), ("_start", false, "_start"), ("-[Cart total]", true, "-[Cart total]"),
        ("_ZNotMangled", false, "_ZNotMangled"), ("$s", false, "$s"), ("", true, ""), ("a\u{1B}[31m", false, "a [31m"),
    ])
    func isReadable(_ name: String, _ hasUnderscore: Bool, _ readable: String) {
        #expect(SymbolName.readable(name, hasUnderscore: hasUnderscore) == readable)
    }

    /// Names that stop the libraries which read them, and names that grow to gigabytes: each stays as it is, and harms
    /// no one.
    @Test(arguments: [
        // A null pointer, and errors of the library of Swift.
        "$s4main3fooV3barfMa900_", "$s1a1bV1cSiRvs", "$ss6SIMD16V7oddHalfs5SIMD8VyxRvs",
        // References that double again and again, copies of a standard type, words of words.
        "$s1a1byySi_SitAA_" + String(repeating: "AB_ABt", count: 40) + "F",
        "$s4main1fyy" + String(repeating: "Say", count: 24) + "SaySi_S2048itG"
            + (0..<24).map { "_A" + String(UnicodeScalar(UInt8(67 + $0))) + "tG" }.joined() + "F",
        "_Z1f1A1pIS_S_E"
            + (0..<28).map { "S\(String($0, radix: 36).uppercased())_IS\($0 + 1)_S\($0 + 1)_E" }.joined(),
        // Packs in packs, in either spelling.
        "_Z1fIJ" + String(repeating: "i", count: 200) + "EEv" + String(repeating: "Dp1aIJT_", count: 6)
            + String(repeating: "EE", count: 6),
        "_Z1fII" + String(repeating: "i", count: 30) + "EEv" + String(repeating: "Dp1XIT_", count: 8) + "DpT_EEEEEEEE",
        "_Z1f" + String(repeating: "P", count: 1000) + "i",
    ])
    func hostileNamesStayAsTheyAre(_ name: String) throws {
        let demangler = Demangler(firstPause: 0)
        let readable = SymbolName.readable(name, hasUnderscore: false, by: demangler)
        #expect(readable == name.prefix(1000) || readable.utf8.count <= 1000, "\(readable)")
        // The next name is read as if nothing had been.
        #expect(SymbolName.readable("_ZN4shop5totalEi", hasUnderscore: false, by: demangler) == "shop::total(int)")
    }

    /// After a failure names stay mangled for a while, so that anyone who knows a bad one cannot keep a server busy.
    @Test func aBadNameHasAPause() {
        let demangler = Demangler(firstPause: 3600)
        let good = "_ZN4shop5totalEi"
        #expect(SymbolName.readable(good, hasUnderscore: false, by: demangler) == "shop::total(int)")
        #expect(SymbolName.readable("$s1a1bV1cSiRvs", hasUnderscore: false, by: demangler) == "$s1a1bV1cSiRvs")
        #expect(SymbolName.readable(good, hasUnderscore: false, by: demangler) == good)
        // Nor does it matter where there is no such program.
        #expect(SymbolName.readable(good, hasUnderscore: false, by: Demangler(program: "/nowhere")) == good)
    }

    @Test func isBounded() {
        #expect(SymbolName.readable(String(repeating: "é", count: 70_000), hasUnderscore: false).count == 1000)
        // Longer than anything that a compiler makes of usual code.
        let nested = "_Z1f" + String(repeating: "P", count: 4000) + "i"
        #expect(SymbolName.readable(nested, hasUnderscore: false) == nested.prefix(1000))
        #expect(
            SymbolName.readable("$s4Shop4CartC5total5timesS2i_tF", hasUnderscore: false)
                == "Shop.Cart.total(times: Swift.Int) -> Swift.Int")
    }
}
