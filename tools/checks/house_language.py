"""Find wording, names and numbers that the style rules do not allow, in Python files.

fragments  sentences of docstrings and comments that open with That, Those, Of, Whatever, What, Whether or Which
phrases    turns such as ", too" in docstrings and comments
names      bindings of ``one``, ``found`` ... outside a comprehension of two lines
numbers    numbers of module level, and numbers that comparisons use, without a reason beside, above or below
participles  functions named by a bare participle, such as ``read`` or ``joined``; properties are nouns

``house_counts.py`` prints how many there are, and ``tests/house/test_language.py`` holds them.
"""

import ast
import io
import re
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path
from typing import Final

KINDS: Final = ("fragments", "phrases", "names", "numbers", "participles")

CHECKED: Final = ("src/keywright", "studies")
"""Folders of the files that the rules are for."""

NAMES: Final = frozenset("one found given seen kept known told made likely few own".split())
"""Names that say nothing of the thing."""

PLAIN: Final = frozenset({-1, 0, 1, 2})
"""Numbers that a condition may compare with without a reason: empty, single, sign, pair."""

_IRREGULAR: Final = (
    "read shown written told given found kept made taken known left seen drawn held built chosen paid sent met led lost"
    " won said heard begun done gone meant taught thought brought grown thrown hidden broken laid"
)
PARTICIPLE: Final = re.compile(rf"_?(?:{_IRREGULAR.replace(' ', '|')}|(?!embed)[a-z]{{3,}}ed)")
"""A function name that says neither what the function does nor on what."""

_OPENING: Final = re.compile(r"(?:That|Those|Of|Whatever|What|Whether|Which)\b(?!.*\?$)", re.DOTALL)
_COMMENT_OPENING: Final = re.compile(r"(?:that|those|of|whatever|what|which)\b(?!.*\?$)", re.DOTALL)
_PHRASES: Final = re.compile(
    r", too\b(?! \w)|\blikewise\b|\bstands\b(?! for\b)|\b(?:is|are) told\b|\bhears\b|\btakes up\b|\bgoes on from\b"
    r"|(?<!\bthere )\bis no (?!longer\b|more\b|less\b|fewer\b|\w+er\b)",
    re.IGNORECASE,
)
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])[)\"'`*]*\s+(?=[A-Z`])")
_NEW_PARAGRAPH: Final = re.compile(r"\s*(?:$|[-*] |\w+:$)")
_NO_REASON: Final = re.compile(r"#\s*(?:noqa|type:|pragma|fmt:)")


@dataclass(frozen=True, order=True)
class Finding:
    """A place that breaks a rule: its kind, line and text."""

    kind: str
    line: int
    text: str


def findings(path: Path) -> list[Finding]:
    """Return the findings of a file, by kind and line."""
    source = path.read_text("utf-8")
    tree = ast.parse(source)
    comments = list(_comments(source))
    return sorted({*_wording(tree, comments), *_names(tree), *_numbers(tree, comments), *_participles(tree)})


def checked_files(root: Path) -> list[Path]:
    """Return the Python files that the rules are for: the package, and the studies beside it."""
    return sorted(path for folder in CHECKED for path in (root / folder).rglob("*.py"))


def counts_by_folder(root: Path) -> dict[str, Counter[str]]:
    """Return how many findings each folder has, by kind; folders without any are left out."""
    folders: dict[str, Counter[str]] = defaultdict(Counter)
    for path in checked_files(root):
        folders[path.parent.relative_to(root).as_posix()].update(finding.kind for finding in findings(path))
    return {folder: kinds for folder, kinds in folders.items() if kinds}


def code_comment(comment: str) -> bool:
    """Return whether a comment speaks to tools, not to people."""
    return _NO_REASON.match(comment) is not None


@lru_cache(maxsize=1)
def _walk(tree: ast.AST) -> tuple[ast.AST, ...]:
    """Return the nodes of a tree, which several rules look at one after the other."""
    return tuple(ast.walk(tree))


# Wording


@dataclass(frozen=True)
class _Comment:
    line: int
    text: str
    own_line: bool


def _comments(source: str) -> Iterator[_Comment]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield _Comment(token.start[0], token.string, not token.line[: token.start[1]].strip())


def _wording(tree: ast.Module, comments: list[_Comment]) -> Iterator[Finding]:
    for line, text in docstrings(tree):
        for start, sentence in _sentences(text):
            if _OPENING.match(sentence):
                yield Finding("fragments", line + start, sentence)
        yield from _phrases(line, text)
    for line, text in _blocks(comments):
        for start, sentence in _sentences(text):
            if _OPENING.match(sentence) or (start == 0 and _COMMENT_OPENING.match(sentence)):
                yield Finding("fragments", line + start, sentence)
        yield from _phrases(line, text)


def _phrases(line: int, text: str) -> Iterator[Finding]:
    for match in _PHRASES.finditer(text):
        around = " ".join(text[max(match.start() - 40, 0) : match.end() + 20].split())
        yield Finding("phrases", line + text.count("\n", 0, match.start()), around)


def docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the first line and the text of each string that documents something, attributes included."""
    for node in _walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield node.lineno, text


def _blocks(comments: list[_Comment]) -> Iterator[tuple[int, str]]:
    """Yield comments without their signs; lines of comment that follow each other are one text."""
    block: list[_Comment] = []
    for comment in comments:
        if block and not (comment.own_line and block[-1].own_line and comment.line == block[-1].line + 1):
            yield block[0].line, "\n".join(part.text.lstrip("# ") for part in block)
            block = []
        if not code_comment(comment.text):
            block.append(comment)
    if block:
        yield block[0].line, "\n".join(part.text.lstrip("# ") for part in block)


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    """Yield the sentences of a text, each with the number of its line, examples left out."""
    paragraph: list[str] = []
    start, example = 0, False
    for number, line in enumerate([*text.splitlines(), ""]):
        example = line.lstrip().startswith(">>>") or (example and bool(line.strip()))
        if example or _NEW_PARAGRAPH.match(line):
            yield from ((start, sentence) for sentence in _SENTENCE_END.split(" ".join(paragraph)) if sentence)
            paragraph, start = [], number
            if line.lstrip().startswith(("- ", "* ")):
                paragraph = [line.strip()[2:]]
        else:
            start = start if paragraph else number
            paragraph.append(line.strip())


# Names


def _names(tree: ast.Module) -> Iterator[Finding]:
    short = {
        id(name)
        for node in _walk(tree)
        if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp)
        and (node.end_lineno or node.lineno) - node.lineno <= 1
        for comprehension in node.generators
        for name in ast.walk(comprehension.target)
    }
    for node in _walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) if name in NAMES and id(node) not in short:
                yield Finding("names", node.lineno, f"{name} (column {node.col_offset})")
            case ast.arg(arg=name) if name in NAMES:
                yield Finding("names", node.lineno, f"{name} (column {node.col_offset})")
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) if name in NAMES:
                yield Finding("names", node.lineno, f"{name} (column {node.col_offset})")


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield all functions and methods but properties."""
    for node in _walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            decorators = {ast.unparse(decorator).rpartition(".")[2] for decorator in node.decorator_list}
            if not decorators & {"property", "cached_property", "setter"}:
                yield node


def _participles(tree: ast.AST) -> Iterator[Finding]:
    for function in functions(tree):
        if PARTICIPLE.fullmatch(function.name):
            yield Finding("participles", function.lineno, function.name)


# Numbers


def _numbers(tree: ast.Module, comments: list[_Comment]) -> Iterator[Finding]:
    reasons = {comment.line for comment in comments if not code_comment(comment.text)}
    above = {comment.line for comment in comments if comment.own_line and comment.line in reasons}
    yield from _module_numbers(tree, reasons, above)
    for statement, node in _comparisons(tree):
        numbers = [literal for literal in (node.left, *node.comparators) if _is_threshold(literal)]
        lines = {*range(node.lineno, (node.end_lineno or node.lineno) + 1)}
        if numbers and not (lines & reasons or {node.lineno - 1, statement - 1} & above):
            yield Finding("numbers", node.lineno, ast.unparse(node))


def _module_numbers(tree: ast.Module, reasons: set[int], above: set[int]) -> Iterator[Finding]:
    for statement, following in zip_longest(tree.body, tree.body[1:]):
        match statement:
            case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value) if _is_numeric(value):
                lines = {*range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)}
                documented = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
                if not (documented or lines & reasons or statement.lineno - 1 in above):
                    yield Finding("numbers", statement.lineno, ast.unparse(statement))


def _is_numeric(value: ast.expr) -> bool:
    """Return whether an expression is made of literal numbers only."""
    match value:
        case ast.Constant(value=constant):
            return isinstance(constant, int | float) and not isinstance(constant, bool)
        case ast.UnaryOp(operand=operand):
            return _is_numeric(operand)
        case ast.BinOp(left=left, right=right):
            return _is_numeric(left) and _is_numeric(right)
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts) | ast.Dict(values=parts):
            return bool(parts) and all(_is_numeric(part) for part in parts)
        case ast.Call(func=ast.Name(id="frozenset" | "range" | "float" | "int"), args=parts):
            return bool(parts) and all(_is_numeric(part) for part in parts)
    return False


def _comparisons(tree: ast.Module) -> Iterator[tuple[int, ast.Compare]]:
    """Yield each comparison with the first line of the statement that holds it."""
    waiting: list[tuple[int, ast.AST]] = [(0, tree)]
    while waiting:
        statement, node = waiting.pop()
        statement = node.lineno if isinstance(node, ast.stmt) else statement
        if isinstance(node, ast.Compare):
            yield statement, node
        waiting.extend((statement, child) for child in ast.iter_child_nodes(node))


def _is_threshold(node: ast.expr) -> bool:
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number not in PLAIN
        case ast.Constant(value=int() | float() as number):
            return not isinstance(number, bool) and number not in PLAIN
    return False
