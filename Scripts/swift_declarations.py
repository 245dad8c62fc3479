"""The declarations in a Swift source, with their access and with the places of their signatures.

Places are pairs of a line and a column in bytes, both counted from one, as in the compiler's index.
"""
import re
from collections import namedtuple

TYPES = {"class", "struct", "enum", "protocol", "actor", "typealias"}
KINDS = TYPES | {"func", "var", "let", "init", "deinit", "subscript", "case", "extension", "associatedtype", "import",
                 "operator", "precedencegroup", "macro"}
NAMELESS = {"init", "deinit", "subscript"}
ACCESS = ("open", "public", "package", "internal", "fileprivate", "private")
MODIFIERS = set(ACCESS) | set(
    "static final override mutating nonmutating lazy weak unowned nonisolated indirect required convenience dynamic "
    "borrowing consuming prefix postfix infix optional".split())
INLINABLE = {"inlinable", "_alwaysEmitIntoClient", "_transparent"}
TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<string>\#*"(?:"")?)|(?P<name>`[^`\n]+`|[A-Za-z_][A-Za-z_0-9]*)"""
    r"""|(?P<sign>->|==|[{}()\[\]:,;=@.#<>\\?!&]|[^\s\w])|(?P<number>\d\w*(?:\.\d\w*)?)""", re.S)

Token = namedtuple("Token", "text place is_name")


def tokens_of(path):
    """The tokens of a source and its comments by the line of their end. Strings are only their interpolations."""
    # A character for each byte, so that columns count bytes.
    with open(path, encoding="latin-1") as handle:
        text = handle.read()
    tokens, comments = [], {}
    # Open strings as (terminator, start of an interpolation, depth of parentheses within the interpolation).
    strings, position, line, line_start = [], 0, 1, 0

    def read_string(position, terminator, escape):
        """The end of a string's text: behind its terminator, or behind the start of an interpolation."""
        while position < len(text):
            if text.startswith(terminator, position):
                return position + len(terminator), False
            if text.startswith(escape, position):
                if text.startswith("(", position + len(escape)):
                    return position + len(escape) + 1, True
                position += len(escape) + 1
            else:
                position += 1
        return position, False

    def advance(start, end):
        nonlocal line, line_start
        lines = text.count("\n", start, end)
        if lines:
            line += lines
            line_start = text.rindex("\n", start, end) + 1

    while match := TOKEN.search(text, position):
        advance(position, match.start())
        start, position = match.start(), match.end()
        place = line, start - line_start + 1
        kind, word = match.lastgroup, match.group()
        if kind == "comment":
            advance(start, position)
            comments[line] = word
            continue
        entry = None
        if kind == "string":
            tokens.append(Token('"', place, False))
            signs = word.count("#")
            entry = (word.lstrip("#") + "#" * signs, "\\" + "#" * signs, 0)
            if entry[0].startswith('""') and not entry[0].startswith('"""'):
                continue
        elif strings and word in "()":
            terminator, escape, depth = strings.pop()
            depth += 1 if word == "(" else -1
            if depth >= 0:
                strings.append((terminator, escape, depth))
            else:
                entry = (terminator, escape, 0)
        if entry:
            end, interpolated = read_string(position, entry[0], entry[1])
            advance(position, end)
            position = end
            if interpolated:
                strings.append(entry)
            continue
        tokens.append(Token(word.strip("`"), place, kind == "name"))
    return tokens, comments


class Declaration:
    """`place` is the place of the name, or of the keyword if the declaration has no name; `start` and `end` enclose all
    in front of the body; `words` has the modifiers with their places."""

    def __init__(self, file, kind, name, place, words, attributes, container):
        self.file, self.kind, self.name, self.place, self.container = file, kind, name, place, container
        self.words, self.attributes, self.comment = words, attributes, ""
        self.start, self.end, self.parents, self.extended = place, place, (), ""
        self.access = next((word for word, _ in words if word in ACCESS), None)

    @property
    def line(self):
        return self.place[0]

    @property
    def modifiers(self):
        return {word for word, _ in self.words}

    @property
    def path(self):
        """The name with the names of the types around it."""
        name = self.extended if self.kind == "extension" else self.name
        return f"{self.container.path}.{name}" if self.container is not None else name


