"""What an operator may set, and what is said when it is wrong."""

import ipaddress
from datetime import timedelta
from pathlib import Path

import pytest

from wireroom.errors import SettingsError
from wireroom.settings import Settings, described, is_secret, read


def refused(environment: dict[str, str], dotenv: Path | None = None) -> str:
    """The sentence with which these settings are refused."""
    with pytest.raises(SettingsError) as caught:
        read(environment, dotenv=dotenv)
    return str(caught.value)


# -- where values come from -----------------------------------------------------------------------


def test_nothing_set_gives_the_defaults() -> None:
    """An empty environment is a complete configuration."""
    assert Settings() == read({})


def test_the_environment_wins_over_the_dotenv_file(tmp_path: Path) -> None:
    """Environment, then `.env`, then the default."""
    dotenv = tmp_path / ".env"
    dotenv.write_text("WIREROOM_LISTEN=127.0.0.1:1\nWIREROOM_CONTACT=from-file@example.org\n")

    settings = read({"WIREROOM_LISTEN": "127.0.0.1:2"}, dotenv=dotenv)

    assert "127.0.0.1:2" == settings.listen
    assert "from-file@example.org" == settings.contact
    assert Settings().poll_concurrency == settings.poll_concurrency


@pytest.mark.parametrize(
    ("given", "layout"),
    [
        ({"POST_TEMPLATE": "{{.Title}}"}, "{{.Title}}"),
        ({"POST_TEMPLATE": "{{.Title}}", "WIREROOM_POST_TEMPLATE": "{{ title }}"}, "{{ title }}"),
    ],
    ids=["the old name", "ours wins"],
)
def test_old_names_are_read(given: dict[str, str], layout: str) -> None:
    """RSS Bot's POST_TEMPLATE is ours under its old name (TGD-18)."""
    assert layout == read(given).post_template


def test_a_missing_dotenv_file_is_none(tmp_path: Path) -> None:
    """The file is a convenience, not a duty."""
    assert Settings() == read({}, dotenv=tmp_path / ".env")


def test_a_dotenv_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """A folder in its place is an error in words, not a traceback."""
    assert f"{tmp_path} cannot be read: Is a directory." == refused({}, dotenv=tmp_path)


@pytest.mark.parametrize(
    ("line", "contact"),
    [
        pytest.param("WIREROOM_CONTACT=a@b.example", "a@b.example", id="bare"),
        pytest.param("export WIREROOM_CONTACT=a@b.example", "a@b.example", id="export"),
        pytest.param("  WIREROOM_CONTACT = a@b.example  ", "a@b.example", id="spaces around"),
        pytest.param("WIREROOM_CONTACT='a # b'", "a # b", id="single quotes"),
        pytest.param('WIREROOM_CONTACT="a = b"', "a = b", id="double quotes"),
        pytest.param("WIREROOM_CONTACT=a@b.example # mine", "a@b.example", id="comment behind"),
        pytest.param("WIREROOM_CONTACT=a#b", "a#b", id="hash in the value"),
        pytest.param("WIREROOM_CONTACT='", "'", id="one lonely quote"),
        pytest.param("WIREROOM_CONTACT=", "", id="empty"),
        pytest.param("#WIREROOM_CONTACT=a@b.example", "", id="commented out"),
        pytest.param("just words", "", id="no assignment"),
    ],
)
def test_dotenv_lines_read_as_shells_read_them(tmp_path: Path, line: str, contact: str) -> None:
    """Quotes, comments and `export` mean what people expect of such files."""
    dotenv = tmp_path / ".env"
    dotenv.write_text(f"\n{line}\n")

    assert contact == read({}, dotenv=dotenv).contact


# -- values from files ----------------------------------------------------------------------------


def test_a_value_can_lie_in_a_file(tmp_path: Path) -> None:
    """NAME_FILE reads a secret from where systemd or a container puts it (SEC-15)."""
    file = tmp_path / "token"
    file.write_text("12345:canary\n")

    assert "12345:canary" == read({"WIREROOM_TELEGRAM_TOKEN_FILE": str(file)}).telegram_token


