"""All benchmarks: `python -m bench` lists them, `python -m bench NAME …` runs one.

A benchmark is a module of this folder with a `main()`; it prints ratios against peers that are
measured in the same run, since seconds of one machine say little about another.
"""

import ast
import importlib
import sys
from pathlib import Path

_FOLDER = Path(__file__).parent


def benchmarks() -> dict[str, str]:
    """Name and first line of every benchmark."""
    found = {}
    for path in sorted(_FOLDER.glob("*.py")):
        tree = ast.parse(path.read_text())
        if any(isinstance(node, ast.FunctionDef) and node.name == "main" for node in tree.body):
            found[path.stem] = (ast.get_docstring(tree) or "").partition("\n")[0]
    found.pop("__main__", None)
    return found


def main() -> None:
    """List the benchmarks, or run the one that is named."""
    known = benchmarks()
    if sys.argv[1:] and sys.argv[1] in known:
        name = sys.argv.pop(1)
        sys.argv[0] = f"python -m bench {name}"
        # Imported by its name, so that worker processes find its functions.
        importlib.import_module(f"bench.{name}").main()
        return
    print("python -m bench NAME [--help]\n")
    for name, line in known.items():
        print(f"  {name:10} {line}")
    if sys.argv[1:]:
        sys.exit(f"\nThere is no benchmark {sys.argv[1]}.")


if __name__ == "__main__":
    main()
