"""The faults that sample.py puts into C: where they can be, and the text that each of them writes.

A fault is one small change of the kinds that real mistakes are. It is made of tokens, so that comments, strings,
preprocessor lines and assertions stay as they are. A fault need not compile: the compiler decides that.
"""

import bisect
import collections
import re

Fault = collections.namedtuple("Fault", "kind begin end text")  # source[begin:end] becomes the text
Token = collections.namedtuple("Token", "kind text begin end")

TOKENS = re.compile(
    r"""(?P<skip>\s+|//(?:\\\n|[^\n])*|/\*.*?\*/)
      | (?P<string>(?:u8|[uUL])?"(?:\\.|[^"\\])*"|(?:[uUL])?'(?:\\.|[^'\\])*')
      | (?P<number>\.?[0-9](?:[eEpP][+-]|[0-9a-zA-Z_.])*)
      | (?P<word>[A-Za-z_][A-Za-z_0-9]*)
      | (?P<mark>\.\.\.|->|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[^\s])""",
    re.X | re.S,
)
DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|/\*.*?\*/|[^\n])*", re.M | re.S)
INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|0|[1-9][0-9]*)([uUlL]*)$")
REAL = re.compile(r"([0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+\.)([fF]?)$")

NO_CALLS = {"if", "while", "for", "switch", "return", "sizeof", "case", "do", "else", "_Alignof", "alignof", "_Generic"}
ASSERTIONS = {"assert", "static_assert", "_Static_assert"}
AGGREGATES = {"struct", "union", "enum"}
# Calls of which these arguments, counted from 0, may be swapped with the next, and calls that do nothing here.
COMMUTING = {"min": 0, "max": 0, "fmin": 0, "fmax": 0, "hypot": 0, "memory_array": 0, "memory_zeroed": 0, "calloc": 0}
IDLE = {"va_end"}
FITTED = "pace"  # a member whose initial value a fit writes (tests/forecast/fit.py): there is no other source of its numbers
OPENING = {"(": ")", "[": "]", "{": "}"}
CLOSING = set(OPENING.values())
NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
SHIFTED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
# An operand of && and || lies between two of these.
BOUNDS = {"(", "[", "{", ",", ";", "?", ":", "=", "+=", "-=", "|=", "&=", "return", "&&", "||", "}", ")", "]"}


def tokens_of(source):
    """The tokens of a source, without comments and preprocessor lines."""
    blank = DIRECTIVE.sub(lambda line: re.sub(r"[^\n]", " ", line.group()), source)
    tokens = []
    for match in TOKENS.finditer(blank):
        if match.lastgroup != "skip":
            tokens.append(Token(match.lastgroup, match.group(), match.start(), match.end()))
    return tokens


def partners(tokens):
    """The index of each bracket's other half."""
    partner, open_ones = {}, []
    for k, token in enumerate(tokens):
        if token.kind != "mark":
            continue
        if token.text in OPENING:
            open_ones.append(k)
        elif token.text in CLOSING and open_ones:
            begin = open_ones.pop()
            partner[begin], partner[k] = k, begin
    return partner


def enclosing(tokens, partner):
    """The index of the bracket that is open at each token, or None."""
    inside, open_ones = [], []
    for k, token in enumerate(tokens):
        if token.kind == "mark" and token.text in CLOSING and k in partner and open_ones:
            open_ones.pop()
        inside.append(open_ones[-1] if open_ones else None)
        if token.kind == "mark" and token.text in OPENING and k in partner:
            open_ones.append(k)
    return inside


def regions(tokens, partner):
    """Where each token lies: "body" of a function, "table" of initial values, or None."""
    region = [None] * len(tokens)
    k = 0
    while k < len(tokens):
        if tokens[k].text == "{" and k in partner:
            before = tokens[k - 1].text if k else ""
            where = "body" if before == ")" else "table" if before == "=" else None
            if before == "{" or tokens[max(0, k - 2)].text == "extern":
                k += 1
                continue
            for inside in range(k + 1, partner[k]):
                region[inside] = where
            k = partner[k]
        k += 1
    for k in range(len(tokens) - 3):
        if [token.text for token in tokens[k : k + 4]] == [".", FITTED, "=", "{"]:
            for inside in range(k, partner.get(k + 3, k) + 1):
                region[inside] = None
    for k, token in enumerate(tokens):
        skipped = token.text in ASSERTIONS or (token.text in AGGREGATES and region[k])
        if not skipped or k + 1 >= len(tokens):
            continue
        opening = k + 1
        if token.text in AGGREGATES:
            opening += tokens[opening].kind == "word"
            if opening >= len(tokens) or tokens[opening].text != "{":
                continue
        for inside in range(k, partner.get(opening, k) + 1):
            region[inside] = None
    return region


