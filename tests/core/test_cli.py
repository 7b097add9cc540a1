"""The command line, as a person uses it."""

from __future__ import annotations

import hashlib
import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from companion.terminal import cli, doctor
from companion.terminal.commands import Progress
from tests.venue.database import Database
from tests.web.live import free_port

ROOT = Path(__file__).parents[2]


def digside(*words: str, data: Path, typed: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "companion.terminal.cli", *words],
        input=typed,
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "HOME": str(data), "DIGSIDE_DATA": str(data), "PYTHONPATH": str(ROOT), **env},
    )


def table_of(said: str) -> str:
    return said.split()[1].rstrip(".")


def test_a_table_is_played_from_a_pipe(tmp_path: Path) -> None:
    ran = digside("play", "horus", data=tmp_path, typed="roll 5\nBen: block\nmummies steps=2\nboard\n")
    assert ran.returncode == 0, ran.stderr
    assert "Block" in ran.stdout
    assert "Initkaes" in ran.stdout


def test_what_is_refused_is_said_and_shows_in_the_exit_status(tmp_path: Path) -> None:
    ran = digside("play", "horus", data=tmp_path, typed="roll 99\nfly away\nEve: block\n{not json}\nroll 1\n")
    assert ran.returncode == 1
    assert ran.stdout.count("✗") == 4
    assert "Traceback" not in ran.stdout + ran.stderr


def test_no_number_is_too_long_to_be_refused(tmp_path: Path) -> None:
    long = "9" * 5000
    typed = f"roll 1\nreport {long}\nreport {10**25}\nreport 3\nundo {long}\n{long}: roll 1\nroll {long}\n"
    ran = digside("play", "horus", "--source", "dice=table", data=tmp_path, typed=typed)
    assert (ran.returncode, ran.stdout.count("✗")) == (1, 5), ran.stderr
    ran = digside("play", "horus", "--option", f"mummies={long}", data=tmp_path)
    assert ran.stderr.startswith("digside: ")


def test_a_pipe_may_hold_anything(tmp_path: Path) -> None:
    play = [sys.executable, "-m", "companion.terminal.cli", "play", "horus", "--data", str(tmp_path)]
    ran = subprocess.run(play, input=b"stir \xff\xfe\nroll \xff\n", capture_output=True, check=False, cwd=ROOT)
    assert (ran.returncode, ran.stdout.count("✗".encode())) == (1, 1), ran.stderr


def test_a_terminal_that_knows_few_characters_shows_what_it_can(tmp_path: Path) -> None:
    ran = digside("play", "horus", data=tmp_path, typed="fly\n", PYTHONIOENCODING="ascii")
    assert (ran.returncode, ran.stderr) == (1, "")


def test_the_table_played_last_is_gone_on_with(tmp_path: Path) -> None:
    first = table_of(digside("play", "horus", data=tmp_path, typed="").stdout)
    digside("play", "horus", data=tmp_path, typed="roll 1\n")
    digside("play", "--table", first, data=tmp_path, typed="roll 1\n")
    assert table_of(digside("play", "--resume", data=tmp_path).stdout) == first


