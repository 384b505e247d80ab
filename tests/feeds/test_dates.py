"""What dates of feeds mean: the usual shapes, the odd ones of the wild, and what is no date."""

import json
import re
from datetime import UTC, datetime, timedelta, timezone
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.corpus import corpus_folder
from wireroom.feeds import dates, months

USUAL = {
    "rfc_822": ("Sat, 07 Sep 2002 00:00:01 GMT", "2002-09-07T00:00:01"),
    "rfc_822_offset": ("Thu, 01 Jan 2004 19:48:21 +0130", "2004-01-01T18:18:21"),
    "rfc_822_eastern": ("Sun, 14 Feb 2021 00:00:00 EST", "2021-02-14T05:00:00"),
    "rfc_822_no_weekday_no_seconds": ("1 Jan 2004 19:48 PDT", "2004-01-02T02:48:00"),
    "rfc_822_military_zone": ("Thu, 01 Jan 2004 19:48:21 A", "2004-01-01T19:48:21"),
    "rfc_822_unknown_zone": ("Thu, 01 Jan 2004 19:48:21 XYZT", "2004-01-01T19:48:21"),
    "rfc_3339": ("2003-12-31T10:14:55Z", "2003-12-31T10:14:55"),
    "rfc_3339_offset": ("2015-02-06T13:05:22-05:00", "2015-02-06T18:05:22"),
    "rfc_3339_fraction": ("2012-01-01T00:00:00.250Z", "2012-01-01T00:00:00.250000"),
    "no_zone_is_utc": ("2003-12-31T10:14:55", "2003-12-31T10:14:55"),
    "lower_case": ("2003-12-31t10:14:55z", "2003-12-31T10:14:55"),
}
W3CDTF = {
    "year": ("2003", "2003-01-01T00:00:00"),
    "month": ("2003-12", "2003-12-01T00:00:00"),
    "day": ("2003-12-31", "2003-12-31T00:00:00"),
    "minutes": ("2003-12-31T10:14Z", "2003-12-31T10:14:00"),
    "basic_day": ("20031231", "2003-12-31T00:00:00"),
    "basic": ("20031231T101455+0100", "2003-12-31T09:14:55"),
    "run_together": ("20031231101455", "2003-12-31T10:14:55"),
    "ordinal": ("2003-335", "2003-12-01T00:00:00"),
    "day_with_offset": ("2010-01-01+05:00", "2009-12-31T19:00:00"),
    "day_with_z": ("2010-01-01Z", "2010-01-01T00:00:00"),
    "seconds_since_1970": ("1577836800", "2020-01-01T00:00:00"),
    "milliseconds_since_1970": ("1577836800000", "2020-01-01T00:00:00"),
}
ODD = {
    "stray_angle": (">2015-02-06T13:05:22-05:00", "2015-02-06T18:05:22"),
    "slashes_year_first": ("2020/1/10 14:33:00", "2020-01-10T14:33:00"),
    "no_blank_before_zone": ("Tue, 27 Dec 2005 13:30:33+0900", "2005-12-27T04:30:33"),
    "sept_and_no_blank": ("Mon, 26 Sept 2005 21:46:23+0900", "2005-09-26T12:46:23"),
    "long_names_pm": ("Friday, January 29, 2021 04:42 PM", "2021-01-29T16:42:00"),
    "dotted_pm_and_zone": ("Dec 31, 2003 10:14 p.m. EST", "2004-01-01T03:14:00"),
    "rfc_822_with_pm": ("Mon, 30 Nov 2026 10:00 PM", "2026-11-30T22:00:00"),
    "rfc_822_with_am_and_seconds": ("Mon, 30 Nov 2026 12:00:05 AM", "2026-11-30T00:00:05"),
    "dotted_clock": ("30 Nov 2026 10.05.00 EST", "2026-11-30T15:05:00"),
    "dotted_clock_finnish": ("30. marraskuuta 2026 klo 9.05", "2026-11-30T09:05:00"),
    "dotted_clock_italian": ("30 novembre 2026 alle 10.30", "2026-11-30T10:30:00"),
    "dotted_clock_indonesian": ("Senin, 30 November 2026 - 10.30 WIB", "2026-11-30T03:30:00"),
    "midnight_is_12_am": ("Dec 31, 2003 12:05 AM", "2003-12-31T00:05:00"),
    "mssql": ("2004-07-08 23:56:58.0", "2004-07-08T23:56:58"),
    "asctime": ("Thu Jan  1 19:48:21 2004", "2004-01-01T19:48:21"),
    "asctime_zone_inside": ("Thu Jan 01 19:48:21 EST 2004", "2004-01-02T00:48:21"),
    "javascript": ("Thu Jan 01 2004 19:48:21 GMT+0100 (CET)", "2004-01-01T18:48:21"),
    "gmt_plus_hours": ("Thu, 01 Jan 2004 19:48:21 GMT+2", "2004-01-01T17:48:21"),
    "rfc_850": ("Wednesday, 31-Dec-03 10:14:55 GMT", "2003-12-31T10:14:55"),
    "two_digit_year": ("Fri, 31 Dec 99 10:14:55 GMT", "1999-12-31T10:14:55"),
    "three_digit_year": ("31 Dec 103 10:14:55 GMT", "2003-12-31T10:14:55"),
    "wrong_weekday": ("Mon, 01 Jan 2004 19:48:21 GMT", "2004-01-01T19:48:21"),
    "february_29_of_no_leap_year": ("2026-02-29T10:00:00Z", "2026-03-01T10:00:00"),
    "june_31": ("Thu, 31 Jun 2004 19:48:21 GMT", "2004-07-01T19:48:21"),
    "hour_24": ("Thu, 01 Jan 2004 24:00:00 GMT", "2004-01-02T00:00:00"),
    "iso_hour_24": ("2004-01-01T24:00:00Z", "2004-01-02T00:00:00"),
    "minute_60": ("Thu, 01 Jan 2004 19:60:21 GMT", "2004-01-01T20:00:21"),
    "commas_and_blanks": ("Thu,,  01  Jan,  2004  19:48:21  GMT", "2004-01-01T19:48:21"),
    "escaped_blanks": ("Thu,&nbsp;01&#160;Jan 2004 19:48:21 GMT", "2004-01-01T19:48:21"),
    "no_time": ("Thu, 01 Jan 2004", "2004-01-01T00:00:00"),
    "ordinal_words": ("1st of January, 2020", "2020-01-01T00:00:00"),
    "time_first": ("10:15, 31 December 2003", "2003-12-31T10:15:00"),
    "wide_digits": ("２０２０年１月１０日", "2020-01-10T00:00:00"),
    "arabic_digits": ("٢٠٢٠-٠١-١٠", "2020-01-10T00:00:00"),
    "minus_sign": ("2020-01-10T10:00:00\u221205:00", "2020-01-10T15:00:00"),
}
LANGUAGES = {
    "german": ("Mi, 05 März 2014 10:00:00 +0100", "2014-03-05T09:00:00"),
    "german_prose": ("am 5. Januar 2021 um 14.30 Uhr", "2021-01-05T14:30:00"),
    "german_dots": ("31.12.2003 - 10:15", "2003-12-31T10:15:00"),
    "french": ("lundi, 5 août 2019 à 14h30", "2019-08-05T14:30:00"),
    "french_mar_is_tuesday": ("mar., 06 févr. 2018 10:00:00 +0000", "2018-02-06T10:00:00"),
    "spanish": ("mié, 05 ene 2022 10:00:00 +0200", "2022-01-05T08:00:00"),
    "portuguese": ("5 de dezembro de 2020 10:00", "2020-12-05T10:00:00"),
    "italian": ("gio, 03 lug 2014 09:00:00 +0000", "2014-07-03T09:00:00"),
    "romanian": ("mie., 12 iun. 2019 10:00:00 +0000", "2019-06-12T10:00:00"),
    "catalan": ("5 març 2019", "2019-03-05T00:00:00"),
    "russian": ("ср, 10 мая 2017 11:11:11 +0300", "2017-05-10T08:11:11"),
    "ukrainian": ("Пт, 08 серпня 2014 10:00:00 +0300", "2014-08-08T07:00:00"),
    "polish": ("pon., 15 listopada 2021 10:00:00 +0000", "2021-11-15T10:00:00"),
    "polish_october": ("5 paź 2020", "2020-10-05T00:00:00"),
    "czech": ("15. července 2021", "2021-07-15T00:00:00"),
    "czech_november": ("15. listopadu 2021", "2021-11-15T00:00:00"),
    "slovak": ("5. júna 2020", "2020-06-05T00:00:00"),
    "dutch": ("wo, 05 mrt 2014 10:00:00 +0000", "2014-03-05T10:00:00"),
    "swedish": ("lör, 10 maj 2014 10:00:00 +0000", "2014-05-10T10:00:00"),
    "danish": ("ons, 05 okt 2016 10:00:00 +0000", "2016-10-05T10:00:00"),
    "norwegian": ("tir, 06 des 2016 10:00:00 +0000", "2016-12-06T10:00:00"),
    "finnish": ("ma, 02 kesäkuuta 2014 10:00:00 +0000", "2014-06-02T10:00:00"),
    "hungarian": ("2004-július-13T9:15-05:00", "2004-07-13T14:15:00"),
    "greek": ("Κυρ, 11 Ιούλ 2004 12:00:00 EST", "2004-07-11T17:00:00"),
    "greek_capitals": ("ΚΥΡ, 11 ΙΟΥΛΊΟΥ 2004", "2004-07-11T00:00:00"),
    "turkish": ("Paz, 05 Oca 2020 10:00:00 +0300", "2020-01-05T07:00:00"),
    "turkish_dots": ("07.02.2025", "2025-02-07T00:00:00"),
    "korean": ("2004-05-25 오후 11:23:17", "2004-05-25T23:23:17"),
    "korean_units": ("2004년 07월 08일 오전 12:30", "2004-07-08T00:30:00"),
    "korean_dots": ("2020. 1. 10. 오후 2:33", "2020-01-10T14:33:00"),
    "korean_month": ("금, 10 1월 2020 14:33:00 +0000", "2020-01-10T14:33:00"),
    "japanese": ("2020年1月10日(金) 14時33分", "2020-01-10T14:33:00"),
    "japanese_month": ("金, 10 12月 2020 14:33:00 +0000", "2020-12-10T14:33:00"),
    "chinese": ("2020年1月10日 下午2:33", "2020-01-10T14:33:00"),
    "chinese_month": ("週四, 01 十二月 2004 10:00:00 +0000", "2004-12-01T10:00:00"),
    "thai": ("พฤ., 03 พ.ย. 2005 21:24:18 +0000", "2005-11-03T21:24:18"),
    "thai_buddhist_year": ("พฤ., 03 พ.ย. 2548 21:24:18 +0000", "2005-11-03T21:24:18"),
    "arabic": ("5 يناير 2020 10:00 م", "2020-01-05T22:00:00"),
    "arabic_two_words": ("5 كانون الثاني 2020", "2020-01-05T00:00:00"),
    "persian": ("۵ ژانویه ۲۰۲۰ ۱۰:۰۰", "2020-01-05T10:00:00"),
    "english_morning": ("Mon, 21 Jan 2008 8:56 am PST", "2008-01-21T16:56:00"),
    "hebrew": ("5 בינואר 2020 10:00", "2020-01-05T10:00:00"),
    "hindi": ("5 जनवरी 2020", "2020-01-05T00:00:00"),
    "vietnamese": ("5 tháng 1 2020 10:00", "2020-01-05T10:00:00"),
    "indonesian": ("5 Agustus 2020", "2020-08-05T00:00:00"),
}
DAY_OR_MONTH_FIRST = {
    "only_one_reading": ("13/06/2023 10:00", "2023-06-13T10:00:00"),
    "only_the_other_reading": ("06/13/2023 10:00", "2023-06-13T10:00:00"),
    "both_the_same": ("06/06/2023", "2023-06-06T00:00:00"),
    "the_weekday_decides": ("Mon, 05/06/2023", "2023-06-05T00:00:00"),
    "a_clock_with_am_is_american": ("12/11/2026 10:00:00 AM", "2026-12-11T10:00:00"),
    "a_clock_with_pm_is_american": ("2/3/2026 3:05 PM", "2026-02-03T15:05:00"),
    "a_month_filled_up_is_australian": ("2/03/2026 3:05:00 PM", "2026-03-02T15:05:00"),
    "the_weekday_beats_the_clock": ("Thu 12/11/2026 10:00 AM", "2026-11-12T10:00:00"),
    "the_weekday_decides_otherwise": ("Saturday 05/06/2023", "2023-05-06T00:00:00"),
}
NO_DATE = {
    "question_mark": "?",
    "empty": "",
    "words": "yesterday at noon",
    "year_one": "Mon, 01 Jan 0001 00:00:00 +0000",
    "year_one_west": "0001-01-01T00:00:00-05:00",
    "epoch": "1970-01-01T00:00:00Z",
    "three_digit_day": "2004-10-067T00:00:00+02:00",
    "day_or_month": "05/06/2023",
    "weekday_fits_neither": "Wed, 05/06/2023",
    "weekday_fits_neither_with_pm": "Wed, 05/06/2023 1:00 PM",
    "day_or_month_by_the_24_hour_clock": "12/11/2026 10:00:00",
    "february_31": "Tue, 31 Feb 2026 10:00:00 GMT",
    "february_30_iso": "2026-02-30T10:00:00Z",
    "february_31_of_a_leap_year": "2028-02-31",
    "two_digit_year_first_or_last": "03-12-31",
    "month_13": "2020-13-01",
    "day_0": "Thu, 00 Jan 2004 19:48:21 GMT",
    "no_year": "5 January",
    "two_months": "5 January 2020 by May",
    "croatian_or_polish": "15. listopada 2021",
    "year_10000": "9999-12-31T23:59:59-05:00",
    "time_only": "10:15",
}


