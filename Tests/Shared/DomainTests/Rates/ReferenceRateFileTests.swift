import SubGuardDomain
import Testing

@Suite struct ReferenceRateFileTests {
    private func rates(_ text: String) throws -> [String] {
        try ReferenceRateFile.csv(Array(text.utf8)).map { "\($0.on.iso) \($0.currency.code) \($0.rate.decimal)" }
    }

    private func faults(_ text: String) -> [String] {
        do {
            _ = try ReferenceRateFile.csv(Array(text.utf8))
            return []
        } catch {
            return error.map { "\($0.pointer) \($0.code.rawValue)" }
        }
    }

    /// Sixteen megabytes of separators would be hundreds of megabytes of cells.
    @Test(arguments: [UInt8(ascii: ","), 0x0A])
    func separatorsAreCountedBeforeTheyAreRead(_ separator: UInt8) {
        let bytes = Array("Date,USD\n2026-11-27,".utf8) + [UInt8](repeating: separator, count: 2_000_000)
        #expect(throws: FaultList.self) { try ReferenceRateFile.csv(bytes) }
    }

    @Test func history() throws {
        let text = """
            Date,USD,JPY,HRK,RUB,
            2026-11-20,1.0823,157.25,N/A,N/A,
            2022-03-01,1.1162,128.28,7.5735,117.201,

            """
        #expect(
            try rates(text) == [
                "2026-11-20 USD 1.0823", "2026-11-20 JPY 157.25", "2022-03-01 USD 1.1162", "2022-03-01 JPY 128.28",
                "2022-03-01 RUB 117.201",
            ])
    }

    @Test func daily() throws {
        #expect(
            try rates("Date, USD, JPY, \n20 November 2026, 1.0823, 157.25, \n")
                == ["2026-11-20 USD 1.0823", "2026-11-20 JPY 157.25"])
    }

    /// Two columns of a currency would give it two rates a day. The first file is what fuzzing found.
    @Test func aCurrencyHasOneColumn() throws {
        let found = "Date,USD,JPYe,USD,JPY,XXX,\n2099-11-20,1.0823,162026-11-19,1.08,,1,\n"
        #expect(faults(found) == ["line 1 duplicate"])
        #expect(faults("Date,USD,JPY, USD,\n2026-11-20,1.08,157.25,,\n") == ["line 1 duplicate"])
        // Currencies that are not read may stand there as often as they like.
        #expect(try rates("Date,XXX,USD,XXX,\n2026-11-20,1,1.08,2,\n") == ["2026-11-20 USD 1.08"])
    }

    @Test func theEuroHasNoRate() throws {
        #expect(try rates("Date,EUR,USD,\n2026-11-20,2,1.08,\n") == ["2026-11-20 USD 1.08"])
        let cubes = """
            <Cube><Cube time='2026-11-20'><Cube currency='EUR' rate='2'/>\
            <Cube currency='USD' rate='1.08'/></Cube></Cube>
            """
        #expect(try ReferenceRateFile.xml(Array(cubes.utf8)).map(\.currency.code) == ["USD"])
    }

    @Test func damaged() {
        #expect(faults("") == ["file required"])
        #expect(faults("<html>busy</html>") == ["file invalid_format"])
        #expect(faults("Date,USD,\n") == ["file required"])
        #expect(faults("Date,USD,JPY,\n2026-11-20,1.08,157.25,\n2026-11-19,1.0") == ["line 3 wrong_field_count"])
        #expect(
            faults("Date,USD,\n2026-02-30,1.08,\n2026-11-19,x,\n") == ["line 2 invalid_day", "line 3 invalid_amount"])
        #expect(faults("Date,USD,\n2026-11-20,1.08,\n2026-11-20,1.09,\n") == ["line 3 duplicate"])
        #expect(faults("Date,USD,\n2026-11-20,-1.08,\n") == ["line 2 invalid_amount"])
        #expect(faults("Date,USD,\n2026-11-20,\"1.08,\n") == ["line 2 unterminated_quote"])
    }
}
