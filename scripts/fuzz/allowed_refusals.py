"""Why the server may refuse a request that its OpenAPI document calls valid.

JSON schema describes each field by itself. What depends on other fields, other objects or the state of
an object is refused as well, and each kind of such a refusal is named here with its reason. What JSON
schema can describe is missing on purpose: types, ranges, lengths, lists of values, unknown fields.
"""

# By the status of a response about the whole request.
STATUSES = {
    401: "a random text is no password, code or credential",
    403: "nobody may do this to themselves, or to the last administrator or owner",
    404: "no object has this id or name",
    409: "the name is taken, or the state of the object does not allow it",
    422: "the template does not allow it for a launch, or another machine does not answer",
    429: "it is one request too many",
}

# By the end of the code of such a response.
ENDS = {
    ".in_use": "others refer to the object",
}

# By the code of a wrong field, or by the noun before its dot.
FIELDS = {
    "field.contradiction": "two forms of a field say something different",
    "field.control_characters": "a line has no control characters, which a pattern would make unreadable",
    "field.git_reference": "git has rules of its own for the names of branches",
    "field.host_file": "Ansible would read a file",
    "field.json_array": "the text has to be JSON itself",
    "field.json_object": "the text has to be JSON itself",
    "field.json_strings": "the text has to be JSON itself",
    "field.leading_dash": "a program would take it for an option",
    "field.mismatch": "an id in the body differs from that in the path",
    "field.no_launch_options": "options of a launch are for templates only",
    "field.one_target": "a template and a workflow exclude each other",
    "field.path": "a path must not lead out of the repository",
    "field.reference": "no object of the project has this id",
    "field.required": "another field makes this one necessary, or it has only spaces",
    "field.template_signs": "Ansible would evaluate it",
    "alert_channel": "each type of channel needs its own fields",
    "app": "the path of a program is absolute",
    "environment": "processes and shells have rules for names of variables, which are unique",
    "execution_environment": "each kind needs its own fields, and its key has to be a login",
    "group_rule": "a rule names a provider, and either a project or the administrator",
    "host": "a fact has a form of its own",
    "host_config": "a host and the beginning of an address have forms of their own, and need a key that fits",
    "integration": "each source of a value needs its own fields",
    "inventory": "each type of inventory needs its own fields",
    "key": "each type of key needs its own fields, and a private key has a form of its own",
    "member": "no user has this id",
    "name": "a name is not only spaces",
    "project": "a name is not only spaces",
    "repository": "each kind of address needs its own fields",
    "restore": "the objects of a backup refer to each other",
    "runner": "some servers have their values in their settings",
    "schedule": "cron, intervals and time zones have forms of their own, and a time has to come yet",
    "second_factor": "a random text is no code",
    "survey": "the variables of a survey depend on their types",
    "task": "a build belongs to a deploy",
    "template": "each app and type of template needs its own fields",
    "token": "a token ends in the future, and is for a project of its user",
    "user": "a random text is no password, and a new one must not be easy to guess",
    "view": "a title is not only spaces",
    "workflow": "the nodes and edges of a graph depend on each other",
}

# Of operations whose body the document describes roughly.
OPERATIONS = {
    "POST /api/projects/restore": "all errors of a backup are reported at once, so its objects are read one by one",
    "POST /api/users": "the rules for passwords and addresses do not hold for users of a provider",
}


def reason_of_field(code, operation):
    return OPERATIONS.get(operation) or FIELDS.get(code) or FIELDS.get(code.partition(".")[0])


def reason_of(status, code):
    ends = (reason for end, reason in ENDS.items() if code.endswith(end))
    return STATUSES.get(status) or next(ends, None)
