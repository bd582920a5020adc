/// Tells names of persons from those of merchants, so that no third person is stored.
///
/// A guess by titles and common first names, for payees that no card was used with. A merchant that is called like a
/// person is not proposed; it is in the list of what was left out.
enum PersonName {
    /// - Parameters:
    ///   - words: of the payee, without the bank's words.
    ///   - text: as the file has it: a company or a web address there is no person.
    static func isPerson(_ words: [PayeeWord], in text: String) -> Bool {
        let names = words.filter { !$0.isNumber }.map(\.word)
        guard (2...4).contains(names.count), !text.contains("*"), !names.contains(where: organisations.contains) else {
            return false
        }
        if titles.contains(names[0]) || shortTitles.contains(names[0]) && names.count <= 3 {
            return !hasCompany(text)
        }
        let isFirst = firstNames.contains(names[0])
        // `DUPONT JEAN`.
        let isLast = names.count == 2 && firstNames.contains(names[1]) && !brandsToo.contains(names[1])
        return (isFirst || isLast) && !hasCompany(text)
    }

    /// Whether words begin as a person's name does: with a title, a first name or an initial.
    static func begins(_ names: ArraySlice<String>) -> Bool {
        guard let first = names.first, !names.contains(where: organisations.contains) else { return false }
        return titles.contains(first) || shortTitles.contains(first)
            || firstNames.contains(first) && !brandsToo.contains(first)
            || first.count == 1 && first != "a" && !first.utf8.allSatisfy(PayeeWord.isDigit)
    }

    /// The words before the name of a person: of `FREE MOBILE JEAN DUPONT`, the first two.
    static func prefix(_ words: [PayeeWord]) -> ArraySlice<PayeeWord> {
        let end = words.indices.dropFirst().dropLast().first { place in
            let (word, next) = (words[place].word, words[place + 1])
            return !next.isNumber && !organisations.contains(next.word)
                && (titles.contains(word) || firstNames.contains(word) && !brandsToo.contains(word))
        }
        if let end { return words[..<end] }
        // `FREE MOBILE DUPONT JEAN`.
        let isLast =
            words.count >= 3 && words.last.map { firstNames.contains($0.word) && !brandsToo.contains($0.word) } ?? false
        return isLast ? words[..<(words.count - 2)] : words[...]
    }

    private static func hasCompany(_ text: String) -> Bool {
        TextFolding.fold(String(text.prefix(80))).split(separator: " ").contains { companies.contains(String($0)) }
    }

