"""Every mistake of the list, made in a copy: how many the tests notice. It takes an hour."""

from __future__ import annotations

from tests import mutants


def main() -> None:
    living = [mutant.name for mutant in mutants.main([])]
    print(f"{len(mutants.MUTANTS) - len(living)} of {len(mutants.MUTANTS)} mistakes are noticed")
    assert not living, living


if __name__ == "__main__":
    main()