def test_a_value_and_its_file_together_are_refused(tmp_path: Path) -> None:
    """Which of the two was meant is not guessed."""
    given = {"WIREROOM_CONTACT": "a", "WIREROOM_CONTACT_FILE": str(tmp_path / "contact")}

    assert "Set either WIREROOM_CONTACT or WIREROOM_CONTACT_FILE, not both." == refused(given)


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    """The sentence names the setting, the file and the reason."""
    file = tmp_path / "absent"

    assert f"WIREROOM_CONTACT_FILE: {file} cannot be read: No such file or directory." == refused(
        {"WIREROOM_CONTACT_FILE": str(file)}
    )


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    """Thirty-two raw bytes are not the base64 that is wanted, and no traceback either."""
    file = tmp_path / "key"
    file.write_bytes(b"\xff\xfe\x00")

    assert f"WIREROOM_SECRET_KEY_FILE: {file} cannot be read: it is not UTF-8 text." == refused(
        {"WIREROOM_SECRET_KEY_FILE": str(file)}
    )


# -- converters -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        pytest.param("poll", "off", False, id="switch off"),
        pytest.param("poll", "NO", False, id="switch in capitals"),
        pytest.param("poll", "", True, id="empty is not set"),
        pytest.param("telegram_api", " ", "https://api.telegram.org", id="blank is not set"),
        pytest.param("allow_http", "1", True, id="switch as digit"),
        pytest.param("poll_concurrency", " 8 ", 8, id="number with spaces"),
        pytest.param("poll_interval", "90", timedelta(seconds=90), id="bare seconds"),
        pytest.param("poll_interval", "10m", timedelta(minutes=10), id="minutes"),
        pytest.param("poll_interval", "1.5 h", timedelta(minutes=90), id="hours with a fraction"),
        pytest.param("poll_interval", "2D", timedelta(days=2), id="days in capitals"),
        pytest.param("poll_interval", "1h30m", timedelta(minutes=90), id="as Go writes it"),
        pytest.param("poll_interval", "500ms", timedelta(seconds=0.5), id="milliseconds"),
        pytest.param("data_dir", "/srv/wire", Path("/srv/wire"), id="path"),
        pytest.param(
            "allowed_hosts", "a.example, ,b.example", ("a.example", "b.example"), id="list"
        ),
        pytest.param("allowed_hosts", "", (), id="empty list"),
        pytest.param(
            "allow_networks",
            "192.168.1.0/24, fd00::/8",
            (ipaddress.ip_network("192.168.1.0/24"), ipaddress.ip_network("fd00::/8")),
            id="networks of both families",
        ),
        pytest.param("allow_networks", "", (), id="no networks"),
        pytest.param("contact", "  me@example.org ", "me@example.org", id="text"),
    ],
)
def test_texts_become_values(name: str, text: str, value: object) -> None:
    """Each kind of setting is read in the spellings that people use."""
    assert value == getattr(read({f"WIREROOM_{name.upper()}": text}), name)


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        pytest.param("POLL", "perhaps", "is not a switch: write on or off.", id="switch"),
        pytest.param("POLL_CONCURRENCY", "many", "is not a whole number above zero.", id="number"),
        pytest.param("POLL_CONCURRENCY", "0", "is not a whole number above zero.", id="zero"),
        pytest.param("MAX_BODY_BYTES", "-5", "is not a whole number above zero.", id="negative"),
        pytest.param(
            "POLL_TICK",
            "soon",
            "is not a duration above zero: write 90s, 10m, 6h or 1d.",
            id="duration",
        ),
        pytest.param(
            "POLL_INTERVAL",
            "0m",
            "is not a duration above zero: write 90s, 10m, 6h or 1d.",
            id="no time at all",
        ),
        pytest.param(
            "POLL_INTERVAL",
            "9999999999d",
            "is not a duration above zero: write 90s, 10m, 6h or 1d.",
            id="more days than there are",
        ),
        pytest.param(
            "UPDATE_PERIOD",
            "always",
            "is none of ignored, unless_hourly, honoured.",
            id="no rule",
        ),
        pytest.param(
            "CALIBRATE_AT",
            "25:00",
            "is no time of day: write 17:01 (UTC), 00:01 Europe/Berlin or off.",
            id="no time of day",
        ),
        pytest.param(
            "CALIBRATE_AT",
            "04:00 Middle/Earth",
            "is no time of day: write 17:01 (UTC), 00:01 Europe/Berlin or off.",
            id="no zone",
        ),
        pytest.param(
            "ALLOW_NETWORKS",
            "192.168.1.5/24",
            "is not a list of networks such as 192.168.1.0/24,fd00::/8.",
            id="host bits set",
        ),
        pytest.param(
            "LISTEN", "8780", "is not an address and port: write 127.0.0.1:8780.", id="no address"
        ),
        pytest.param(
            "LISTEN",
            "127.0.0.1:99999",
            "is not an address and port: write 127.0.0.1:8780.",
            id="no such port",
        ),
        pytest.param(
            "PUBLIC_URL", "news.example", "must begin with https:// (or http://).", id="no scheme"
        ),
        pytest.param(
            "TELEGRAM_API", "ftp://x", "must begin with https:// (or http://).", id="wrong scheme"
        ),
        pytest.param(
            "LOG_LEVEL",
            "LOUD",
            "is none of DEBUG, INFO, WARNING, ERROR, CRITICAL.",
            id="log level",
        ),
    ],
)
def test_a_wrong_value_is_named_with_what_may_stand_there(
    name: str, text: str, sentence: str
) -> None:
    """One sentence: the setting, what it holds, what it may hold."""
    assert f"WIREROOM_{name}={text!r} {sentence}" == refused({f"WIREROOM_{name}": text})


