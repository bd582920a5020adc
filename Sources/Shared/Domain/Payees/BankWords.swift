/// Words of banks in the texts of payments beyond ``PayeeWords``, in the languages of statements.
package enum BankWords {
    /// Whether a word before the name is the bank's, wherever it stands there.
    package static func isOfBank(_ word: String) -> Bool { PayeeWords.prefixes.contains(word) || types.contains(word) }

    /// Whether a word is the bank's before a word of ``isOfBank(_:)`` or a number: `point of sale withdrawal`, but
    /// `Point P`.
    static func isBeside(_ word: String) -> Bool { beside.contains(word) || isChannel(word) || banks.contains(word) }

    /// Whether a word alone tells nothing about a payee.
    package static func saysNothing(_ word: String) -> Bool {
        isOfBank(word) || beside.contains(word) || isChannel(word) || connectors.contains(word)
            || PayeeWords.markers.contains(word) || PayeeWords.noise.contains(word) || PaymentType.isTypeWord(word)
    }

    /// `K1`, as Austrian banks number cards.
    private static func isChannel(_ word: String) -> Bool {
        word.utf8.count <= 4 && word.utf8.count >= 2 && word.utf8.first == UInt8(ascii: "k")
            && word.utf8.dropFirst().allSatisfy(PayeeWord.isDigit)
    }

    private static let types = PayeeWords.set(
        """
        withdrawal withdrawals wd preauthorized preauthorised preauth dbt crd eftpos interac purchases ecom ecomm \
        bezahlung zahlung karte kartennummer kartennr debitcard einkauf kauf kartenkauf kartenverfugung \
        basislastschrift sepabasislastschrift kartenumsatz betaling betaalpas betaalkaart debetkaart debetcard aankoop \
        kredietkaart bankkaart uur uhr tarj cartao pagamenti utilizzo platnosc karta karty platnicza \
        transakcja zakup zakupu operacja nakup platba kartou kartu inkaso cumparare cumparaturi epos cardul \
        vasarlas kartyaval kartyas tranzakcio kop kob kjop varekjop varekob dankort kortkob korttiosto osto \
        harcama alisveris upi
        """)
    private static let beside = PayeeWords.set(
        """
        point sale cheque retail authorized authorised internet online inet shopping dienstleistung misc dr cr \
        advice ict \
        external electronic mobile mc ligne commerce payee ending nr no n num nummer number numero numer numar non \
        algemeen doorlopend eenmalig bedrijven incassant naam operation elec plata dop tid terminal uzyciu uzycie \
        terminalu internetu \
        internetova internetowa tytul tyt lokalizacja adres nazwa obchodnika eur usd gbp chf sek nok dkk pln czk huf \
        ron nl ie lu differe banque banco comercio \
        auftraggeber empfanger zahlungsempfanger buchungstext merchant \
        ocio viajes supermercados restaurantes restauracion transporte moda complementos hogar compras gasolineras
        """)
    /// Before the bank's own kind of card; alone, the payee.
    static let banks = PayeeWords.set("zkb ubs bcv kbc ing bbva bnp bt bcr otp dkb fnb anz tatra")
    /// Between two words of the bank.
    static let connectors = PayeeWords.set(
        """
        of to on at by for the with and de du des le la les par avec via et en el con di del della su tramite da do no \
        na w z za przy u s cu am an vom von der die das mit per fur bei met om op het een van och og a y e i
        """)
    /// Before the day of the payment, after the name.
    static let beforeDays = PayeeWords.set("on du vom am del den dne le op om dato date")
    /// After the day of the payment: the channel.
    static let afterDays = PayeeWords.set("bcc bdc clp cpm")
}

/// Names of months in the texts of payments.
package enum MonthWords {
    /// Whether a word is a month, in full or short.
    package static func isMonth(_ word: some StringProtocol) -> Bool { names.contains(String(word)) }

    /// `23JAN`, `23JAN26`.
    static func isDay(_ word: String) -> Bool {
        guard let first = word.utf8.first, PayeeWord.isDigit(first) else { return false }
        let day = word.prefix { $0.isNumber }
        guard isDay(number: day) else { return false }
        let rest = word.dropFirst(day.count)
        let month = rest.prefix { !$0.isNumber }
        let year = rest.dropFirst(month.count)
        return isMonth(month) && (year.isEmpty || [2, 4].contains(year.count) && year.allSatisfy(\.isNumber))
    }

    /// From 1 to 31.
    static func isDay(number: some StringProtocol) -> Bool {
        number.utf8.count <= 2 && number.utf8.allSatisfy(PayeeWord.isDigit) && (1...31).contains(Int(number) ?? 0)
    }

    /// From 1970 to 2099.
    static func isYear(_ word: String) -> Bool {
        word.utf8.count == 4 && word.utf8.allSatisfy(PayeeWord.isDigit) && (1970...2099).contains(Int(word) ?? 0)
    }

    private static let names = PayeeWords.set(
        """
        jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july august september \
        october november december janv fevr fev avr mai juin juil aou janvier fevrier mars avril juillet aout \
        septembre octobre novembre decembre mrz okt dez januar februar marz juni juli oktober dezember ene abr ago dic \
        enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre gen mag giu lug set \
        ott gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre out dez janeiro fevereiro marco \
        maio junho julho setembro outubro novembro dezembro mrt mei januari februari maart augustus maj des desember \
        januar augusti kwi cze lip sie wrz paz lis gru stycznia lutego marca kwietnia maja czerwca lipca sierpnia \
        wrzesnia pazdziernika listopada grudnia ian iun iul noi
        """)
}