def declarations_of(file, tokens, comments):
    """The declarations of a source, in order, and the places of the names in the bodies of inlinable functions."""
    found, exposed, stack, words, attributes = [], set(), [], [], set()
    start, index = None, 0
    while index < len(tokens):
        token = tokens[index]
        if token.text == "}":
            if stack:
                stack.pop()
        elif token.text == "{":
            stack.append((None, bool(stack and stack[-1][1])))
        elif token.text == "@" or (token.text in MODIFIERS and token.is_name and tokens[index - 1].text != ".") or (
                token.text == "class" and index + 1 < len(tokens)
                and tokens[index + 1].text in ("func", "var", "subscript", "override", "final", "let")):
            if not words and not attributes:
                start = token.place
            if token.text == "@":
                index += 1
                attributes.add(tokens[index].text)
            else:
                words.append((token.text, token.place))
            if index + 1 < len(tokens) and tokens[index + 1].text == "(" and (
                    tokens[index + 1].place[0] == token.place[0]):
                index = closing(tokens, index + 1)
                if words and tokens[index - 1].text == "set":
                    words.pop()
            index += 1
            continue
        elif token.text in KINDS and token.is_name and (index == 0 or tokens[index - 1].text != "."):
            named = tokens[index + 1] if token.text not in NAMELESS and index + 1 < len(tokens) else token
            declaration = Declaration(file, token.text, named.text, named.place, words, attributes,
                                      stack[-1][0] if stack else None)
            declaration.start = start if words or attributes else token.place
            declaration.comment = comment_above(comments, declaration.start[0])
            end = end_of_signature(tokens, index)
            declaration.end = tokens[end].place if end < len(tokens) else (tokens[-1].place[0] + 1, 1)
            declaration.nested = bool(stack and stack[-1][0] is None)
            if token.text in TYPES or token.text == "extension":
                declaration.parents = parents_of(tokens[index + 2:end])
                if token.text == "extension":
                    declaration.extended, last = extended_name(tokens[index + 1:end])
                    declaration.name, declaration.place = declaration.extended.split(".")[-1], last
            found.append(declaration)
            words, attributes = [], set()
            if end < len(tokens) and tokens[end].text == "{":
                is_type = token.text in TYPES or token.text == "extension"
                inlinable = bool(declaration.attributes & INLINABLE) or bool(stack and stack[-1][1])
                stack.append((declaration if is_type else None, inlinable))
                index = end + 1
                continue
            index = max(end, index + 1)
            continue
        elif stack and stack[-1][1] and token.is_name:
            exposed.add(token.place)
        words, attributes = [], set()
        index += 1
    return found, exposed


def closing(tokens, index):
    depth = 0
    while index < len(tokens):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(tokens[index].text, 0)
        if depth == 0:
            return index
        index += 1
    return len(tokens) - 1


def end_of_signature(tokens, index):
    """The index of the body's brace, or behind the declaration if it has none."""
    start, index = index, index + 1
    while index < len(tokens):
        token = tokens[index]
        if token.text in ("{", "}"):
            return index
        if token.place[0] > tokens[index - 1].place[0] and index > start + 1 and (
                token.text == "@" or (token.is_name and (token.text in KINDS or token.text in MODIFIERS))
                and tokens[index - 1].text not in (",", ":", "=", "->", "&", "where")):
            return index
        index = closing(tokens, index) + 1 if token.text in ("(", "[") else index + 1
    return index


def parents_of(tokens):
    """The places of the names in an inheritance clause."""
    places, active = set(), False
    for token in tokens:
        active = (active or token.text == ":") and token.text != "where"
        if active and token.is_name:
            places.add(token.place)
    return places


def extended_name(tokens):
    """The name behind `extension`, with the names of the types around it, and the place of its last part."""
    end = next((i for i, token in enumerate(tokens) if i % 2 == 1 and token.text != "."), len(tokens))
    return "".join(token.text for token in tokens[:end]), tokens[end - 1].place


def comment_above(comments, line):
    text, line = "", line - 1
    while line in comments:
        text, line = comments[line] + text, line - 1
    return text
