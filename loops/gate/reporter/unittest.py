"""Runs unittest as "python3 -m unittest" does, and writes what every test came to."""
import json
import os
import sys
import unittest

file = os.environ.pop("WIKI_REPORT")
out = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
write, dumps = os.write, json.dumps
sys.path[0] = os.getcwd()
sys.argv[0] = "python3 -m unittest"


def record(**fields):
    write(out, (dumps(fields) + "\n").encode())


class Result(unittest.TextTestResult):
    def startTest(self, test):
        super().startTest(test)
        self.worst = None

    def stopTest(self, test):
        super().stopTest(test)
        record(name=test.id(), outcome=self.worst or "fail")

    def addSuccess(self, test):
        super().addSuccess(test)
        self.worst = self.worst or "pass"

    def addError(self, test, err):
        super().addError(test, err)
        self.worst = "fail"
        if not isinstance(test, unittest.TestCase):  # of a class or a module
            record(name=test.id(), outcome="fail")

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.worst = "fail"

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.worst = self.worst or "skip"

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self.worst = "skip"

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.worst = "fail"

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.worst = "fail"


class Runner(unittest.TextTestRunner):
    resultclass = Result

    def run(self, test):
        record(begin="unittest")
        result = super().run(test)
        record(end="unittest")
        return result


unittest.main(module=None, testRunner=Runner)
