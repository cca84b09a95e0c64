import WireProtocol

/// The first words to a text user.
enum Greeting {
    static let line = "hello server=catrace version=\(Preface.version)\n"
    static let notes = """
        # Welcome to Cat Race. Say who you are:    name ann
        # then race against the computer:          play bots=1
        # or against whoever comes:                play
        # All verbs, with what they do:            help

        """
}
