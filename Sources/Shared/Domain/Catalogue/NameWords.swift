import Foundation

/// The words of a name, and which of them tell the service: `Le Monde abonnement`, `netflix.com`, `Spotify Family` and
/// `iCloud 200 Go` are `monde`, `netflix`, `spotify` and `icloud`.
package struct NameWords: Sendable {
    /// Folded words that tell the service, in their order; all words, if none does.
    package let essential: [String]
    /// Plans, one word for all languages: `family` for `famille`.
    package let plans: Set<String>
    /// ISO 3166 codes in lower case.
    package let countries: Set<String>
    /// The folded letters of the whole name without blanks, 60 at most.
    package let letters: [UInt16]
    /// The letters of ``essential``.
    package let essentialLetters: [UInt16]

    package init(_ name: String) {
        let folded = TextFolding.fold(name)
        letters = Self.letters(of: folded)
        let words = TextFolding.fold(Self.cleaned(name)).split(separator: " ").map(String.init)
        var (essential, plans, countries): ([String], Set<String>, Set<String>) = ([], [], [])
        for (place, word) in words.enumerated() {
            let isLast = place == words.count - 1
            if let country = Self.countryCodes[word], place > 0, isLast || word.utf8.count > 2 {
                countries.insert(country)
            } else if Self.articles.contains(word) {
                continue
            } else if essential.isEmpty {
                // Whatever comes first is the name: `Plus`, `Business Insider`. A subscription to it is not.
                if Self.leads.contains(word) || PayeeWords.webWords.contains(word) { continue }
                essential.append(contentsOf: Self.split(word, &plans, &countries))
            } else if let plan = Self.planNames[word] {
                plans.insert(plan)
            } else if !Self.isFiller(word), !Self.isQuantity(word, before: isLast ? nil : words[place + 1]) {
                if Self.units.contains(word), Self.isNumber(words[place - 1]) { continue }
                essential.append(contentsOf: Self.split(word, &plans, &countries))
            }
        }
        if essential.isEmpty { essential = words.isEmpty ? [folded] : words }
        (self.essential, self.plans, self.countries) = (essential, plans, countries)
        essentialLetters = Self.letters(of: essential.joined())
    }

    /// Whether no essential word tells a service: `mutuelle`, `Électricité de France`.
    package var isDescription: Bool { essential.allSatisfy(Self.descriptions.contains) }

    /// The essential words without those that only say what the service does: `octopus` of `Octopus Energy`.
    package var core: [String] {
        essential.enumerated().filter { $0.offset == 0 || !Self.descriptions.contains($0.element) }.map(\.element)
    }

    /// Whether a folded word is too common to tell a service, also as the first word of a name.
    static func isCommon(_ word: String) -> Bool {
        articles.contains(word) || leads.contains(word) || planNames[word] != nil || descriptions.contains(word)
    }

    /// The ISO 3166 code of a country in lower case by its folded name or code.
    package static func country(_ word: String) -> String? { countryCodes[word] }

    static func letters(of folded: String) -> [UInt16] { Array(folded.utf16.lazy.filter { $0 != 0x20 }.prefix(60)) }

    /// Without prices, such as `9,99` and `12.49€`, and without the ends of domains that are words too: `claude.ai`.
    private static func cleaned(_ name: String) -> String {
        guard name.contains(where: { $0.isNumber || $0 == "." }) else { return name }
        return name.split(whereSeparator: \.isWhitespace).compactMap { token in
            let rest = token.filter { !$0.isNumber }
            if rest != token, !rest.isEmpty, rest.allSatisfy({ ".,".contains($0) || $0.isCurrencySymbol }) {
                return nil
            }
            guard let dot = token.lastIndex(of: "."), dot > token.startIndex,
                domainEnds.contains(token[token.index(after: dot)...].lowercased())
            else { return String(token) }
            return String(token[..<dot])
        }.joined(separator: " ")
    }

    private static let domainEnds = PayeeWords.set("ai so gg tv me")

    /// A word without a plan or country that is written together with it: `spotifyfamily`.
    private static func split(_ word: String, _ plans: inout Set<String>, _ countries: inout Set<String>) -> [String] {
        guard word.utf8.count >= 8, let end = suffixes.first(where: word.hasSuffix) else { return [word] }
        let stem = String(word.dropLast(end.count))
        guard stem.utf8.count >= 4 else { return [word] }
        if let plan = planNames[end] { plans.insert(plan) }
        if let country = countryCodes[end] { countries.insert(country) }
        return [stem]
    }

    static func isNumber(_ word: String) -> Bool { word.utf8.allSatisfy(PayeeWord.isDigit) }

    /// A number with a unit, or a year.
    private static func isQuantity(_ word: String, before next: String?) -> Bool {
        let digits = word.prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty else { return false }
        if digits.count == word.count { return next.map { units.contains($0) } ?? false || digits.count > 3 }
        return units.contains(String(word.dropFirst(digits.count)))
    }

    private static func isFiller(_ word: String) -> Bool {
        leads.contains(word) || fillers.contains(word) || PayeeWords.noise.contains(word)
    }

    private static let articles = PayeeWords.set(
        "the a le la les l un une der die das de du des d el los las il lo my mon ma mes mein meine mi and et und y")
    /// Before a name as well as after it.
    private static let leads = PayeeWords.set(
        """
        abonnement abonnements abo abos subscription subscriptions subscr membership abonnemang abbonamento \
        suscripcion assinatura forfait offre formule plan mitgliedschaft inscription
        """)
    private static let fillers = PayeeWords.set(
        """
        plus avec with mit sans without pub pubs publicite ads ad hd uhd 4k republic annuels digital numerique \
        partage extension option options renouvellement renewal auto
        """)
    private static let units = PayeeWords.set(
        "go gb to tb mo mb gigas giga tera ko h heures heure min mois month months an ans jours jour days users profils"
    )
    /// What the service does; names have these words or lack them.
    private static let descriptions = PayeeWords.set(
        """
        energy energie energies energia telecom telekom insurance assurance assurances versicherung seguros mutuelle \
        bank banque banca magazine journal fitness zeitung electricite electricity strom gaz gas eau water
        """)
    /// Written together with a name by people.
    private static let suffixes = ["abonnement", "premium", "famille", "family", "france", "plus"]

    /// The first word of each line stands for all.
    private static let planNames = table(
        """
        premium
        pro professional professionnel profi
        basic basique base
        standard
        family famille familial familiale familie familles families
        duo
        solo individual individuel individuelle single perso personnel personal
        student etudiant etudiants students estudiante studenten
        young jeune jeunes
        unlimited illimite illimitee
        ultra
        ultimate
        extra
        metal
        gold
        silver
        platinum platine
        business entreprise enterprise
        team teams equipes
        advanced
        essential essentiel essentials
        starter
        lite light
        deluxe
        max
        vip
        yearly annuel annuelle annual jahrlich
        """)
    private static let countryCodes = table(
        """
        fr france frankreich francia fra
        de deutschland germany allemagne germania deu
        at osterreich oesterreich austria autriche
        ch schweiz suisse switzerland svizzera
        be belgique belgium belgie belgien bel
        nl nederland netherlands niederlande nld
        lu luxembourg luxemburg
        it italia italy italie italien ita
        es espana spain espagne spanien esp
        pt portugal prt
        gb uk britain gbr
        ie ireland irlande irl
        se sverige sweden suede swe
        no norge norway norvege
        dk danmark denmark danemark
        fi suomi finland
        pl polska poland pologne
        cz czech cesko
        gr greece grece
        us usa america
        ca canada
        """)

    private static func table(_ lines: String) -> [String: String] {
        var names: [String: String] = [:]
        for line in lines.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            for word in words { names[word] = words[0] }
        }
        return names
    }
}
