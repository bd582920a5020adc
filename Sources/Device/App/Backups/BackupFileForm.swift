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
        html.add(
            .p, .class("notice bad"), .role("alert"), .tabindex(-1), .data("focus"),
            text: visit.sentence(String("\(error)".prefix(600))))
    }

    func write(_ visit: AppVisit, to html: inout HTMLWriter) {
        html.add(.section, .class("section")) { html in
            html.add(.h2, text: title)
            html.add(.p, text: explanation)
            html.add(
                .form, .methodPost, .multipart, .action(action), .class("panel stack after"), .data("drop"),
                .data("most", "\(ImportDesk.maximumBytes)"),
                .data("too-large", visit.sentence("The file is larger than \(ImportDesk.maximumBytes >> 20) MB."))
            ) { html in
                html.add(.div, .class("fields")) { html in
                    html.add(.div, .class("field")) { html in
                        html.add(.label, .for("\(name)-file"), text: visit.text("File"))
                        html.add(.input, .type("file"), .id("\(name)-file"), .name("file"), .required)
                    }
                    html.add(.div, .class("field")) { html in
                        html.add(.label, .for("\(name)-passphrase"), text: visit.text("Passphrase, if it has one"))
                        html.add(
                            .input, .type("password"), .id("\(name)-passphrase"), .name("passphrase"),
                            .autocomplete("off"))
                    }
                }
                html.add(.button, .type("submit"), text: visit.text("Look at it"))
            }
        }
    }
}