def test_a_wrong_log_format_is_named() -> None:
    """The two formats are offered."""
    assert "WIREROOM_LOG_FORMAT='xml': write console or json." == refused(
        {"WIREROOM_LOG_FORMAT": "xml"}
    )


# -- names that are none --------------------------------------------------------------------------


def test_a_misspelt_name_gets_a_hint() -> None:
    """A setting that would be ignored stops the start, with the name that was meant."""
    sentence = "There is no setting WIREROOM_LISTN. Did you mean WIREROOM_LISTEN?"

    assert sentence == refused({"WIREROOM_LISTN": "127.0.0.1:1"})


def test_a_misspelt_file_name_gets_a_hint() -> None:
    """The hint keeps the suffix."""
    sentence = (
        "There is no setting WIREROOM_TELEGRAM_TOKN_FILE. "
        "Did you mean WIREROOM_TELEGRAM_TOKEN_FILE?"
    )

    assert sentence == refused({"WIREROOM_TELEGRAM_TOKN_FILE": "/run/token"})


def test_a_name_like_no_other_leads_to_the_list() -> None:
    """Without anything near, the documentation is named."""
    assert "There is no setting WIREROOM_XYZZY_QQ. See docs/settings.md." == refused(
        {"WIREROOM_XYZZY_QQ": "1"}
    )


def test_names_of_others_are_left_alone() -> None:
    """Only what begins with WIREROOM_ is ours, and the tests' own names are not settings."""
    assert Settings() == read(
        {"PATH": "/bin", "WIREROOM_TEST_POSTGRESQL": "x", "WIREROOM_CORPUS": "y"}
    )


# -- secrets --------------------------------------------------------------------------------------

_CANARY = "canary-4f7d1c"
_SECRET_NAMES = [name for name in Settings.__slots__ if is_secret(name)]


def test_the_secret_settings_are_marked() -> None:
    """Whoever adds one must see it here."""
    assert [
        "database", "secret_key", "oidc_client_secret", "telegram_token", "smtp",
        "discord_token",
    ] == _SECRET_NAMES  # fmt: skip


@pytest.mark.parametrize("name", _SECRET_NAMES)
def test_secrets_are_in_no_printed_settings(name: str) -> None:
    """Neither repr nor str nor a format shows the value of a secret setting."""
    settings = read({f"WIREROOM_{name.upper()}": _CANARY})

    assert _CANARY == getattr(settings, name)
    assert _CANARY not in f"{settings!r} {settings} {settings!s}"


@pytest.mark.parametrize("name", _SECRET_NAMES)
def test_secrets_are_in_no_error(name: str) -> None:
    """A wrong setting beside a secret one is refused without the secret."""
    given = {f"WIREROOM_{name.upper()}": _CANARY, "WIREROOM_POLL": "perhaps"}

    assert _CANARY not in refused(given)


