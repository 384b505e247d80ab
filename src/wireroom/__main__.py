"""The way in: `wireroom` and `python -m wireroom`."""

import sys

from wireroom.errors import WireroomError


def main() -> None:
    """Run the command line; what goes wrong is one sentence on standard error and exit code 1."""
    from wireroom.cli import app

    try:
        app(prog_name="wireroom")
    except WireroomError as error:
        sys.stderr.write(f"wireroom: {error}\n")
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # Whoever read our output has seen enough (`wireroom items | head`).
        sys.stderr.close()
        sys.exit(141)


if __name__ == "__main__":
    main()
