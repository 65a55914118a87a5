"""A Spark context for campaigns: small, quiet, and on the Java that `java.py` chose.

Whatever Spark's JVM and workers write goes to a log file, never to the user's terminal.
"""

from __future__ import annotations

import logging
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, Final, TypeVar
from zipfile import ZipFile

from evenkeel_engine.campaign.errors import CampaignUnusable
from evenkeel_engine.campaign.java import Java, choose_java
from evenkeel_engine.campaign.progress import wait_for
from evenkeel_engine.campaign.worker import Environment, set_environment
from evenkeel_engine.content import PACKAGE, VARIABLE
from evenkeel_engine.files import why_unreadable
from evenkeel_engine.stopping import Stopped
from evenkeel_engine.subjects.strays import no_strays
from evenkeel_engine.version import RECORD, find_version

T = TypeVar("T")
R = TypeVar("R")

ATTEMPTS: Final = 4
"""How often a task is tried: a worker that dies takes its task with it."""

LONGEST_SOCKET_FOLDER: Final = 60
"""A Unix socket's path has about 100 bytes, and the names of Spark's take 42 of them."""

CLOSING_SECONDS: Final = 20
"""How long the JVM may take to end."""

CONNECTING_SECONDS: Final = 5
"""How long a master may take to accept a connection."""

REGISTERING_SECONDS: Final = 40
"""How long it may then be silent: Spark waits for more than a minute."""

SUBMITTED: Final = "spark-submit"
"""Means the master that was given to `spark-submit`."""

RESTORED: Final = ("PYTHONHASHSEED", "PYTHONPATH", "PYTHONUNBUFFERED")
"""Variables that Spark changes in a worker's environment; a subject gets the originals."""

_TRACEBACK: Final = "Traceback (most recent call last):"
_LOST: Final = re.compile(r"\(TID \d+\) \(.*?\): (?:[\w.$]+: )?(.+)")
_LOCAL: Final = re.compile(r"local(\[(\*|[1-9]\d{0,3})\])?")
_STANDALONE: Final = re.compile(r"([\w.-]+|\[[\da-fA-F:.]+\]):(\d{1,5})(?=,|$)")
_CLUSTER: Final = re.compile(r"\w+://|yarn$|local-cluster\[")


@dataclass(frozen=True, slots=True)
class Spark:
    """An open Spark context.

    `cores` is how many tasks run at a time, `log` the file that Spark's own messages go to,
    `environment` what a subject's process should have instead of what Spark needs.
    """

    context: Any
    master: str
    cores: int
    java: Java
    log: Path
    environment: Environment
    process: subprocess.Popen[bytes] | None = None

    def run(
        self, work: Callable[[Iterable[Sequence[T]]], Iterator[R]], tasks: Sequence[Sequence[T]]
    ) -> list[R]:
        """Run one Spark job: `work` on each task in a worker. All results, in no set order.

        Raises `CampaignUnusable` where a task fails `ATTEMPTS` times.
        """
        if not tasks:
            return []
        with self.report_errors():
            rdd = self.context.parallelize(tasks, len(tasks))
            results: list[R] = rdd.mapPartitions(work).collect()
            return results

    def run_watched(
        self,
        work: Callable[[Iterable[Sequence[T]]], Iterator[R]],
        tasks: Sequence[Sequence[T]],
        poll: Callable[[], object] = lambda: None,
    ) -> list[R]:
        """The same in another thread: this one calls `poll` meanwhile, and can be stopped."""
        with ThreadPoolExecutor(1) as pool:
            job = pool.submit(self.run, work, tasks)
            try:
                return wait_for(job, poll)
            except (KeyboardInterrupt, Stopped):
                self.give_up()
                raise

    @contextmanager
    def report_errors(self) -> Iterator[None]:
        """Within this block what goes wrong on Spark is a `CampaignUnusable`."""
        try:
            yield
        except Exception as error:  # Py4J's and PySpark's own, and what workers raised
            what = self._jvm_end(error) or f"The workers failed: {reason_of(error)}"
            raise CampaignUnusable(f"{what} (Spark's log is {self.log})") from error

    def _jvm_end(self, error: Exception) -> str:
        """How the JVM ended, if that is the error; what it reported itself is another."""
        if self.process is None or hasattr(error, "java_exception"):
            return ""
        try:
            status = self.process.wait(1)
        except subprocess.TimeoutExpired:
            return ""
        end = f"was ended by signal {-status}" if status < 0 else f"exited with status {status}"
        return f"Spark's JVM {end}"

    def give_up(self) -> None:
        """End whatever runs, at once; the context cannot be used any more."""
        if self.process is not None:
            self.process.kill()
        else:  # a JVM of another owner
            self.context.cancelAllJobs()