# -- what is derived and described ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("listen", "pair"),
    [
        pytest.param("127.0.0.1:8780", ("127.0.0.1", 8780), id="IPv4"),
        pytest.param("[::1]:0", ("::1", 0), id="IPv6"),
        pytest.param("localhost:80", ("localhost", 80), id="name"),
    ],
)
def test_listen_comes_apart(listen: str, pair: tuple[str, int]) -> None:
    """Brackets of IPv6 addresses are not part of the host."""
    assert pair == read({"WIREROOM_LISTEN": listen}).host_and_port


def test_the_database_lies_in_the_data_folder_by_default() -> None:
    """One folder holds everything unless somebody says otherwise."""
    settings = read({"WIREROOM_DATA_DIR": "/srv/wire"})

    assert "sqlite:////srv/wire/wireroom.sqlite3" == settings.database_url
    assert Path("/srv/wire/secret.key") == settings.key_file


def test_every_setting_is_described() -> None:
    """Name, default and help of each; the help is a sentence."""
    rows = described()

    assert [f"WIREROOM_{name.upper()}" for name in Settings.__slots__] == [row[0] for row in rows]
    assert [] == [name for name, _, help_ in rows if not help_.endswith(".") or len(help_) < 20]


@pytest.mark.parametrize(
    ("name", "default"),
    [
        pytest.param("WIREROOM_DATA_DIR", "data", id="path"),
        pytest.param("WIREROOM_POLL", "on", id="switch on"),
        pytest.param("WIREROOM_ALLOW_HTTP", "off", id="switch off"),
        pytest.param("WIREROOM_FETCH_SPACING", "1s", id="duration"),
        pytest.param("WIREROOM_POLL_INTERVAL", "", id="none"),
        pytest.param("WIREROOM_ALLOW_NETWORKS", "", id="empty list"),
        pytest.param("WIREROOM_MAX_BODY_BYTES", "5000000", id="number"),
    ],
)
def test_defaults_are_spelled_as_people_write_them(name: str, default: str) -> None:
    """What the documentation shows as default may be typed as value."""
    assert default == {row[0]: row[1] for row in described()}[name]


@pytest.mark.parametrize(
    ("old", "value", "field", "expected"),
    [
        ("BOT_TOKEN", "1:abc", "telegram_token", "1:abc"),
        ("TELEGRAM_BOT_TOKEN", "1:abc", "telegram_token", "1:abc"),
        ("TELEGRAM_BASE_URL", "http://bots.example", "telegram_api", "http://bots.example"),
        ("TELEGRAM_BOT_HANDLE", "@our_bot", "telegram_handle", "@our_bot"),
        ("ADMIN_ID", "7", "telegram_admin", 7),
        ("ADMIN_TELEGRAM_ID", "7", "telegram_admin", 7),
        ("OWNER_TELEGRAM_ID", "8", "telegram_owner", 8),
        ("SUBSCRIPTION_LIMIT", "5", "telegram_subscription_limit", "5"),
        ("FILTER_LIMIT", "3", "filter_limit", 3),
    ],
)
def test_names_of_other_bots(old: str, value: str, field: str, expected: object) -> None:
    """Users of RSS Bot and El Monitorro keep their environment; our own name wins."""
    ours = f"WIREROOM_{field.upper()}"

    assert expected == getattr(read({old: value}), field)
    assert expected == getattr(read({ours: value, old: "http://other.example/1"}), field)


# -- moving from rss-feed -------------------------------------------------------------------------


