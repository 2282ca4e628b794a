# Writes what Ansible tells of each result and item into the file TOLD, with nothing but the hooks that
# it calls for them: what keys and words a version of Ansible has in a result does not matter here.

from __future__ import annotations

import json
import os

from ansible.plugins.callback import CallbackBase

DOCUMENTATION = """
    name: plain_hooks
    type: aggregate
    short_description: writes which hooks were called
"""


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "aggregate"
    CALLBACK_NAME = "plain_hooks"
    CALLBACK_NEEDS_ENABLED = False

    def _write(self, kind, result, state):
        task = result._task
        told = dict(kind=kind, task=task.get_name().strip(), host=result._host.get_name(), state=state)
        # The values that a task hands on, as Ansible shows them.
        told["stats"] = (result._result.get("ansible_stats") or {}).get("data") or {}
        with open(os.environ["TOLD"], "a", encoding="utf-8") as file:
            file.write(json.dumps(told) + "\n")

    def v2_runner_on_ok(self, result):
        self._write("result", result, "changed" if result.is_changed() else "ok")

    def v2_runner_on_failed(self, result, ignore_errors=False):
        self._write("result", result, "ignored" if ignore_errors else "failed")

    def v2_runner_on_unreachable(self, result):
        self._write("result", result, "unreachable")

    def v2_runner_on_skipped(self, result):
        self._write("result", result, "skipped")

    def v2_runner_item_on_ok(self, result):
        self._write("item", result, "changed" if result.is_changed() else "ok")

    def v2_runner_item_on_failed(self, result):
        self._write("item", result, "failed")

    def v2_runner_item_on_skipped(self, result):
        self._write("item", result, "skipped")
