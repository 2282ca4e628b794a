"""The checks of `npm run test:fuzz` that schemathesis does not have itself, which loads this file as its hooks."""

import schemathesis
from schemathesis.core.failures import Failure

from allowed_refusals import reason_of, reason_of_field

MOST_SECONDS = 1

# The operations that may take longer, each with its reason.
SLOW = {
    "POST /api/project/{project_id}/repositories/branches": "it asks a repository",
    "GET /api/project/{project_id}/repositories/{repository_id}/branches": "it asks a repository",
    "GET /api/project/{project_id}/repositories/{repository_id}/files": "it asks a repository",
    "POST /api/project/{project_id}/inventory/preview": "it starts ansible-inventory",
    "POST /api/projects": "it makes the repository of a demo project",
    "POST /api/project/{project_id}/alert_channels/{alert_channel_id}/test": "it waits for a receiver",
    "POST /api/project/{project_id}/notifications/test": "it waits for receivers",
}


@schemathesis.check
def answers_come_in_time(ctx, response, case):
    """An answer takes at most a second, unless its operation is named."""
    operation = case.operation.label
    if response.elapsed > MOST_SECONDS and operation not in SLOW:
        message = f"{response.elapsed:.2f} s"
        raise Failure(operation=operation, title="Answer too late", message=message)


@schemathesis.check
def valid_requests_are_accepted(ctx, response, case):
    """A request that the document calls valid is refused only for a reason that is named."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code < 400:
        return None
    if is_id_missing(case):
        return None
    refusal = response.json()
    if not (unnamed := unnamed_codes(case.operation.label, response.status_code, refusal)):
        return None
    raise Failure(
        operation=case.operation.label,
        title="Valid request refused without a named reason",
        message=f"{', '.join(unnamed)}: {refusal['error']}",
    )


def is_id_missing(case):
    """Whether the path has the id of an earlier answer that was null there: schemathesis takes it for valid."""
    return any(value in (None, "None") for value in (case.path_parameters or {}).values())


def unnamed_codes(operation, status, refusal):
    """The codes without a reason: those of single fields, or that of the whole answer."""
    if fields := refusal.get("fields"):
        codes = (field["code"] for field in fields)
        return [code for code in codes if reason_of_field(code, operation) is None]
    return [] if reason_of(status, refusal["code"]) else [refusal["code"]]