class Source:
    """A source and the faults that it can have."""

    def __init__(self, text, structures):
        self.text = text
        self.structures = structures
        self.tokens = tokens_of(text)
        self.partner = partners(self.tokens)
        self.inside = enclosing(self.tokens, self.partner)
        self.region = regions(self.tokens, self.partner)
        self.begins = [token.begin for token in self.tokens]
        self.lines = [0] + [match.end() for match in re.finditer(r"\n", text)]

    def line_of(self, offset):
        """The number of the line, from 1."""
        return bisect.bisect_right(self.lines, offset)

    def faults_of(self, line):
        """The faults of the tokens on the line; an operand that goes may begin on an earlier one."""
        first = bisect.bisect_left(self.begins, self.lines[line - 1])
        last = bisect.bisect_left(self.begins, self.lines[line]) if line < len(self.lines) else len(self.tokens)
        found = [fault for k in range(first, last) for fault in self.faults_at(k)]
        return [fault for fault in found if self.text[fault.begin : fault.end] != fault.text]

    def faults_at(self, k):
        found = []
        if self.region[k] is not None:
            if self.region[k] == "body":
                found += self.conditions(k) + self.operands(k) + self.bounds(k) + self.calls(k) + self.fields(k)
            found += self.constants(k)
        return found

    def is_text(self, k, *texts):
        return 0 <= k < len(self.tokens) and self.tokens[k].text in texts

    def conditions(self, k):
        """if (E): never, always, or if not E."""
        if not self.is_text(k, "if", "while") or not self.is_text(k + 1, "(") or k + 1 not in self.partner:
            return []
        begin, end = self.tokens[k + 1].end, self.tokens[self.partner[k + 1]].begin
        found = [Fault("negated", begin, end, f"!({self.text[begin:end]})")]
        if self.is_text(k, "if"):
            found += [Fault("dropped", begin, end, "true"), Fault("dropped", begin, end, "false")]
        return found

    def operands(self, k):
        """A && B: A alone, or B alone; a == b: a != b."""
        token = self.tokens[k]
        if token.kind != "mark":
            return []
        if token.text in ("==", "!=") or (token.text in NEGATED and self.compares(k)):
            return [Fault("negated", token.begin, token.end, NEGATED[token.text])]
        if token.text not in ("&&", "||"):
            return []
        last, first = k + 1, k - 1
        while last < len(self.tokens) and not self.ends_operand(last, token.text):
            last = self.partner.get(last, last) + 1 if self.is_text(last, *OPENING) else last + 1
        while first >= 0 and not self.ends_operand(first, token.text, backwards=True):
            first = self.partner.get(first, first) - 1 if self.is_text(first, *CLOSING) else first - 1
        begin, end = self.tokens[first + 1].begin, self.tokens[last - 1].end
        return [
            Fault("dropped", self.tokens[k - 1].end, end, ""),
            Fault("dropped", begin, self.tokens[k + 1].begin, ""),
        ]

    def ends_operand(self, k, operator, backwards=False):
        text = self.tokens[k].text
        if self.is_text(k, *(CLOSING if backwards else OPENING)) and self.tokens[k].kind == "mark":
            return False
        return text in BOUNDS and not (operator == "||" and text == "&&")

    def compares(self, k):
        """< and > are no brackets here: of a template, or of a kernel's launch."""
        return all(0 <= j < len(self.tokens) and self.tokens[j].text not in ("<", ">") for j in (k - 1, k + 1))

    def bounds(self, k):
        """a < b: a <= b; a + 1: a."""
        token = self.tokens[k]
        if token.kind == "mark" and token.text in SHIFTED and self.compares(k):
            return [Fault("off-by-one", token.begin, token.end, SHIFTED[token.text])]
        binary = k > 0 and (self.tokens[k - 1].kind in ("word", "number") or self.is_text(k - 1, ")", "]"))
        if token.text in ("+", "-") and binary and not self.is_text(k - 1, "return", "case") and self.is_text(k + 1, "1"):
            return [Fault("off-by-one", self.tokens[k - 1].end, self.tokens[k + 1].end, "")]
        return []

    def calls(self, k):
        """f(a, b): f(b, a), or nothing where it is a statement."""
        if not self.is_text(k + 1, "(") or k + 1 not in self.partner:
            return []
        token, close = self.tokens[k], self.partner[k + 1]
        if token.kind != "word" or token.text in NO_CALLS or token.text in ASSERTIONS or token.text in IDLE:
            return []
        first = k
        while self.is_text(first - 1, ".", "->") and first >= 2:
            first -= 2
        if self.tokens[first - 1].kind == "word" and not self.is_text(first - 1, "return", "else", "case", "do"):
            return []
        return self.missing(first, close) + self.swapped(k + 1, close, COMMUTING.get(token.text))

    def missing(self, first, close):
        """A call that is a statement of its own."""
        if self.is_text(first - 1, ")") and self.is_text(first - 2, "void") and self.is_text(first - 3, "("):
            first -= 3
        if not self.is_text(close + 1, ";") or not self.is_text(first - 1, ";", "{", "}", ")", "else", "do"):
            return []
        if self.is_text(first - 1, ")") and not self.is_text(self.partner.get(first - 1, 0) - 1, "if", "while", "for"):
            return []
        return [Fault("missing", self.tokens[first].begin, self.tokens[close].end, "")]

    def arguments(self, opening, close):
        """Begin and end of each argument."""
        spans, k, begin = [], opening + 1, opening + 1
        while k <= close:
            if k == close or self.is_text(k, ","):
                if k > begin:
                    spans.append((self.tokens[begin].begin, self.tokens[k - 1].end))
                begin = k + 1
            k = self.partner.get(k, k) + 1 if k != close and self.is_text(k, *OPENING) else k + 1
        return spans

    def swapped(self, opening, close, commuting):
        spans, found = self.arguments(opening, close), []
        for number, ((begin, middle), (next_begin, end)) in enumerate(zip(spans, spans[1:])):
            one, other = self.text[begin:middle], self.text[next_begin:end]
            alike = (one[0] in "\"'") == (other[0] in "\"'") and (one[0] == "&") == (other[0] == "&")
            if one != other and alike and number != commuting:
                found.append(Fault("swapped", begin, end, other + self.text[middle:next_begin] + one))
        return found

    def fields(self, k):
        """a.b: a.c, where the structure has both with the same type."""
        token = self.tokens[k]
        if token.kind != "word" or not self.is_text(k - 1, ".", "->") or self.is_text(k + 1, "("):
            return []
        fields = self.structures.get(self.structure_of(k - 2), {})
        kind = fields.get(token.text)
        others = sorted(name for name in fields if kind and fields[name] == kind and name != token.text)
        return [Fault("field", token.begin, token.end, name) for name in others]

    def structure_of(self, k):
        """The name of the structure that the expression ending with token k is, or points to; None if unknown."""
        while self.is_text(k, "]"):
            k = self.partner.get(k, 0) - 1
        if k < 1 or self.tokens[k].kind != "word":
            return None
        name = self.tokens[k].text
        if self.is_text(k - 1, ".", "->"):
            kind = self.structures.get(self.structure_of(k - 2), {}).get(name, "")
            match = re.match(r"struct (\w+)", kind)
            return match.group(1) if match else None
        declared = re.compile(r"\bstruct\s+(\w+)\s+[^;(){}=]*?\b" + name + r"\b")
        last = None
        for last in declared.finditer(self.text, 0, self.tokens[k].begin):
            pass
        return last.group(1) if last else None

    def constants(self, k):
        """n: n + 1; x: 2 x. The size of an array is none, nor the {0} that clears."""
        token = self.tokens[k]
        if token.kind != "number" or (self.is_text(k - 1, "{") and self.is_text(k + 1, "}") and token.text == "0"):
            return []
        opening = self.inside[k]
        if opening is not None and self.is_text(opening, "[") and self.declares(opening - 1):
            return []
        whole, real = INTEGER.match(token.text), REAL.match(token.text)
        if whole:
            return [Fault("constant", token.begin, token.end, f"{int(whole.group(1), 0) + 1}{whole.group(2)}")]
        if real:
            other = 2 * float(real.group(1)) or 1.0
            return [Fault("constant", token.begin, token.end, f"{other!r}{real.group(2)}")]
        return []

    def declares(self, k):
        """The word at k is declared here as an array: a type stands before it."""
        while self.is_text(k, "]"):
            k = self.partner.get(k, 1) - 1
        before = self.tokens[k - 1] if k > 0 else None
        return before is not None and (before.kind == "word" and before.text not in NO_CALLS or before.text == "*")