def _utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(text, expected, id=f"{name}")
        for table in (USUAL, W3CDTF, ODD, LANGUAGES, DAY_OR_MONTH_FIRST)
        for name, (text, expected) in table.items()
    ],
)
def test_date_is_read(text: str, expected: str) -> None:
    """Every shape that feeds were seen to write becomes the moment it means (B13)."""
    assert _utc(expected) == dates.read(text)


@pytest.mark.parametrize("text", NO_DATE.values(), ids=NO_DATE.keys())
def test_nothing_certain_is_no_date(text: str) -> None:
    """What is no date, an impossible one, or one of two dates, is None and no guess (B13)."""
    assert dates.read(text) is None


_moments = st.datetimes(
    min_value=datetime(1971, 1, 1), max_value=datetime(2099, 12, 31), timezones=st.just(UTC)
).map(lambda moment: moment.replace(microsecond=0))
_offsets = st.integers(-12 * 4, 14 * 4).map(
    lambda quarters: timezone(timedelta(minutes=15 * quarters))
)


@given(_moments, _offsets)
def test_usual_shapes_read_back(moment: datetime, offset: timezone) -> None:
    """RFC 822 and RFC 3339 read back exactly, in every zone."""
    local = moment.astimezone(offset)

    assert moment == dates.read(format_datetime(local))
    assert moment == dates.read(local.isoformat())
    assert moment == dates.read(local.isoformat(" "))