    private static let titles = PayeeWords.set(
        """
        mme mlle mrs monsieur madame mademoiselle herr herrn frau dhr mevr mevrouw signor signora senor senora sig \
        pani hrn meneer
        """)
    /// Letters that begin other names too.
    private static let shortTitles = PayeeWords.set("m mr ms hr fr mw sr sra")
    private static let companies = PayeeWords.set(
        """
        sa sas sasu sarl eurl gmbh ag ltd limited llc inc bv nv ab oy plc spa srl kg ohg ug ev scop sc snc ek \
        com net org io app co fr de nl be ch es it uk eu tv ai
        """)
    /// Words of merchants, clubs and services.
    private static let organisations = PayeeWords.set(
        """
        studio school ecole academie academy fitness gym club verein stiftung foundation fondation media verlag shop \
        store boutique energie energy strom gas eau water versicherung versicherungen mutuelle assurance assurances \
        insurance bank banque telecom mobile music musik musique radio online digital group groupe service services \
        consulting restaurant cafe bakery boulangerie pharmacie apotheke pharmacy clinic praxis cabinet dental \
        coaching yoga tanzschule musikschule fahrschule kita creche university college association asso magazine press \
        presse zeitung journal news software cloud hosting premium pro plus sub subscr subscription abo membership \
        sport sports health care immobilien properties reinigung cleaning brand hotel hotels theater theatre cinema \
        kino museum market marche supermarkt supermarche optik optique garage auto parking lease leasing rental
        """)
    /// First names that are words or services too: they count only before another word.
    private static let brandsToo = PayeeWords.set(
        "max claude oscar emma alma marco victor rosa nora tom jack mia luna leo marcus grace ruby felix norton art")
    private static let firstNames = PayeeWords.set(
        """
        adam adrian agnes alain alan alba albert alberto alejandro aleksandra alena alessandro alessia alex alexander \
        alexandra alexandre alfred alice alicia alison alma amelie amina ana anais anders andre andrea andreas andrew \
        andrzej angela angelika anja anke ann anna anne annette annie antje antoine anton antonia antonio arnaud art \
        arthur astrid audrey aurelie axel barbara bart bastian beata beate beatrice ben benjamin benoit bernadette \
        bernard bernd bert birgit bjorn bo bob brigitte bruno camille carl carla carlo carlos carmen carole caroline \
        catherine cecile celine charles charlotte chiara chloe chris christa christian christiane christina christine \
        christoph christophe claire clara claude claudia claudine clemens colette coralie cornelia cristina damien dan \
        daniel daniela daniele david deborah denis denise didier diego dieter dirk dominique dorothee edith eduard \
        edward elena elisa elisabeth elise elizabeth elke ella ellen emil emilie emily emma enrico eric erik erika \
        ernst esther etienne eva evelyne fabian fabien fabio fabrice fatima federico felix fernando filip flora \
        florence florian francesca francesco francine francis francisco franck francois francoise frank franz fred \
        frederic frederique friedrich fritz gabriel gabriele gaelle georg george georges gerard gerda gerhard \
        ghislaine giorgio giovanni gilles gisela giulia giuseppe gordon grace greg grzegorz gudrun guillaume gunter \
        gustav guy hanna hannah hannes hans harald harry heidi heike heiko heinrich heinz helen helena helene helga \
        helmut hendrik henri henrik henry herbert hermann herve holger horst hubert hugo ian ibrahim ilona ilse ines \
        inge ingeborg ingrid irena irene iris isabel isabelle ivan jack jacek jacob jacqueline jacques jakob jakub \
        james jan jana jane janine jasmin javier jean jeanne jeff jennifer jens jeremy jerome jesper jessica joachim \
        joan joanna joao jochen joel joelle johan johann johanna john jonas jonathan joop jorg jorge jose josef joseph \
        josephine juan julia julian julie julien jurgen justine jutta kai karen karin karine karl karla karsten \
        katarzyna katharina kathleen kathrin katja katrin kees kevin kim klaus konrad kristin kristina krystyna \
        krzysztof kurt lara lars laura laure laurence laurent lea lena leo leon leonie lieselotte lina linda lisa loic \
        lothar louis louise luc luca lucas lucia lucie lucien ludwig luigi luis luisa lukas luna lydia lynn maarten \
        magali magdalena malgorzata manfred manon manuel manuela marc marcel marcin marco marcus mareike margaret \
        margarete margaux margot maria marianne marie marina mario marion marius marjorie mark markus marlene marta \
        martha martin martina martine mary mateo mathias mathieu mathilde matteo matthew matthias matthieu maurice max \
        maxime mehmet melanie melissa mia michael michel michele micheline michelle miguel mike mikael mila mireille \
        miriam mohamed mohammed monika monique moritz muriel mustafa myriam nadia nadine natalia natalie nathalie \
        nathan niels nicholas nick nico nicola nicolas nicole niklas nils nina noah noemie nora norbert odile olga \
        oliver olivia olivier oscar oskar otto pablo paola paolo pascal pascale patricia patrick patrik paul paula \
        pauline pawel pedro peggy peter petra philip philipp philippe pia pierre pieter piotr quentin rachel rafael \
        raimund rainer ralf ralph raphael raymond rebecca regina regine reinhard remi renate rene ricardo richard rita \
        robert roberto robin roger roland rolf romain roman rosa rose rosemarie roswitha ruby rudolf ruth ryan sabine \
        sabrina salvatore sam samuel sandra sandrine sara sarah sascha sebastian sebastien serge sergio severine \
        sigrid silke silvia simon simona simone sofia solange sonia sonja sophia sophie stanislas stefan stefania \
        stefanie stefano steffen stephan stephane stephanie stephen steve steven stuart susan susanne suzanne svantje \
        sven sylvain sylvia sylvie tania tanja tatjana theo theodor theresa therese thibault thierry thijs thomas \
        thorsten tim timo tina tobias tom tomas tomasz tony torsten udo ulf uli ulrich ulrike ursula ute uwe valentin \
        valerie vanessa vera verena veronika veronique victor victoria viktor vincent virginie volker walter waltraud \
        werner wilfried wilhelm willem william wim wolfgang xavier yann yannick yasmin yolande yves yvette yvonne zoe
        """)
}