def structures_of(texts):
    """The type of each field, by the name of its structure."""
    structures = {}
    for text in texts:
        tokens = tokens_of(text)
        partner = partners(tokens)
        for k, token in enumerate(tokens[:-2]):
            named = tokens[k + 1].kind == "word" and tokens[k + 2].text == "{" and k + 2 in partner
            if token.text == "struct" and named:
                structures[tokens[k + 1].text] = dict(fields_of(tokens, partner, k + 2))
    return structures


def fields_of(tokens, partner, opening):
    """A structure's fields, each with its type, stars and sizes of arrays included."""
    k = opening + 1
    while k < partner[opening]:
        end = k
        while end < partner[opening] and tokens[end].text != ";":
            end = partner.get(end, end) + 1 if tokens[end].text in OPENING else end + 1
        field = tokens[k:end]
        k = end + 1
        if any(token.text in ("(", "{", ":") for token in field):
            continue
        follows = [token.text for token in field[1:]] + [","]
        names = [j for j, token in enumerate(field) if j and token.kind == "word" and follows[j] in (",", "[")]
        names = [j for j in names if field[j - 1].text != "["]
        for j in names:
            stem = " ".join(token.text for token in field[: names[0]] if token.text not in ("*", "const"))
            stars, sizes, at = 0, "", j + 1
            while field[j - 1 - stars].text == "*":
                stars += 1
            while at < len(field) and field[at].text != ",":
                sizes += field[at].text
                at += 1
            yield field[j].text, stem + "*" * stars + sizes