_rfc_822_shaped = st.builds(
    " ".join,
    st.tuples(
        st.sampled_from(["Mon,", "Tue", "Sun,"]),
        st.sampled_from(["0", "1", "07", "28", "29", "30", "31", "32"]),
        st.sampled_from(["Jan", "Feb", "Jun", "Sep", "Dec", "Okt", "Ene", "Foo"]),
        st.sampled_from(["0001", "1899", "1900", "1970", "2004", "2543", "9999"]),
        st.sampled_from(["00:00", "24:00", "23:59:59", "12:60", "00:00:00", "12:30:60", "25:00"]),
        st.sampled_from(["GMT", "Z", "EST", "IST", "AM", "PM", "XYZ", "+0000", "-0130"])
        | st.from_regex(r"[+-][0-9]{4}", fullmatch=True),
    ),
)


@given(_rfc_822_shaped)
def test_quick_reading_says_what_the_tolerant_one_says(text: str) -> None:
    """Blanks that the quick reading of RFC 822 does not know of change nothing, even where hours,
    days and zones are none."""
    assert dates.read(text.replace(" ", "  ")) == dates.read(text)


_RENDERINGS = (
    "%a %b %d %H:%M:%S %Y",
    "%A, %B %d, %Y %I:%M:%S %p",
    "%d.%m.%Y %H:%M:%S",
    "%Y/%m/%d %H:%M:%S",
    "%Y%m%dT%H%M%SZ",
    "%Y年%m月%d日 %H:%M:%S",
    "%d-%b-%Y %H:%M:%S UTC",
)


