import SubGuardDomain
import SubGuardEngine

extension Session {
    /// What is to be known of a copy of the catalogue that was used although it is stale, or of another server than the
    /// one that was named.
    func note(of copy: CatalogueCopy, isOther: Bool) -> String {
        let age = age(seconds: copy.ageSeconds(at: moment.now))
        if isOther {
            let ago = age.map { text("\($0) ago", "il y a \($0)") } ?? text("just now", "à l'instant")
            return text(
                "note: the catalogue here was fetched \(ago) from another server, \(copy.server)",
                "note : le catalogue d'ici est venu \(ago) d'un autre serveur, \(copy.server)")
        }
        return age.map { text("note: the catalogue here is \($0) old", "note : le catalogue d'ici a \($0)") }
            ?? text("note: the catalogue here was fetched just now", "note : le catalogue d'ici vient d'arriver")
    }

    /// In the largest unit of which there are enough to tell; nil for less than a minute.
    private func age(seconds: Int64) -> String? {
        let (minutes, hours) = (seconds / 60, seconds / 3600)
        func count(_ number: Int64, _ english: String, _ french: String) -> String {
            "\(number) " + text(english, french) + (number == 1 ? "" : "s")
        }
        if minutes == 0 { return nil }
        if hours == 0 { return count(minutes, "minute", "minute") }
        return hours < 48 ? count(hours, "hour", "heure") : count(hours / 24, "day", "jour")
    }
}
