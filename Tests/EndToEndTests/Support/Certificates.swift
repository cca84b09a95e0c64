/// Certificates made for this run, see `certificates.sh`.
enum Certificates {
    /// Its path ends with a slash.
    static let folder: String = {
        let folder = Program.directory + "end-to-end-certificates/"
        let command =
            "rm -rf '\(folder)' && mkdir '\(folder)' && bash '\(Script.folder)certificates.sh' '\(folder)'"
        let program = try? Program(["/bin/sh", "-c", "(\(command)) >/dev/null 2>&1"])
        return program?.waitForEnd() == 0 ? folder : "(openssl could not make certificates)/"
    }()

    static var authority: [String] { ["--ca", Self.folder + "ca.pem"] }
}

extension Server {
    /// With this certificate.
    static func secure(_ name: String = "localhost", _ arguments: [String] = []) async throws -> Server {
        let path = Certificates.folder + name
        return try await Server(["--tls-cert", path + ".pem", "--tls-key", path + ".key"] + arguments)
    }

    /// A person with the program that every Debian has for TLS.
    /// - Parameter hasCommands: single letters at the beginning of a line are for it; and it says more.
    func openssl(_ arguments: [String] = [], hasCommands: Bool = false) throws -> Program {
        try Program(
            ["/usr/bin/openssl", "s_client"] + (hasCommands ? [] : ["-quiet"])
                + ["-verify_return_error", "-connect", self.address]
                + ["-CAfile", Certificates.folder + "ca.pem"] + arguments)
    }

    /// Our client, with this name for the server.
    func client(as host: String, _ words: [String]) throws -> Program {
        try Program(["catrace"] + words + ["--connect", "\(host):\(self.port)"])
    }
}