@contextmanager
def open_spark(master: str, log: Path, code: bytes) -> Iterator[Spark]:
    """Start Spark on a master and give its workers our code. Raises `CampaignUnusable`.

    A session takes 4 to 9 s to start. A master that cannot be reached is named before: Spark waits
    a minute for it, and has no setting for that. `log` is appended to; `code` is the zip for the
    workers.
    """
    if not is_submitted():
        _require_reachable(master)
    if log.exists() and (why := why_unreadable(log, None)):
        raise CampaignUnusable(f"{log} {why}.")
    with (
        tempfile.TemporaryDirectory(prefix="evenkeel-", ignore_cleanup_errors=True) as folder,
        log.open("ab") as log_file,
    ):
        scratch = Path(folder)
        archive = scratch / "evenkeel-workers.zip"
        archive.write_bytes(code)
        with ZipFile(archive, "a") as workers:
            workers.writestr(f"evenkeel/{RECORD}", find_version())
        java, variables, settings = _prepare(master, scratch)
        names = (*variables, *RESTORED) if not is_submitted() and is_local(master) else ()
        environment = tuple((name, os.environ.get(name)) for name in names)
        path = list(sys.path)
        with no_strays(scratch.name), _messages_in(log):
            before = [(name, os.environ.get(name)) for name in variables]
            set_environment(variables.items())
            try:
                context, process = _start(settings, log_file, master, log)
            finally:
                set_environment(before)
            try:
                context.environment[VARIABLE] = PACKAGE  # of the workers
                try:
                    context.addPyFile(str(archive))
                    sys.path[:] = path  # PySpark puts its files first, also in this process
                    cores, on = context.defaultParallelism, str(context.master)
                except Exception as error:  # Py4J's and PySpark's own
                    raise _not_started(master, reason_of(error), log) from error
                yield Spark(context, on, cores, java, log, environment, process)
            finally:
                _stop(context, process)


def _require_reachable(master: str) -> None:
    """Raises `CampaignUnusable` where no master of a standalone cluster takes a connection."""
    why = ""
    for host, port in _STANDALONE.findall(master if master.startswith("spark://") else ""):
        try:
            with socket.create_connection((host.strip("[]"), int(port)), CONNECTING_SECONDS):
                return
        except (OSError, OverflowError) as error:
            why = str(getattr(error, "strerror", None) or error)
    if why:
        raise CampaignUnusable(f"The master {master} cannot be reached: {why}.")


def _prepare(master: str, scratch: Path) -> tuple[Java, dict[str, str | None], dict[str, str]]:
    """The Java, the variables and the settings. Under `spark-submit` all of it is set already."""
    if is_submitted():
        home = os.environ.get("JAVA_HOME", "")
        return Java(Path(home), "", "Spark was started by spark-submit."), {}, {}
    java = choose_java(scratch, os.environ)
    return java, _make_variables(master, java), _make_settings(master, scratch)


def is_submitted() -> bool:
    """Whether `spark-submit` runs this process, with a running JVM."""
    return "PYSPARK_GATEWAY_PORT" in os.environ


def is_local(master: str) -> bool:
    """Whether a master is this process. Raises `CampaignUnusable` for what can be no master."""
    if _LOCAL.fullmatch(master):
        return True
    if _CLUSTER.match(master):
        return False
    raise CampaignUnusable(
        f"There is no master {master!r}; use local[N], local[*], or a cluster's URL."
    )


