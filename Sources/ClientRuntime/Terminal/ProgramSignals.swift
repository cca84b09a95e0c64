import Glibc

/// Signals as values: they are blocked in every thread, and the main thread waits for them. So no handler
/// ever runs, and each arrives once, whatever the parent left of masks and dispositions.
package struct ProgramSignals {
    package enum Signal: Sendable {
        /// To end, and by which number.
        case end(Int32)
        /// Ctrl-Z.
        case suspend
        case resumed
        case resized
    }

    private var set = sigset_t()

    /// Before any other thread begins.
    package init() {
        unsafe sigemptyset(&self.set)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH] {
            // Started by nohup, it stays when the terminal goes.
            if number == SIGHUP, Self.isIgnored(number) { continue }
            unsafe sigaddset(&self.set, number)
            signal(number, SIG_DFL)
        }
        var mask = self.set
        // So that in the background leaving the terminal works, and reading fails instead of stopping us.
        unsafe sigaddset(&mask, SIGTTIN)
        unsafe sigaddset(&mask, SIGTTOU)
        unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
        signal(SIGPIPE, SIG_IGN)
        // An ignored or default SIGWINCH and SIGCONT would be thrown away before anyone waits for them.
        signal(SIGWINCH, ProgramSignals.pass)
        signal(SIGCONT, ProgramSignals.pass)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        // SIG_IGN is the address 1.
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    private static let pass: @convention(c) (Int32) -> Void = { _ in }

    package mutating func next() -> Signal {
        while true {
            var number: Int32 = 0
            guard unsafe sigwait(&self.set, &number) == 0 else { continue }
            switch number {
            case SIGTSTP: return .suspend
            case SIGCONT: return .resumed
            case SIGWINCH: return .resized
            default: return .end(number)
            }
        }
    }

    /// Stops this process until somebody lets it go on.
    static func stopProcess() { kill(getpid(), SIGSTOP) }
}
