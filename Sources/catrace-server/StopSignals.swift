import Glibc

/// SIGTERM, SIGINT, SIGHUP and SIGUSR1, waited for by the main thread: they are blocked in every thread, so no
/// handler ever runs, and whatever mask or dispositions the parent left, also as process 1, they arrive here once
/// each.
///
/// (Dispatch's signal sources have had faults on Linux, and `dispatchMain` would unblock every signal.)
struct StopSignals {
    enum Asked {
        case stop, reload, census
    }

    /// Who sent the latest of them, as the kernel says; the process is 0 when it knows none.
    struct Sender {
        var signal = ""
        var user: uid_t = 0
        var process: pid_t = 0
        /// What this process asks of itself is an act of somebody else.
        var isThisProcess: Bool { self.process == getpid() }
    }

    private(set) var sender = Sender()
    private var set = sigset_t()

    /// Before any other thread begins.
    init() {
        unsafe sigemptyset(&self.set)
        unsafe sigaddset(&self.set, SIGTERM)
        unsafe sigaddset(&self.set, SIGINT)
        unsafe sigaddset(&self.set, SIGUSR1)
        unsafe sigaddset(&self.set, SIGHUP)
        unsafe pthread_sigmask(SIG_SETMASK, &self.set, nil)
        // A shell starts background jobs with SIGINT ignored.
        signal(SIGTERM, SIG_DFL)
        signal(SIGINT, SIG_DFL)
        signal(SIGUSR1, SIG_DFL)
        signal(SIGHUP, SIG_DFL)
        signal(SIGPIPE, SIG_IGN)
        // A file that may not grow is the store's trouble, and no reason to die.
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Whether the server is asked to stop once more within so long.
    mutating func waitForStop(seconds: Int) -> Bool {
        while let asked = self.wait(seconds: seconds) { if asked == .stop { return true } }
        return false
    }

    /// Waits for one of them; nil: the time is up.
    mutating func wait(seconds: Int? = nil) -> Asked? {
        while true {
            var limit = timespec(tv_sec: seconds ?? 86_400, tv_nsec: 0)
            var information = unsafe siginfo_t()
            let signal = unsafe sigtimedwait(&self.set, &information, &limit)
            // Interrupted by a stop and its end, or it was a day.
            guard signal > 0 else {
                if errno == EAGAIN, seconds != nil { return nil }
                continue
            }
            let from = unsafe information._sifields._kill
            self.sender = Sender(signal: Self.name(signal), user: from.si_uid, process: from.si_pid)
            return switch signal {
            case SIGHUP: .reload
            case SIGUSR1: .census
            default: .stop
            }
        }
    }

    private static func name(_ signal: Int32) -> String {
        switch signal {
        case SIGHUP: "SIGHUP"
        case SIGUSR1: "SIGUSR1"
        case SIGINT: "SIGINT"
        default: "SIGTERM"
        }
    }
}
