#!/usr/bin/env python3
"""validate.py SCHEMA [REPORT...]: hold reports, JSON or JSON lines, against the schema. Exits with 0 if all are valid, with 1
and the place of the first fault if one is not, and with 77 if there is no jsonschema of draft 2020-12 here.

Strictly: keys that the schema does not describe are faults, so that what is written is described. What is valid so is valid by the
schema as it stands, which has no "not" and no "oneOf". Without REPORT the schema itself is held against its own, that of the draft.
"""
import json
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("no jsonschema of draft 2020-12 for python3 (Debian: python3-jsonschema)")
    sys.exit(77)


def strict(schema):
    """A copy in which objects with described keys have no others. Where a $ref stands beside them, they are described there."""
    if isinstance(schema, list):
        return [strict(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    copy = {key: strict(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and "type" in schema and "additionalProperties" not in schema:
        copy["additionalProperties"] = False
    return copy


def fault_of(value, validator):
    error = next(iter(validator.iter_errors(value)), None)
    if error is None:
        return None
    while error.context:  # of the alternatives the one that fails deepest
        error = max(error.context, key=lambda e: len(e.absolute_path))
    return "%s: %s" % ("/".join(str(part) for part in error.absolute_path), error.message[:300])


def documents(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        return [json.loads(text)]
    except ValueError:
        return [json.loads(line) for line in text.splitlines() if line]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    if len(sys.argv) == 2:
        Draft202012Validator.check_schema(schema)
        return 0
    one = strict(schema)
    whole = Draft202012Validator(one)
    line = Draft202012Validator(dict(one, **{"$ref": "#/$defs/line", "required": [], "properties": {}, "additionalProperties": True}))
    seen = set()  # tests write many reports twice
    for path in sys.argv[2:]:
        for value in documents(path):
            text = json.dumps(value)
            if "survey" in value or "input" in value or text in seen:
                continue
            seen.add(text)
            fault = fault_of(value, whole if "schema" in value else line)
            if fault:
                print("%s is not valid by the schema: %s" % (path, fault))
                return 1
    return 0


sys.exit(main())