def test_a_table_goes_on_after_kill(tmp_path: Path) -> None:
    play = [sys.executable, "-m", "companion.terminal.cli", "play", "horus", "--data", str(tmp_path)]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with subprocess.Popen(
        play, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=buffered
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write("block\n")
        child.stdin.flush()
        while "falls" not in (line := child.stdout.readline()):
            assert line
        fallen = line.split()[-2]
        child.send_signal(signal.SIGKILL)
    ran = digside("play", "--resume", data=tmp_path, typed="board\n")
    assert f"35/36   {fallen}" in ran.stdout


def test_the_luck_of_a_finished_table_is_proved(tmp_path: Path) -> None:
    table = table_of(digside("play", "jenseits", data=tmp_path, typed="deal\ndraw egypt 5\nundo\nclose\n").stdout)
    file = tmp_path / "game.json"
    assert digside("record", table, "-o", str(file), data=tmp_path).returncode == 0
    proof = digside("verify", str(file), data=tmp_path)
    assert (proof.returncode, "Everything holds" in proof.stdout) == (0, True)
    record = json.loads(file.read_text())
    for line in record["entries"]:
        if line["entry"]["kind"] == "outcome" and line["entry"]["outcome"] != "blank":
            line["entry"]["outcome"] = "blank"
            break
    file.write_text(json.dumps(record))
    assert digside("verify", str(file), data=tmp_path).returncode == 1


def test_a_proof_is_held_against_what_somebody_saw(tmp_path: Path) -> None:
    table = table_of(digside("play", "horus", data=tmp_path, typed="roll 5\nclose\n").stdout)
    file = tmp_path / "game.json"
    digside("record", table, "-o", str(file), data=tmp_path)
    seal, head = (json.loads(file.read_text())[key] for key in ("laid", "head"))
    told = digside("verify", str(file), data=tmp_path).stdout
    assert f"Seal: {seal['seal']}" in told
    assert f"Head: {head}" in told
    for words, ends in (
        (("--seal", seal["seal"], "--head", head), 0),
        (
            (
                "--head",
                f"7:{head[:40].upper()}",
            ),
            0,
        ),
        (
            (
                "--head",
                f"6:{head}",
            ),
            1,
        ),
        (("--seal", head), 1),
        (("--seal", seal["seal"][:31]), 2),
        (("--head", "x:" + head), 2),
    ):
        assert digside("verify", str(file), *words, data=tmp_path).returncode == ends, words


def test_a_record_that_cannot_be_written_is_said_to_be_none(tmp_path: Path) -> None:
    table = table_of(digside("play", "horus", data=tmp_path).stdout)
    ran = digside("record", table, "-o", str(tmp_path / "none" / "game.json"), data=tmp_path)
    assert (ran.returncode, "cannot be written" in ran.stderr) == (1, True)


def test_a_record_whose_luck_is_only_partly_proved_does_not_pass(tmp_path: Path) -> None:
    table = table_of(digside("play", "horus", data=tmp_path, typed="roll 5\nclose\n").stdout)
    record = json.loads(digside("record", table, data=tmp_path).stdout)
    seal = hashlib.sha256(bytes(32)).hexdigest()
    *lines, last = record["entries"]
    added = {**last, "entry": {"kind": "seal", "seal": seal}}
    entries = [*lines, added, {**last, "seq": last["seq"] + 1}]
    laid = {**record["laid"], "chain": 0}
    forged = {**record, "laid": laid, "head": None, "secret": bytes(32).hex(), "entries": entries}
    proof = digside("verify", "-", data=tmp_path, typed=json.dumps(forged))
    assert (proof.returncode, "5 draws were under an earlier seal" in proof.stdout) == (1, True)


def test_an_unfinished_table_has_nothing_to_prove_yet(tmp_path: Path) -> None:
    table = table_of(digside("play", "jenseits", data=tmp_path, typed="deal\n").stdout)
    record = digside("record", table, data=tmp_path).stdout
    proof = digside("verify", "-", data=tmp_path, typed=record)
    assert proof.returncode == 1
    assert "not over yet" in proof.stdout


def test_a_draw_at_the_table_is_reported(tmp_path: Path) -> None:
    typed = "roll 2\nreport 6\nreport 9\nreport 1\nboard\n"
    ran = digside("play", "horus", "--source", "dice=table", data=tmp_path, typed=typed)
    assert "[6] [1]" in ran.stdout
    assert "9 cannot be the answer here" in ran.stdout


def test_refusals_are_in_the_language_of_the_terminal(tmp_path: Path) -> None:
    ran = digside("play", "horus", data=tmp_path, typed="undo\n", LANG="de_DE.UTF-8")
    assert "Es gibt nichts zurückzunehmen." in ran.stdout


def test_the_boxes_are_listed_shown_and_checked(tmp_path: Path) -> None:
    listed = digside("box", "list", data=tmp_path).stdout
    assert [line.split()[0] for line in listed.splitlines() if line[0] != " "] == [
        "jenseits",
        "tomb_raiders",
        "horus",
        "tutankhamun",
    ]
    assert "--source dice|blocks|decks=table\n    --option mummies=usual|alternative\n" in listed
    own_dice = ("play", "horus", "--source", "dice=table", "--option", "mummies=alternative")
    assert digside(*own_dice, data=tmp_path).returncode == 0
    shown = digside("box", "show", "tomb_raiders", data=tmp_path).stdout
    assert "house" in shown
    own = tmp_path / "horus.toml"
    own.write_text("[dice]\nfaces = 0\n")
    checked = digside("box", "check", str(own), data=tmp_path)
    assert checked.returncode == 1
    assert "dice.faces" in checked.stdout


def test_the_doctor_finds_the_rig_that_would_be_opened(tmp_path: Path) -> None:
    unchosen = "· no hardware has been chosen: digside rig"
    assert digside("doctor", data=tmp_path).stdout.splitlines()[-1] == unchosen
    (tmp_path / "rig.toml").write_text('kind = "sim"\n')
    assert digside("doctor", data=tmp_path).stdout.splitlines()[-1] == "✓ the rig is in order"
    (tmp_path / "rig.toml").write_text('kind = "sim"\nboard = 1\n')
    assert digside("doctor", data=tmp_path).stdout.splitlines()[-1].endswith("rig.toml:2: board is not known here")


def test_the_doctor_says_what_is_not_well(tmp_path: Path) -> None:
    well = digside("doctor", "--rig", "none", data=tmp_path)
    assert well.returncode == 0, well.stdout
    (tmp_path / "boxes").mkdir(exist_ok=True)
    (tmp_path / "boxes" / "horus.toml").write_text("[dice]\nfaces = 0\n")
    ill = digside("doctor", "--rig", "none", data=tmp_path)
    assert ill.returncode == 1
    assert "dice.faces" in ill.stdout


def test_the_doctor_says_where_the_tables_of_the_service_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "DATA", tmp_path / "service")
    (tmp_path / "own").mkdir()
    for there in (False, True):
        cli.main(["doctor", "--rig", "none", "--data", str(tmp_path / "own")])
        assert ("sudo digside doctor" in capsys.readouterr().out) is there
        (tmp_path / "service").mkdir(exist_ok=True)
    cli.main(["doctor", "--rig", "none", "--data", str(tmp_path / "service")])
    assert "sudo digside doctor" not in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        ["play"],
        ["play", "chess"],
        ["play", "--resume"],
        ["play", "jenseits", "--bots", "9"],
        ["play", "horus", "--bots", "7"],
        ["record", "none"],
        ["verify", "no.json"],
    ],
)
def test_a_wrong_call_has_a_clear_answer(tmp_path: Path, words: list[str]) -> None:
    ran = digside(*words, data=tmp_path)
    assert ran.returncode == 1
    assert ran.stderr.startswith("digside: ")
    assert "Traceback" not in ran.stderr


