"""The programs that run in front of a server and beside it, each started here and ended with its stage."""

import json
import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DOCKER = os.path.join(ROOT, "docker")
CERTIFICATES = os.path.join(ROOT, "Tests/EndToEndTests/Scripts/certificates.sh")
# For what should be so at once, on a machine however busy, in seconds.
PATIENCE = 60


class Fault(Exception):
    """What is not as it should be."""


def wait_until(what, condition, seconds=PATIENCE):
    """The first true answer of `condition`."""
    end = time.monotonic() + seconds
    while True:
        answer = condition()
        if answer:
            return answer
        if time.monotonic() > end:
            raise Fault(f"not within {seconds} s: {what}")
        time.sleep(0.1)


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def contents(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def write(text, *path):
    with open(os.path.join(*path), "w", encoding="utf-8") as file:
        file.write(text)
    return os.path.join(*path)


def adapted(text, *changes):
    """A configuration of docker/ with these places changed, each of which must be there."""
    for old, new in changes:
        if old not in text:
            raise Fault(f"a configuration no longer says '{old}', which is adapted here")
        text = text.replace(old, new)
    return text


def checked(words, given=None):
    """What a program prints that must end with 0, and soon."""
    done = subprocess.run(words, input=given, capture_output=True, text=True, timeout=PATIENCE, check=False)
    if done.returncode != 0:
        raise Fault(f"{' '.join(words)} ended with {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


class Stage:
    """A race server, HAProxy in front of it and Prometheus beside it, with the configurations of docker/."""

    def __init__(self, build, folder):
        self.build = build
        self.folder = folder
        self.running = []
        self.server = None
        self.ports = {name: free_port() for name in ("plain", "tls", "prometheus", "server", "proxied", "admin")}
        self.control = os.path.join(folder, "race.sock")
        self.authority = os.path.join(folder, "ca.pem")

    def program(self, name):
        return os.path.join(ROOT, ".build", self.build, name)

    def start(self, words, **options):
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, **options)
        self.running.append(process)
        return process

    def log(self, name):
        return open(os.path.join(self.folder, name), "a", encoding="utf-8")

    def end(self):
        """Ends all that this stage started and that still runs."""
        for process in self.running:
            if process.poll() is None:
                process.terminate()
        for process in self.running:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    # The race server, with the flags that docker/compose.yaml gives it and limits low enough to run into.

    def start_server(self):
        flags = {
            "host": "127.0.0.1", "port": self.ports["server"], "data": os.path.join(self.folder, "data"),
            "admin": f"127.0.0.1:{self.ports['admin']}", "control": self.control,
            "proxy-port": self.ports["proxied"], "proxy-from": "127.0.0.1",
            "connections-per-address": 4, "drain-seconds": 1,
        }
        words = [self.program("catrace-server"), "--cap-loopback", *(f"--{key}={flags[key]}" for key in flags)]
        with self.log("server.log") as log:
            self.server = self.start(words, stdout=subprocess.PIPE, stderr=log, text=True)
        if not self.server.stdout.readline().startswith("listening "):
            raise Fault(f"the server did not start: {contents(self.folder, 'server.log')}")

    def stop_server(self):
        self.server.send_signal(signal.SIGTERM)
        status = self.server.wait(PATIENCE)
        if status != 0:
            raise Fault(f"the server ended with {status}")

    def ctl(self, *words):
        return checked([self.program("catrace-server"), "ctl", "--control", self.control, *words])

    # HAProxy

    def start_haproxy(self):
        certificates = os.path.join(self.folder, "certificates")
        os.mkdir(certificates)
        checked(["bash", CERTIFICATES, certificates])
        with open(self.authority, "w", encoding="utf-8") as file:
            file.write(contents(certificates, "ca.pem"))
        chain = write(contents(certificates, "localhost.pem") + contents(certificates, "localhost.key"),
                      self.folder, "certificate.pem")
        os.chmod(chain, 0o600)
        configuration = write(
            adapted(contents(DOCKER, "haproxy/haproxy.cfg"),
                    ("bind :7223", f"bind 127.0.0.1:{self.ports['plain']}"),
                    ("bind :7224", f"bind 127.0.0.1:{self.ports['tls']}")),
            self.folder, "haproxy.cfg")
        environment = dict(os.environ, RACE_SERVER=f"127.0.0.1:{self.ports['proxied']}", RACE_CERTIFICATE=chain)
        program = "/usr/sbin/haproxy"
        done = subprocess.run([program, "-c", "-f", configuration], env=environment, capture_output=True, text=True,
                              timeout=PATIENCE, check=False)
        if done.returncode != 0 or "WARNING" in done.stderr:
            raise Fault(f"haproxy -c: {done.stdout}{done.stderr}")
        with self.log("haproxy.log") as log:
            started = self.start([program, "-db", "-f", configuration], env=environment, stdout=log, stderr=log)
        wait_until("HAProxy listens", lambda: started.poll() is not None or (self.listens("plain") and
                                                                             self.listens("tls")))
        if started.poll() is not None:
            raise Fault(f"HAProxy ended with {started.returncode}")

    def listens(self, port):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.ports[port])) == 0

    # Prometheus

    def check_watching(self):
        """What promtool says of the configurations and of what the server tells."""
        folder = os.path.join(DOCKER, "prometheus")
        checked(["promtool", "check", "config", os.path.join(folder, "prometheus.yml")])
        checked(["promtool", "check", "rules", os.path.join(folder, "alerts.yml")])
        checked(["promtool", "test", "rules", os.path.join(folder, "alerts.test.yml")])
        said = checked(["promtool", "check", "metrics"], given=self.get("admin", "/metrics"))
        if said.strip():
            raise Fault(f"promtool check metrics: {said}")

    def start_prometheus(self):
        folder = os.path.join(DOCKER, "prometheus")
        write(contents(folder, "alerts.yml"), self.folder, "alerts.yml")
        configuration = write(
            adapted(contents(folder, "prometheus.yml"), ("server:9100", f"127.0.0.1:{self.ports['admin']}")),
            self.folder, "prometheus.yml")
        with self.log("prometheus.log") as log:
            self.start(
                ["prometheus", f"--config.file={configuration}", "--log.level=warn",
                 f"--storage.tsdb.path={os.path.join(self.folder, 'metrics')}",
                 f"--web.listen-address=127.0.0.1:{self.ports['prometheus']}"], stdout=log, stderr=log)
        wait_until("Prometheus is ready", lambda: self.answers("/-/ready"))

    def get(self, port, path):
        # No proxy of the environment has a part in it.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"http://127.0.0.1:{self.ports[port]}{path}", timeout=PATIENCE) as answer:
            return answer.read().decode()

    def answers(self, path):
        try:
            self.get("prometheus", path)
            return True
        except (urllib.error.URLError, OSError):
            return False

    def query(self, expression):
        """The value of a series, or of the first of several; None: there is none."""
        path = "/api/v1/query?" + urllib.parse.urlencode({"query": expression})
        found = json.loads(self.get("prometheus", path))["data"]["result"]
        return float(found[0]["value"][1]) if found else None

    def alerts(self):
        """By name, `inactive`, `pending` or `firing`; each rule must be in health."""
        groups = json.loads(self.get("prometheus", "/api/v1/rules"))["data"]["groups"]
        rules = [rule for group in groups for rule in group["rules"]]
        for rule in rules:
            if rule["health"] == "err":
                raise Fault(f"the alert {rule['name']} can't be worked out: {rule['lastError']}")
        return {rule["name"]: rule["state"] for rule in rules}
