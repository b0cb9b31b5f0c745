# SPDX-License-Identifier: MIT
"""Finds the places of a C source where a small fault can be put in, and writes each behind a switch.

A fault changes one token or one statement, as a slip of the hand would: see SWAPPED and candidates(). Left out, because
they stand for no expression: enums, `case` labels, sizes of arrays, macros but for `#define NAME NUMBER`, tables that
are not static, files of C++. So are assertions, and dropped calls that give memory back, which only a sanitizer sees.
"""
import re

TOKEN = re.compile(r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/)|(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
    |(?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)|(?P<word>[A-Za-z_]\w*)
    |(?P<mark><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|[<>=!]=|&&|\|\||[-+*/%&|^]=|.)""", re.X | re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.)*", re.M | re.S)
DEFINED = re.compile(r"\s*#\s*define\s+\w+\s+(-?[\d.][\w.]*)\s*(?://.*)?$")
ASSIGNED = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
STOPS = {",", ";", "?", ":", "&&", "||"} | ASSIGNED
CONTROL = {"if", "while", "for", "switch"}
NO_OPERAND = CONTROL | {"return", "case", "else", "do", "sizeof"}
DECLARES = {"const", "static", "struct", "enum", "union", "extern", "register", "typedef", "goto", "break", "continue",
            "_Static_assert", "default"} | NO_OPERAND
RELEASES = re.compile(r"free|destroy|release|close|finish|assert", re.I)

SWAPPED = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "/", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "&",
           "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
           "+=": "-=", "-=": "+=", "*=": "/=", "|=": "&=", "&=": "|=", "true": "false", "false": "true"}
KINDS = {"<": "comparison", "<=": "comparison", ">": "comparison", ">=": "comparison", "==": "comparison",
         "!=": "comparison", "true": "constant", "false": "constant"}
MEMBERS = {"x": "y", "y": "z", "z": "x", "r": "g", "g": "b", "b": "r", "min": "max", "max": "min"}
WORDS = re.compile(r"(?<![a-z])(min|max|lt|le|gt|ge|and|or)(?=f?$|_)")
WORD_PAIRS = {"min": "max", "max": "min", "lt": "le", "le": "lt", "gt": "ge", "ge": "gt", "and": "or", "or": "and"}


class Token:
    __slots__ = ("kind", "text", "start", "end", "pair")

    def __init__(self, kind, text, start):
        self.kind, self.text, self.start, self.end, self.pair = kind, text, start, start + len(text), None


class Fault:
    """One fault: text[start:end] becomes `new`; `region` is what the switch stands around, `form` how."""

    def __init__(self, source, kind, start, end, new, region, form, name=None):
        self.source, self.kind, self.start, self.end, self.new = source, kind, start, end, new
        self.region, self.form, self.name = region, form, name
        self.path, self.line = source.path, source.text.count("\n", 0, start) + 1

    def plain(self):
        """The source with the fault alone."""
        return self.source.text[:self.start] + self.new + self.source.text[self.end:]

    def old_and_new_lines(self):
        text = self.source.text
        first, last = text.rfind("\n", 0, self.start) + 1, (text + "\n").find("\n", self.end)
        return text[first:last], text[first:self.start] + self.new + text[self.end:last]

    def switched(self, number):
        """The text for the region: both, chosen by the switch."""
        first, last = self.region
        old = self.source.text[first:last]
        new = self.source.text[first:self.start] + self.new + self.source.text[self.end:last]
        on = f"zt_mutant_on({number})"
        if self.form == "value":
            return f"({on} ? ({new}) : ({old}))"
        if self.form == "statement":
            return f"{{ if ({on}) {{ {new} }} else {{ {old} }} }}"
        if self.form == "define":
            return f"({on} ? {new} : {old})"
        word, both = re.compile(rf"\b{self.name}\b"), [f"{self.name}_zt{n}" for n in (0, number)]
        return (word.sub(both[0], old, 1) + "\n" + word.sub(both[1], new, 1) +
                f"\n#define {self.name} (*({on} ? &{both[1]} : &{both[0]}))\n")


class Source:
    def __init__(self, path, text):
        self.path, self.text, self.tokens = path, text, []
        directives = {m.start(): m for m in DIRECTIVE.finditer(text)}
        at, open_marks = 0, []
        while at < len(text):
            m = directives.get(at) or TOKEN.match(text, at)
            kind = "directive" if at in directives else m.lastgroup
            if kind != "skip":
                token = Token(kind, m.group(), at)
                if token.text in "([{" and kind == "mark":
                    open_marks.append(len(self.tokens))
                elif token.text in ")]}" and kind == "mark" and open_marks:
                    token.pair = open_marks.pop()
                    self.tokens[token.pair].pair = len(self.tokens)
                self.tokens.append(token)
            at = m.end()

    def text_at(self, i):
        return self.tokens[i].text if 0 <= i < len(self.tokens) else ""

    def code_lines(self):
        return sorted({self.text.count("\n", 0, t.start) + 1 for t in self.tokens})

    # ---- where an expression or a statement begins and ends ----

    def left(self, i, stops):
        """The first token of the expression around token i."""
        while i > 0:
            before = self.tokens[i - 1]
            if before.kind == "directive" or before.text in stops or before.text in ("(", "[", "{", "}"):
                return i
            if before.text in ("return", "else", "do"):
                return i
            if before.text == "case" or before.text == "enum":
                return None
            if before.text in (")", "]"):
                if before.pair is None or self.text_at(before.pair - 1) in CONTROL:
                    return i
                i = before.pair
            else:
                i -= 1
        return None

    def right(self, i, stops):
        """The token behind the expression around token i."""
        while i < len(self.tokens):
            t = self.tokens[i]
            if t.kind == "directive":
                return None
            if t.text in stops or t.text in (")", "]", "}"):
                return i
            if t.text in ("(", "[") or t.text == "{" and self.text_at(i - 1) == ")":
                if t.pair is None:
                    return None
                i = t.pair
            elif t.text == "{":
                return None
            i += 1
        return None

    def region(self, i, j):
        """The expression around tokens i to j, or the statement where it is assigned to: (region, form)."""
        stops = STOPS - {"&&", "||"} if self.text_at(i) in ("&&", "||") else STOPS
        first, last = self.left(i, stops), self.right(j, stops)
        if first is None or last is None or first >= last:
            return None
        if self.text_at(last) not in ASSIGNED and self.text_at(i) not in ASSIGNED:
            return (self.tokens[first].start, self.tokens[last - 1].end), "value"
        first, last = self.left(i, {";", ":"} | {","}), self.right(j, {";"})
        if first is None or last is None or self.text_at(last) != ";" or not self.starts_statement(first):
            return None
        return (self.tokens[first].start, self.tokens[last].end), "statement"

    def starts_statement(self, i):
        before = self.tokens[i - 1]
        if before.text == ")":
            return before.pair is not None and self.text_at(before.pair - 1) in CONTROL
        return before.text in (";", "{", "}", "else", "do")

    # ---- faults ----

    def candidates(self):
        """Every fault of the file, in order."""
        found, i, begin = [], 0, 0
        while i < len(self.tokens):
            t = self.tokens[i]
            if t.kind == "directive":
                m = DEFINED.match(t.text)
                if m:
                    at = t.start + m.start(1)
                    found += self.number(at, m.group(1).lstrip("-"), (at, t.start + m.end(1)), "define")
                begin = i + 1
            elif t.text == "{" and t.pair:
                if self.text_at(i - 1) == ")":
                    self.in_function(i + 1, t.pair, found)
                    begin = t.pair + 1
                i = t.pair
            elif t.text == ";":
                self.table(begin, i, found)
                begin = i + 1
            i += 1
        return sorted(found, key=lambda f: (f.start, f.end, f.new))

    def table(self, first, last, found):
        """Numbers, words and signs in a static object with a value: tokens first to last."""
        texts = [t.text for t in self.tokens[first:last]]
        if "static" not in texts or "=" not in texts:
            return
        equals = first + texts.index("=")
        names = [i for i in range(first, equals) if self.text_at(i + 1) in ("[", "=") and self.tokens[i].kind == "word"]
        if not names:
            return
        region = self.tokens[first].start, self.tokens[last].end
        for i in range(equals + 1, last):
            if self.text_at(i - 1) != "[":
                found += self.at(i, region, "table", self.tokens[names[0]].text)

    def in_function(self, first, last, found):
        depth, i = 0, first
        while i < last:
            t = self.tokens[i]
            depth += (t.text == "(") - (t.text == ")")
            if depth == 0 and t.kind == "word" and self.starts_statement(i):
                end = self.right(i, {";"})
                if t.text in ("static", "enum", "_Static_assert") or RELEASES.search(t.text) and "assert" in t.text.lower():
                    while self.text_at(i) != ";":
                        i += 1
                    if t.text == "static":
                        self.table(self.tokens.index(t), i, found)
                    continue
                if (end and self.text_at(end) == ";" and t.text not in DECLARES and not RELEASES.search(t.text) and
                        (self.text_at(i + 1) in ASSIGNED | {"(", ".", "->", "[", "++", "--"})):
                    region = t.start, self.tokens[end].end
                    found.append(Fault(self, "dropped", *region, ";", region, "statement"))
            if t.kind != "directive":
                found += self.at(i)
            i += 1

    def number(self, at, text, region, form, name=None):
        m = re.fullmatch(r"(0[xX][0-9a-fA-F]+|[1-9]\d*|0)([uUlL]*)", text)
        if m:
            value = int(m.group(1), 0)
            news = [f"{value + step}{m.group(2)}" for step in (1, -1) if value + step >= 0]
        elif re.fullmatch(r"[\d.]+(e[+-]?\d+)?f?", text):
            tail = "f" if text.endswith("f") else ""
            value = float(text.rstrip("f"))
            news = [f"{v!r}{tail}" for v in ((2 * value, value / 2) if value else (1.0,))]
        else:
            return []
        start = self.text.index(text, at)
        return [Fault(self, "constant", start, start + len(text), new, region, form, name) for new in news]

    def at(self, i, region=None, form=None, name=None):
        """The faults of token i; without a region they are in a function."""
        t, before, after = self.tokens[i], self.text_at(i - 1), self.text_at(i + 1)
        found = []

        def add(kind, new, first=i, last=i, start=t.start, end=t.end):
            place = (region, form) if region else self.region(first, last + 1)
            if place:
                found.append(Fault(self, kind, start, end, new, *place, name))

        if t.kind == "number":
            declared = before == "[" and self.tokens[i - 2].kind == "word" and self.tokens[i - 3].kind == "word" and (
                self.text_at(i - 3) not in NO_OPERAND)
            place = (region, form) if region else None if declared else self.region(i, i + 1)
            return self.number(t.start, t.text, *place, name) if place else []
        if t.kind == "word":
            if t.text in SWAPPED:
                add("constant", SWAPPED[t.text])
            elif t.text in MEMBERS and before in (".", "->") and self.text_at(i - 2) not in ("{", ","):
                add("index", MEMBERS[t.text])
            elif WORDS.search(t.text) and after == "(":
                add("operator", WORDS.sub(lambda m: WORD_PAIRS[m.group(1)], t.text, 1))
            if after == "(" and t.text not in NO_OPERAND and not region:
                self.arguments(i + 1, add)
        elif t.kind == "mark":
            operand = self.tokens[i - 1].kind in ("number", "word", "text") and before not in NO_OPERAND or (
                before in (")", "]") and not self.is_cast(i - 1))
            if t.text in SWAPPED and operand:
                add(KINDS.get(t.text, "operator"), SWAPPED[t.text], i, i)
            elif t.text == "-" or t.text == "!":
                add("sign", "")
            elif t.text == "[" and operand and not region and t.pair and t.pair > i + 2:
                inside = self.text[t.end:self.tokens[t.pair].start]
                add("index", f"({inside}) + 1", i + 1, t.pair - 1, t.end, self.tokens[t.pair].start)
        return found

    def is_cast(self, close):
        first = self.tokens[close].pair
        return first is not None and self.tokens[first - 1].kind == "mark" and all(
            t.kind == "word" or t.text == "*" for t in self.tokens[first + 1:close])

    def arguments(self, open_mark, add):
        """Swaps two neighbours of the arguments of a call."""
        close, begin, places = self.tokens[open_mark].pair, open_mark + 1, []
        i = begin
        while close and i <= close:
            t = self.tokens[i]
            if t.text == "," or i == close:
                places.append((self.tokens[begin].start, self.tokens[i - 1].end))
                begin = i + 1
            elif t.text in ("(", "[", "{") and t.pair:
                i = t.pair
            i += 1
        for (a, b), (c, d) in zip(places, places[1:]):
            if self.text[a:b] != self.text[c:d]:
                add("arguments", self.text[c:d] + self.text[b:c] + self.text[a:b], open_mark - 1, close, a, d)
