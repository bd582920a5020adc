import DeviceWords
import HTML
import SubGuardDomain
import SubGuardEngine

/// A section with a form that sends the file of a backup, with its passphrase if it has one.
struct BackupFileForm {
    /// Begins the ids of the fields.
    let name: String
    let title: String
    let explanation: String
    let action: HTMLLink

    /// Why a file was refused.
    static func write(_ error: DeviceStoreError, _ visit: AppVisit, to html: inout HTMLWriter) {
        html.refusal(visit.sentence(String("\(error)".prefix(600))))
    }

    func write(_ visit: AppVisit, to html: inout HTMLWriter) {
        html.section(title) { html in
            html.add(.p, text: explanation)
            FileForm(
                visit: visit, link: action, prefix: "\(name)-", label: visit.text("File"),
                most: ImportDesk.maximumBytes, submit: visit.text("Look at it"), style: "panel stack after"
            ).write(to: &html) { html in
                visit.field(
                    "passphrase", visit.text("Passphrase, if it has one"), id: "\(name)-passphrase", value: "",
                    type: "password", to: &html)
            }
        }
    }
}