def test_the_old_names_of_rss_feed() -> None:
    """Its users keep their environment and choose its profile (DESIGN: old names)."""
    settings = read(
        {
            "WIREROOM_PROFILE": "rss-feed",
            "DISCORD_TOKEN": "t",
            "MIN_INTERVAL": "120",
            "DEFAULT_INTERVAL": "14400",
            "MAX_ITEMS_PER_POLL": "5",
            "SEND_SPACING": "1.0",
            "PAGE_SIZE": "5",
            "LOG_DIR": "storage/logs",
            "LOG_BACKUP_COUNT": "3",
            "RSS_COLOR": "0xEE802F",
            "ERROR_COLOR": "0xE74C3D",
            "FETCH_TIMEOUT": "20",
            "MAX_BACKOFF": "3600",
        }
    )

    assert ("t", 5, 5, "0xEE802F") == (
        settings.discord_token,
        settings.discord_burst,
        settings.discord_page_size,
        settings.discord_color,
    )
    assert ("0xE74C3D", timedelta(seconds=20), timedelta(hours=1)) == (
        settings.discord_error_color,
        settings.fetch_timeout,
        settings.poll_backoff_max,
    )
    assert timedelta(minutes=2) == settings.poll_interval_min
    assert timedelta(hours=4) == settings.poll_interval
    assert (Path("storage/logs"), 3) == (settings.log_dir, settings.log_backup_count)


def test_common_names_count_for_that_profile_only() -> None:
    """Somebody else's PAGE_SIZE is none of ours."""
    assert 5 == read({"PAGE_SIZE": "17"}).discord_page_size
    assert Settings() == read({"POLL_INTERVAL": "5m", "SYNC_INTERVAL_SECONDS": "5"})


# -- moving from RSS Bot and El Monitorro ---------------------------------------------------------


def test_the_old_names_of_rss_bots_polling() -> None:
    """Its users keep their environment and choose its profile (SCH-05, HTTP-14)."""
    settings = read(
        {
            "WIREROOM_PROFILE": "rssbot",
            "POLL_INTERVAL": "1m",
            "POLL_INTERVAL_MAX": "1h30m",
            "POLL_ADAPTIVE": "false",
            "POLL_CONCURRENCY": "3",
            "POLL_TICK": "10s",
        }
    )

    assert (timedelta(minutes=1), timedelta(minutes=90), False, 3, timedelta(seconds=10)) == (
        settings.poll_interval,
        settings.poll_interval_max,
        settings.poll_adaptive,
        settings.poll_concurrency,
        settings.poll_tick,
    )


@pytest.mark.parametrize("value", ["soon", "0", "0s", "-10m", "10 min", "9999999999d"])
def test_rss_bot_starts_with_durations_that_are_none(value: str) -> None:
    """Invalid, zero or negative: the default holds, and the log is told (SCH-11)."""
    told: list[str] = []
    environment = {"WIREROOM_PROFILE": "rssbot", "POLL_INTERVAL": value}
    settings = read(environment, passed_over=told.append)

    assert settings.poll_interval is None
    assert [f"WIREROOM_POLL_INTERVAL={value!r} is not a duration above zero: "] == [
        sentence.partition("write")[0] for sentence in told
    ]


def test_rss_bot_is_strict_with_all_that_is_no_duration() -> None:
    """A switch that is none stops the start in its profile, too."""
    assert "is not a switch" in refused({"WIREROOM_PROFILE": "rssbot", "WIREROOM_POLL": "perhaps"})


@pytest.mark.parametrize(
    ("seconds", "starts"),
    [("0.9", False), ("1", True), ("90", True), ("259200", True), ("259201", False)],
)
@pytest.mark.parametrize("name", ["SYNC_INTERVAL_SECONDS", "WIREROOM_POLL_INTERVAL"])
def test_el_monitorros_interval_has_bounds(name: str, seconds: str, starts: bool) -> None:
    """1 to 259200 s, kept to the second; anything else stops the start (SCH-19, SCH-20)."""
    given = {"WIREROOM_PROFILE": "el-monitorro", name: seconds}

    if starts:
        assert timedelta(seconds=int(seconds)) == read(given).poll_interval
    else:
        assert f"is {seconds} s: the profile el-monitorro takes 1 to 259200 s" in refused(given)


def test_el_monitorros_timeout_is_known() -> None:
    """Its REQUEST_TIMEOUT bounds a wait for the next bytes (HTTP-17)."""
    given = {"WIREROOM_PROFILE": "el-monitorro", "REQUEST_TIMEOUT": "7"}

    assert timedelta(seconds=7) == read(given).fetch_patience


def test_a_colour_that_is_none() -> None:
    """Refused at the start."""
    with pytest.raises(SettingsError, match="no colour"):
        read({"WIREROOM_DISCORD_COLOR": "orange"})