def test_help_leads_with_what_one_wants(tmp_path: Path) -> None:
    said = digside(data=tmp_path).stdout
    for word in ("digside serve", "digside play BOX", "digside verify", "doctor"):
        assert word in said


def test_the_version_imports_nothing_it_does_not_need() -> None:
    code = (
        "import sys; from companion.terminal import cli\n"
        "try: cli.main(['--version'])\nexcept SystemExit: pass\n"
        "print(sorted(m for m in sys.modules if m.split('.')[0] in "
        "{'flask', 'msgspec', 'sqlite3', 'gpiozero', 'serial', 'PIL', 'uvicorn', 'web_ui', 'hardware'}))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert said.splitlines()[1] == "[]"


def test_what_is_to_be_typed_is_never_translated(tmp_path: Path) -> None:
    typed = "fly\ncorrect\nroll x\nroll\nblock 1 2\n"
    ran = digside("play", "horus", data=tmp_path, typed=typed, LANG="fr_FR.UTF-8")
    said = [line.replace("\u00a0", " ") for line in ran.stdout.splitlines() if line.startswith("✗")]
    tools = (
        "roll, reroll, pick_lock, chest_die, block, look_at_block, keep_block, mummies, lay_mummy, turn_up, read_tomb, "
        "lay_card"
    )
    assert said == [
        f"✗ « fly » est inconnu ici ; il y a : {tools}, shuffle, carry, pass_on, award, shovel. Tape help.",
        "✗ «  » est inconnu ici ; il y a : fallen, wall, mummy, points, printed. Tape help.",
        "✗ Commande incorrecte. Usage : roll count",
        "✗ Commande incorrecte. Usage : roll count",
        "✗ Mot inattendu « 1 ». Usage : block",
    ]
    assert "jenseits, tomb_raiders, horus, tutankhamun" in digside("play", "chess", data=tmp_path).stderr


def test_help_tells_how_each_move_and_correction_is_typed(tmp_path: Path) -> None:
    said = digside("play", "horus", data=tmp_path, typed="help\n").stdout
    assert "  shovel grip|release|stop\n" in said
    assert "  correct mummy mummy square towards\n" in said
    assert "correct marker" not in said, "there is no track in this box"
    assert "correct marker seat at" in digside("play", "jenseits", data=tmp_path, typed="\nhelp\n").stdout


def test_a_refusal_names_things_as_its_table_does(tmp_path: Path) -> None:
    typed = "\ndraw egypt 1\nreport book:egypt\n"
    ran = digside("play", "jenseits", "--source", "tokens=table", data=tmp_path, typed=typed, LANG="fr")
    assert "✗ livre sur l’Égypte ne peut pas" in ran.stdout


@pytest.mark.parametrize("language", ["en", "fr", "it", "de"])
def test_a_piece_that_is_not_out_yet_has_no_heading(tmp_path: Path, language: str) -> None:
    said = digside("play", "jenseits", data=tmp_path, typed="\nboard\n", LANG=language).stdout
    track = {"en": "time track", "fr": "échelle du temps", "it": "tracciato del tempo", "de": "Zeitleiste"}[language]
    before, after = said.split("place" if language == "en" else "1", 1)
    assert track not in before
    assert track in after


class Screen(io.StringIO):
    """A terminal, or a file."""

    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.mark.parametrize(("terminal", "said"), [(True, "\r2 of 9…\r\033[K"), (False, "")])
def test_progress_is_shown_where_somebody_can_see_it(*, terminal: bool, said: str) -> None:
    screen, seconds = Screen(terminal=terminal), iter([0.0, 0.5, 1.2, 1.3, 1.4])
    with Progress(9, "en", said=screen, clock=lambda: next(seconds)) as progress:
        progress(1)
        progress(2)
    assert screen.getvalue() == said


def test_a_file_in_the_place_of_the_data_folder_is_called_so(tmp_path: Path) -> None:
    place = tmp_path / "data"
    place.write_text("")
    ran = digside("play", "horus", "--data", str(place), data=tmp_path)
    assert ran.stderr == f"digside: {place} is not a folder: choose another with --data.\n"


def test_only_an_open_table_of_the_box_is_gone_on_with(tmp_path: Path) -> None:
    first = table_of(digside("play", "horus", data=tmp_path, typed="roll 1\n").stdout)
    digside("play", "jenseits", data=tmp_path, typed="\n")
    digside("play", "horus", data=tmp_path, typed="roll 1\nclose\n")
    assert table_of(digside("play", "horus", "--resume", data=tmp_path).stdout) == first


def test_a_script_of_moves_may_have_remarks(tmp_path: Path) -> None:
    ran = digside("play", "horus", data=tmp_path, typed="# the first round\nroll 5\n")
    assert (ran.returncode, ran.stdout.count("✗")) == (0, 0)


@pytest.mark.parametrize("words", [["doctor"], ["rig", "none"], ["restore"], ["hall"]], ids=" ".join)
def test_a_folder_of_somebody_elses_is_told_in_a_sentence(
    tmp_path: Path, words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def denied(*_: object) -> int:
        raise PermissionError(13, "Permission denied", str(tmp_path))

    monkeypatch.setattr(cli, f"_run_{words[0]}", denied)
    assert cli.main([*words, "--data", str(tmp_path)]) == 1
    assert capsys.readouterr().err == f"digside: {tmp_path} cannot be read: Permission denied\n"


def test_commands_look_into_a_database(database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    address, file = database.make(), tmp_path / "game.json"
    there = ["--journal", address, "--data", str(tmp_path)]
    ran = digside("play", "horus", *there, data=tmp_path, typed="award 0 5\n")
    assert ran.returncode == 0, ran.stderr
    table = table_of(ran.stdout)
    assert digside("play", "--table", table, *there, data=tmp_path, typed="close\n").returncode == 0
    assert cli.main(["hall", *there]) == 0
    assert capsys.readouterr().out.startswith(table)
    assert cli.main(["record", table, "-o", str(file), *there]) == 0
    assert json.loads(file.read_bytes())["laid"]["table"] == table
    capsys.readouterr()
    cli.main(["doctor", "--rig", "none", *there])
    lines = capsys.readouterr().out.splitlines()
    assert {"✓ the database answers and accepts steps", "· back the database up with its own tools: pg_dump"} < {*lines}
    assert any(line.startswith("✓ 1 table") for line in lines), lines
    assert not (tmp_path / "digside.sqlite").exists()


@pytest.mark.parametrize("words", [["backup"], ["backup", "--if-due"], ["restore"], ["restore", "a.sqlite"]])
def test_copies_of_a_database_are_its_own_affair(
    tmp_path: Path, words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DIGSIDE_JOURNAL", "postgresql://digside@database/digside")
    assert cli.main([*words, "--data", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert said.startswith("digside: The tables are in a database: pg_dump")
    assert said.count("\n") == 1


@pytest.mark.parametrize("command", ["hall", "serve", "doctor"])
def test_a_database_that_cannot_be_looked_into_is_told_in_a_sentence(
    database: Database, tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [command, "--data", str(tmp_path)] + (["--rig", "none"] if command != "hall" else [])
    if command == "serve":
        words += ["--host", "127.0.0.1", "--port", str(free_port())]
    away = "postgresql://ada:geheim@127.0.0.1:1/none"
    for address, told in (("nonsense://x", "postgresql://"), (away, "127.0.0.1/none does not answer: ")):
        assert cli.main([*words, "--journal", address]) == 1
        said = "".join(capsys.readouterr())
        assert told in said
        assert "Traceback" not in said
        assert "geheim" not in said
    if command == "hall":
        assert cli.main([*words, "--journal", database.make()]) == 1
        assert "There is no Digside data" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("docter", "Did you mean “doctor”?"),
        ("box lst", "Did you mean “list”?"),
        ("serve --prot 1", "Did you mean “--port”?"),
        ("play horus --mode refree", "Did you mean “referee”?"),
        ("zzz", "invalid choice"),
        ("serve --zzz", "unrecognized arguments"),
    ],
)
def test_a_typo_is_answered_with_what_was_meant(words: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(words.split())
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def test_help_is_a_command_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    for words, said in (("help", "usage: digside [-h]"), ("help box show", "usage: digside box show [-h]")):
        with pytest.raises(SystemExit) as ended:
            cli.main(words.split())
        assert ended.value.code == 0
        assert capsys.readouterr().out.startswith(said)


@pytest.mark.parametrize("command", ["doctor", "serve", "play horus", "owner", "hub", "rig none", "backup", "restore"])
@pytest.mark.parametrize("folder", ["/proc/digside", "/dev/null"])
def test_a_folder_that_cannot_be_is_refused_in_a_sentence(
    command: str, folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*command.split(), "--data", folder, *(["--port", str(free_port())] if command in {"serve", "hub"} else [])]
    assert cli.main(words) == 1
    said = capsys.readouterr().err
    assert folder in said
    assert said.count("\n") == 1


def test_the_doctor_makes_no_folder_to_find_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    typo = tmp_path / "typo"
    assert cli.main(["doctor", "--rig", "none", "--data", str(typo)]) == 1
    assert capsys.readouterr().err == f"digside: There is no Digside data in {typo}.\n"
    empty = tmp_path / "empty"
    empty.mkdir()
    assert cli.main(["doctor", "--rig", "none", "--data", str(empty)]) == 0
    assert f"· no table is kept in {empty} yet: digside serve begins there" in capsys.readouterr().out
    assert (list(empty.iterdir()), typo.exists()) == ([], False)


def test_a_closed_standard_input_is_an_empty_one(tmp_path: Path) -> None:
    digside("play", "horus", data=tmp_path)
    for words, status in (("move x http://127.0.0.1:9", 1), ("rig", 1), ("play horus", 0), ("verify -", 1)):
        command = f"exec {sys.executable} -m companion.terminal.cli {words} <&-"
        env = {"PATH": os.environ["PATH"], "DIGSIDE_DATA": str(tmp_path)}
        ran = subprocess.run(command, shell=True, capture_output=True, text=True, check=False, cwd=ROOT, env=env)
        assert (ran.returncode, "Traceback" in ran.stderr) == (status, False), ran.stderr
        assert ran.stderr.count("\n") <= 1, ran.stderr


def test_what_is_no_port_is_taken_for_no_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["rig", "nano", "--port", "/dev/null", "--data", str(tmp_path)]) == 1
    assert capsys.readouterr().err == "digside: /dev/null: is not a serial port\n"
    assert cli.main(["flash", "--port", "/dev/null", "--data", str(tmp_path)]) == 1
    assert "/dev/null is not a serial port" in capsys.readouterr().err
    assert not (tmp_path / "rig.toml").exists()
    plugged = os.openpty()[1]
    assert cli.main(["rig", "nano", "--port", os.ttyname(plugged), "--data", str(tmp_path)]) == 0
    os.close(plugged)
