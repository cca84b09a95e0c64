import Glibc

/// SIGTERM and SIGINT, waited for by the main thread and blocked in every thread.
struct StopSignals {
    private var set = sigset_t()

    /// Before any other thread begins.
    init() {
        unsafe sigemptyset(&self.set)
        unsafe sigaddset(&self.set, SIGTERM)
        unsafe sigaddset(&self.set, SIGINT)
        unsafe pthread_sigmask(SIG_SETMASK, &self.set, nil)
        // A shell starts background jobs with SIGINT ignored.
        signal(SIGTERM, SIG_DFL)
        signal(SIGINT, SIG_DFL)
        signal(SIGPIPE, SIG_IGN)
    }

    func wait() {
        var set = self.set
        while unsafe sigwaitinfo(&set, nil) < 0 {}
    }
}
