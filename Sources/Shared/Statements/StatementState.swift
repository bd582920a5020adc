import SubGuardDomain

/// What banks write about an entry besides its amount: whether it was booked.
enum StatementState {
    /// Whether an entry was booked; nil for an unknown word.
    static func isBooked(_ text: String) -> Bool? {
        let state = TextFolding.fold(text)
        if booked.contains(state) { return true }
        if open.contains(state) { return false }
        let words = Set(state.split(separator: " ").map(String.init))
        if !words.isDisjoint(with: openWords) { return false }
        guard !words.isDisjoint(with: booked) else { return nil }
        return words.isDisjoint(with: negations)
    }

    private static func list(_ text: String) -> Set<String> {
        Set(text.split(separator: "|").map { TextFolding.fold(String($0)) })
    }

    private static let negations = list("not|nicht|non|no|niet|nie|ne|nao|ikke|inte|ei|pas")

    private static let booked = list(
        """
        booked|book|completed|complete|posted|cleared|settled|processed|executed|done|paid|approved|accepted|confirmed|\
        success|successful|succeeded|reconciled|final|gebucht|verbucht|ausgefuhrt|abgeschlossen|erledigt|bezahlt|\
        termine|terminee|comptabilise|comptabilisee|effectue|effectuee|execute|executee|valide|validee|regle|reglee|\
        enregistre|passe|passee|paye|payee|accepte|acceptee|geboekt|verwerkt|uitgevoerd|voltooid|geaccepteerd|afgerond|\
        betaald|berechnet|abgerechnet|contabilizzato|contabilizzata|eseguito|eseguita|completato|completata|registrato|\
        registrata|pagato|contabilizado|contabilizada|completado|completada|realizado|realizada|ejecutado|ejecutada|\
        liquidado|liquidada|procesado|pagado|concluido|concluida|efetuado|efetuada|processado|executado|pago|\
        zaksiegowana|zaksiegowano|zaksiegowane|zrealizowana|zrealizowane|zrealizowano|wykonana|wykonano|rozliczona|\
        rozliczone|rozliczono|zauctovano|zauctovana|provedeno|provedena|hotovo|bokford|bokfort|utford|genomford|\
        bogfort|udfort|gennemfort|utfort|gjennomfort|kirjattu|toteutunut|suoritettu|maksettu|konyvelt|teljesult|\
        teljesitett|ok|tamamlandi|onaylandi|gerceklesti|finalizat|finalizata|efectuat|executat|выполнен|выполнена|\
        выполнено|исполнен|исполнена|исполнено|проведен|проведена|проведено|завершен|завершена|завершено|успешно|\
        успешная|успешный|оплачено|виконано|проведено|успішно|ολοκληρωθηκε|ολοκληρωμενη|εκτελεσθηκε|交易成功|支付成功|\
        还款成功|退款成功|已完成|成功|完了|処理済|완료|성공|승인
        """)

    private static let open = list(
        """
        on hold|in progress|en attente|en cours|a venir|a debiter|in bearbeitung|in behandeling|en proceso|in sospeso|\
        in attesa|in elaborazione|in corso|em processamento|w trakcie|v procesu|pdng|info|\
        in process|not ok|nok|не выполнен|не выполнена|не исполнен|не исполнена|в обработке|в процессе|交易关闭|已关闭|\
        等待付款|支付失败|交易失败|失败|処理中|保留|대기|취소|실패
        """)

    private static let openWords = list(
        """
        pending|declined|reverted|failed|cancelled|canceled|refused|rejected|denied|expired|hold|held|blocked|\
        authorised|authorized|authorization|authorisation|voided|void|reversed|returned|refunded|processing|scheduled|\
        upcoming|attente|venir|refuse|refusee|annule|annulee|rejete|rejetee|expire|expiree|echoue|echouee|vorgemerkt|\
        ausstehend|abgelehnt|storniert|offen|schwebend|bearbeitung|fehlgeschlagen|zuruckgewiesen|reserviert|abgelaufen|\
        erstattet|geweigerd|behandeling|gereserveerd|geannuleerd|afgewezen|mislukt|openstaand|gestorneerd|verlopen|\
        pendiente|rechazado|rechazada|cancelado|cancelada|anulado|anulada|denegado|denegada|retenido|devuelto|devuelta|\
        caducado|sospeso|attesa|rifiutato|rifiutata|annullato|annullata|elaborazione|stornato|stornata|scaduto|\
        pendente|recusado|recusada|estornado|estornada|odrzucona|odrzucono|odrzucone|oczekujaca|oczekujace|oczekuje|\
        anulowana|anulowano|nierozliczone|nierozliczona|blokada|zamitnuto|zamitnuta|ceka|cekajici|zruseno|nezauctovano|\
        blokace|vantande|vantar|reserverad|avvisad|makulerad|avbruten|venter|afvist|reserveret|annulleret|reservert|\
        avvist|kansellert|odottaa|varattu|hylatty|peruutettu|varaus|fuggo|elutasitva|zarolt|\
        unsuccessful|failure|error|beklemede|basarisiz|iptal|reddedildi|respins|respinsa|anulat|anulata|отклонен|\
        отклонена|отклонено|отменен|отменена|отменено|ошибка|неуспешно|неуспешная|ожидает|ожидание|відхилено|\
        скасовано|очікує|εκκρεμει|εκκρεμης|απορριφθηκε|ακυρωθηκε
        """)
}
