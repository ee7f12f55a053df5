"""A plugin of pytest that writes what every test came to."""
import json
import os

_file = os.environ.pop("WIKI_REPORT", None)
_out = os.open(_file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600) if _file else None
_write, _dumps = os.write, json.dumps
_worst = {}


def _record(**record):
    if _out is not None:
        _write(_out, (_dumps(record) + "\n").encode())


def pytest_configure(config):
    if not hasattr(config, "workerinput"):  # a worker of xdist has no report of its own
        _record(begin="pytest")


def pytest_runtest_logreport(report):
    rank = {"passed": 0, "skipped": 1, "failed": 2, "rerun": 3}
    was = _worst.get(report.nodeid, "passed")
    _worst[report.nodeid] = max(was, report.outcome, key=lambda o: rank.get(o, 0))
    if report.when == "teardown":
        outcome = _worst.pop(report.nodeid)
        if outcome == "rerun":
            return
        _record(name=report.nodeid, outcome={"passed": "pass", "skipped": "skip", "failed": "fail"}[outcome])


def pytest_collectreport(report):
    if report.failed:
        _record(name=report.nodeid, outcome="fail")


def pytest_unconfigure(config):
    if not hasattr(config, "workerinput"):
        _record(end="pytest")
