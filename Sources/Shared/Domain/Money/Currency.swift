/// An active ISO 4217 currency whose amounts have no, two or three decimals.
public struct Currency: Sendable, Hashable {
    /// The three letters of the code, one per byte.
    private let packedCode: UInt32
    /// Number of decimals of an amount: 0, 2 or 3.
    public let exponent: Int

    /// Finds a currency by its code in upper case; nil for anything else.
    public init?(code: String) {
        guard code.utf8.count == 3 else { return nil }
        let packed = Self.pack(code)
        guard let exponent = CurrencyTable.exponents[packed] else { return nil }
        self.init(packedCode: packed, exponent: Int(exponent))
    }

    /// Sorts by code, without making texts of both.
    public static func inOrder(_ left: Currency, _ right: Currency) -> Bool { left.packedCode < right.packedCode }

    init(packedCode: UInt32, exponent: Int) {
        self.packedCode = packedCode
        self.exponent = exponent
    }

    /// The ISO 4217 code, such as `EUR`.
    public var code: String {
        String(unsafeUninitializedCapacity: 3) { buffer in
            for index in 0..<3 { buffer[index] = UInt8(truncatingIfNeeded: packedCode >> (16 - 8 * index)) }
            return 3
        }
    }

    /// Minor units in one major unit: 1, 100 or 1000.
    public var minorUnitsPerMajorUnit: Int64 {
        switch exponent {
        case 0: 1
        case 2: 100
        default: 1000
        }
    }

    /// Every known currency, by code.
    public static let all: [Currency] = CurrencyTable.exponents
        .map { Currency(packedCode: $0.key, exponent: Int($0.value)) }
        .sorted { $0.packedCode < $1.packedCode }

    /// The euro.
    public static let eur = Currency(packedCode: pack("EUR"), exponent: 2)
    /// The US dollar.
    public static let usd = Currency(packedCode: pack("USD"), exponent: 2)
    /// The pound sterling.
    public static let gbp = Currency(packedCode: pack("GBP"), exponent: 2)
    /// The yen, which has no decimals.
    public static let jpy = Currency(packedCode: pack("JPY"), exponent: 0)

    static func pack(_ code: some StringProtocol) -> UInt32 {
        code.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    }
}

extension Currency: CustomStringConvertible {
    /// The ISO 4217 code, such as `EUR`.
    public var description: String { code }
}

/// ISO 4217, list one, as of January 2026, by number of decimals.
///
/// Excludes codes without a minor unit (metals, test codes, units of account) and the two funds codes with four
/// decimals (CLF, UYW). Includes the Bulgarian lev for charges before the country adopted the euro in January 2026.
enum CurrencyTable {
    static let exponents: [UInt32: UInt8] = {
        var table: [UInt32: UInt8] = [:]
        let lists: [(String, UInt8)] = [(withoutDecimals, 0), (withTwoDecimals, 2), (withThreeDecimals, 3)]
        for (codes, exponent) in lists {
            for code in codes.split(whereSeparator: \.isWhitespace) {
                table[Currency.pack(code)] = exponent
            }
        }
        return table
    }()

    private static let withoutDecimals = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"

    private static let withThreeDecimals = "BHD IQD JOD KWD LYD OMR TND"

    private static let withTwoDecimals = """
        AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD
        CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP
        GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT
        LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN
        NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS
        SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG
        YER ZAR ZMW ZWG
        """
}