@given(_moments, st.sampled_from(_RENDERINGS))
def test_other_shapes_read_back(moment: datetime, shape: str) -> None:
    """Any moment in the shapes of the wild reads back."""
    assert moment == dates.read(moment.strftime(shape))


@given(
    st.text(max_size=300) | st.text(alphabet="0123456789-/.:TZ +,JanFeb月年日오후", max_size=40)
)
def test_any_text_is_read_without_an_error(text: str) -> None:
    """Whatever stands in a date field gives an aware UTC date or None."""
    when = dates.read(text)

    assert when is None or when.utcoffset() == timedelta(0)


@given(st.sampled_from(sorted(months.MONTHS)), st.integers(1, 28), st.integers(1950, 2099))
def test_every_month_name_is_read(name: str, day: int, year: int) -> None:
    """Each name of the table, between a day and a year, gives its month."""
    expected = datetime(year, months.MONTHS[name], day, tzinfo=UTC)

    assert expected == dates.read(f"{day} {name} {year}")


def test_no_name_stands_for_two_months() -> None:
    """The table has twelve columns in each row, and no word in two of them."""
    rows = [row.split() for row in months._MONTHS.strip().splitlines()]

    assert {12} == {len(row) for row in rows}
    assert {7} == {len(row.split()) for row in months._WEEKDAYS.strip().splitlines()}
    ambiguous = {n: c for n, c in months._numbered(months._MONTHS).items() if len(c) > 1}
    assert {} == ambiguous


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        pytest.param("1989-12-31T23:59:59", False, id="before_the_web"),
        pytest.param("1990-01-01T00:00:00", True, id="oldest"),
        pytest.param("2026-01-02T00:00:00", True, id="a_day_ahead"),
        pytest.param("2026-01-02T00:00:01", False, id="more_than_a_day_ahead"),
    ],
)
def test_plausible_dates(when: str, expected: bool) -> None:
    """A date is believed from 1990 on and up to a day ahead of now."""
    assert expected is dates.plausible(_utc(when), now=_utc("2026-01-01T00:00:00"))


