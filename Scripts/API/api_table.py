"""Reads Apple's declarations in coredata-api.tsv and swiftdata-api.tsv."""
import csv
import os
import re


def rows(table="coredata-api.tsv"):
    """Each row of a table with the name of its declaration: Container.member, or the name of a type or global."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), table)
    with open(path, newline="", encoding="utf-8") as handle:
        for row in csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE):
            container = re.sub(r"`|<.*?>", "", row["container"]).strip()
            member = row["member"].replace("`", "").strip()
            if member in ("(type)", "", "-"):
                name = container
            elif container in ("", "-", "global", "(global)"):
                name = member
            else:
                name = f"{container}.{member}"
            yield name, row