def _make_settings(master: str, scratch: Path) -> dict[str, str]:
    """Spark's settings. Masters that are not local keep Spark's defaults for their executors."""
    logging = scratch / "log4j2.properties"
    logging.write_bytes(files("evenkeel_engine.campaign").joinpath(logging.name).read_bytes())
    java = f"-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dlog4j2.configurationFile={logging.as_uri()}"
    settings = {
        "spark.app.name": "evenkeel campaign",
        "spark.master": master,
        "spark.driver.extraJavaOptions": java,
        "spark.task.maxFailures": str(ATTEMPTS),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    if is_local(master):
        cores = master.removeprefix("local").strip("[]") or "1"
        settings["spark.master"] = f"local[{cores},{ATTEMPTS}]"
        settings["spark.driver.host"] = settings["spark.driver.bindAddress"] = "127.0.0.1"
        settings["spark.local.dir"] = str(scratch)
        if len(os.fsencode(scratch)) <= LONGEST_SOCKET_FOLDER:
            settings["spark.python.unix.domain.socket.enabled"] = "true"
            settings["spark.python.unix.domain.socket.dir"] = str(scratch)
    return settings


def _make_variables(master: str, java: Java) -> dict[str, str | None]:
    """The environment while Spark starts; None is unset. Workers import nothing of this folder."""
    variables: dict[str, str | None] = {"JAVA_HOME": str(java.home)}
    if is_local(master):
        if (found := find_spec("pyspark")) is None or found.origin is None:
            raise CampaignUnusable("PySpark is not installed in this Python.")
        variables |= {
            "SPARK_HOME": str(Path(found.origin).parent),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "PYSPARK_PYTHON": sys.executable,
            "PYSPARK_SUBMIT_ARGS": None,
            "PYTHONSAFEPATH": "1",
            "SPARK_CONNECT_MODE_ENABLED": None,
            "SPARK_LOCAL_DIRS": None,
            "SPARK_REMOTE": None,
        }
    elif "PYSPARK_PYTHON" not in os.environ:
        variables["PYSPARK_PYTHON"] = sys.executable
    return variables


def _start(
    settings: Mapping[str, str], log_file: IO[bytes], master: str, log: Path
) -> tuple[Any, subprocess.Popen[bytes] | None]:
    """Start the JVM and the context in it, and restore the handler of Ctrl-C."""
    try:
        from pyspark import SparkConf, SparkContext  # noqa: PLC0415 - only campaigns need it
        from pyspark.java_gateway import launch_gateway  # noqa: PLC0415 - the same
    except ImportError as error:
        raise CampaignUnusable(f"PySpark cannot be imported: {error}.") from error
    conf = SparkConf()
    for name, value in settings.items():
        conf.set(name, value)
    log_begins, interrupt = log_file.tell(), signal.getsignal(signal.SIGINT)
    gateway: Any = None
    silent = threading.Event()

    def give_up() -> None:
        silent.set()
        gateway.proc.kill()

    try:
        streams = {"stdout": log_file, "stderr": log_file}
        # PySpark gives it no types.
        gateway = launch_gateway(conf, popen_kwargs=streams)  # type: ignore[no-untyped-call]
        with ExitStack() as stack:
            if gateway.proc is not None and master.startswith("spark://"):  # no `spark-submit`
                patience = threading.Timer(REGISTERING_SECONDS, give_up)
                stack.callback(patience.cancel)
                patience.start()
            context = SparkContext(conf=conf, gateway=gateway)
        # Its thread prints a traceback when the JVM ends before the context.
        if (server := getattr(context, "_accumulatorServer", None)) is not None:
            server.handle_error = lambda *_: None
        return context, gateway.proc
    except Exception as error:  # Py4J's and PySpark's own
        reason = find_reason(log, log_begins) if gateway is None else reason_of(error)
        if gateway is not None and gateway.proc is not None:
            _end_jvm(gateway, gateway.proc)
        if silent.is_set():
            reason = f"it was silent for {REGISTERING_SECONDS} s"
        raise _not_started(master, reason, log) from error
    finally:  # PySpark takes SIGINT for itself; give it back
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, interrupt)


def _not_started(master: str, reason: str, log: Path) -> CampaignUnusable:
    return CampaignUnusable(f"Spark did not start on master {master}: {reason} (its log is {log})")


@contextmanager
def _messages_in(log: Path) -> Iterator[None]:
    """Within this block what Py4J logs on a lost JVM goes into this file, not to the terminal."""
    handler = logging.FileHandler(log, encoding="utf-8", delay=True)
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)
        handler.close()
        # Objects of a JVM that has ended are let go of later, which would be logged, too.
        logging.getLogger("py4j").addHandler(logging.NullHandler())


def _stop(context: Any, process: subprocess.Popen[bytes] | None) -> None:
    """Stop the context and its JVM, so that another can be started."""
    gateway = context._gateway
    with suppress(Exception):  # the JVM may have died; what is left is to reap it
        context.stop()
    if process is not None:  # else it is its owner's
        _end_jvm(gateway, process)


def _end_jvm(gateway: Any, process: subprocess.Popen[bytes]) -> None:
    from pyspark import SparkContext  # noqa: PLC0415 - only campaigns need it

    with suppress(Exception):  # it may have ended already
        gateway.shutdown()
    SparkContext._gateway = SparkContext._jvm = None
    if process.stdin is not None:
        with suppress(OSError):
            process.stdin.close()
    try:
        process.wait(CLOSING_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def find_reason(log: Path, begin: int) -> str:
    """The first exception in a log after a position, else the last line that is no warning."""
    text = log.read_bytes()[begin:].decode("utf-8", "replace")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith("WARNING:")][-1:]
    telling = [line for line in lines if "Exception" in line] or telling
    return telling[0] if telling else "its JVM ended and printed no error"


def reason_of(error: Exception) -> str:
    """What an error of Spark's comes down to, in one line.

    Of a worker's Python traceback this is its last line; of a lost task, why it was lost; of any
    other Java exception, its message.
    """
    text = type(error).__name__
    with suppress(Exception):  # the JVM reports it, and it may have ended
        java = getattr(error, "java_exception", None)
        text = str(error if java is None else java.getMessage())
        if java is not None and text == "An error has occurred.":  # Kubernetes' client
            while (cause := java.getCause()) is not None:
                java = cause
            text = str(java.toString())
    own = text.partition("\n\tat ")[0].partition("\nDriver stacktrace")[0]
    lines = [line for line in own.splitlines() if line.strip() and "SQLSTATE:" not in line]
    if not lines:
        return type(error).__name__
    if _TRACEBACK in own:
        return lines[-1].strip()
    lost = _LOST.search(lines[0])
    return (lost[1] if lost else lines[0]).strip()
