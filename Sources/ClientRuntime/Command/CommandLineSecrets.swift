import Glibc

/// Secrets on the command line, which everybody on the machine can list.
package enum CommandLineSecrets {
    /// Overwrites a key in the process's own arguments, once they are read.
    package static func hide() {
        let arguments = unsafe CommandLine.unsafeArgv
        var isNext = false
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = unsafe arguments[index] else { return }
            let text = unsafe String(cString: argument)
            if isNext {
                unsafe self.overwrite(argument)
            } else if text.hasPrefix("--key=") {
                unsafe self.overwrite(argument + 6)
            }
            isNext = text == "--key"
        }
    }

    private static func overwrite(_ text: UnsafeMutablePointer<CChar>) {
        unsafe memset(text, Int32(UInt8(ascii: "x")), strlen(text))
    }
}