_DATE_ELEMENT = re.compile(
    r"<(?:\w+:)?(?:pubDate|date|published|updated|modified|issued)>\s*(?:<!\[CDATA\[)?([^<\]]+)"
)
#: Files of which the notes say that the oracle misreads them.
_ORACLE_IS_WRONG = ("kc0011.rss", "halemo.net.edoar.xml")


def test_dates_of_the_wild_corpus() -> None:
    """Nearly every date of real feeds is read, and what the oracle read is among them."""
    folder = corpus_folder("wild")
    unread: list[str] = []
    missing: list[tuple[str, str]] = []
    total = compared = 0
    for line in (folder / "oracle.jsonl").read_text(encoding="utf-8").splitlines():
        feed = json.loads(line)
        text = (folder / feed["file"]).read_bytes().decode("utf-8", "replace")
        raw_dates = [raw.strip() for raw in _DATE_ELEMENT.findall(text)]
        read = {when.replace(microsecond=0) for raw in raw_dates if (when := dates.read(raw))}
        moments = read | {when + timedelta(seconds=1) for when in read}  # the oracle rounds
        total += len(raw_dates)
        unread += [raw for raw in raw_dates if dates.read(raw) is None]
        if feed["file"].endswith(_ORACLE_IS_WRONG):
            continue
        for entry in feed.get("entries") or ():
            for iso in filter(None, (entry.get("published_iso"), entry.get("updated_iso"))):
                compared += 1
                if raw_dates and iso > "1900" and datetime.fromisoformat(iso) not in moments:
                    missing.append((feed["file"], iso))

    assert total > 5_000
    assert compared > 5_000
    assert len(unread) < total * 0.01, unread[:20]
    assert len(missing) < compared * 0.01, missing[:20]
