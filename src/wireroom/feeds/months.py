"""The words of dates: months, weekdays, halves of the day and zone names, as tables.

A row is one language (or one family of spellings); columns are January to December or Monday to
Sunday; alternatives within a column are separated by "|". Words are compared after `folded`, so
case, accents and dots do not matter here. Additions need no code, but the tests refuse a word that
would stand for two months.
"""
# ruff: noqa: E501 - a row of the tables is one line

import unicodedata
from datetime import timedelta
from itertools import chain

_MONTHS = """
january|jan february|feb march|mar april|apr may june|jun july|jul august|aug september|sep|sept october|oct november|nov december|dec
januar|jänner|jän februar|feber|febr märz|maerz|mär|mrz - mai juni juli - - oktober|okt - dezember|dez
janvier|janv|jan février|févr|fév mars avril|avr mai juin juillet|juil août|aou septembre octobre novembre décembre|déc
enero|ene febrero marzo abril|abr mayo junio julio agosto|ago septiembre|setiembre|set octubre noviembre diciembre|dic
janeiro fevereiro|fev março - maio junho julho - setembro outubro|out novembro dezembro
gennaio|gen|genn febbraio|febb - aprile maggio|mag|magg giugno|giu luglio|lug - settembre|sett ottobre|ott novembre dicembre
gener febrer|febr març|març abril maig juny juliol|jul agost|ag setembre|setembre octubre novembre desembre|des
ianuarie|ian februarie martie aprilie mai iunie|iun iulie|iul - septembrie octombrie noiembrie|noi|noie decembrie
januari februari maart|mrt april mei - - augustus - oktober - -
- - mars - maj - - augusti - - - -
- - marts - - - - - - - - december|desember
januari februari maret april mei juni juli agustus|agt september oktober november desember
tammikuu|tammikuuta|tammi helmikuu|helmikuuta|helmi maaliskuu|maaliskuuta|maalis huhtikuu|huhtikuuta|huhti toukokuu|toukokuuta|touko kesäkuu|kesäkuuta|kesä heinäkuu|heinäkuuta|heinä elokuu|elokuuta|elo syyskuu|syyskuuta|syys lokakuu|lokakuuta|loka marraskuu|marraskuuta|marras joulukuu|joulukuuta|joulu
styczeń|stycznia|sty luty|lutego|lut marzec|marca kwiecień|kwietnia|kwi maj|maja czerwiec|czerwca|cze lipiec|lipca|lip sierpień|sierpnia|sie wrzesień|września|wrz październik|października|paź listopad|listopada|lis grudzień|grudnia|gru
leden|ledna|led únor|února|úno březen|března|bře duben|dubna|dub květen|května|kvě červen|června|čvn červenec|července|čvc srpen|srpna|srp září|zář říjen|října|říj listopad|listopadu|lis prosinec|prosince|pro
január|januára február|februára marec|marca apríl|apríla máj|mája jún|júna júl|júla augusta septembra október|októbra novembra decembra
január február|febr március|márc április|ápr május|máj június|jún július|júl augusztus szeptember|szept|szep október november december
ocak|oca şubat|şub mart nisan|nis mayıs|may haziran|haz temmuz|tem ağustos|ağu eylül|eyl ekim|eki kasım|kas aralık|ara
ιανουάριος|ιανουαρίου|ιαν φεβρουάριος|φεβρουαρίου|φεβ μάρτιος|μαρτίου|μαρ απρίλιος|απριλίου|απρ μάιος|μαΐου|μάι|μαϊ ιούνιος|ιουνίου|ιουν|ιον ιούλιος|ιουλίου|ιουλ|ιολ αύγουστος|αυγούστου|αυγ σεπτέμβριος|σεπτεμβρίου|σεπ|σεπτ οκτώβριος|οκτωβρίου|οκτ νοέμβριος|νοεμβρίου|νοε|νοεμ δεκέμβριος|δεκεμβρίου|δεκ
январь|января|янв февраль|февраля|фев|февр март|марта|мар апрель|апреля|апр май|мая июнь|июня|июн июль|июля|июл август|августа|авг сентябрь|сентября|сен|сент октябрь|октября|окт ноябрь|ноября|ноя|нояб декабрь|декабря|дек
січень|січня|січ лютий|лютого|лют березень|березня|бер|берез квітень|квітня|кві|квіт травень|травня|тра|трав червень|червня|чер|черв липень|липня|лип серпень|серпня|сер|серп вересень|вересня|вер|верес жовтень|жовтня|жов|жовт листопад|листопада|лис|листоп грудень|грудня|гру|груд
януари|яну февруари - април - юни юли - септември|септ октомври ноември|ноем декември
ינואר|בינואר|ינו פברואר|בפברואר|פבר מרץ|מרס|במרץ|במרס אפריל|באפריל|אפר מאי|במאי יוני|ביוני|יונ יולי|ביולי|יול אוגוסט|באוגוסט|אוג ספטמבר|בספטמבר|ספט אוקטובר|באוקטובר|אוק נובמבר|בנובמבר|נוב דצמבר|בדצמבר|דצמ
يناير فبراير مارس أبريل|إبريل مايو يونيو|يونيه يوليو|يوليه أغسطس سبتمبر أكتوبر نوفمبر ديسمبر
كانون_الثاني شباط آذار نيسان أيار|نوار حزيران تموز آب أيلول تشرين_الأول تشرين_الثاني كانون_الأول
جانفي فيفري - أفريل ماي جوان جويلية أوت - - - -
ژانویه فوریه مارس|مارچ آوریل مه|می ژوئن ژوئیه|جولای اوت|آگوست سپتامبر اکتبر نوامبر دسامبر
जनवरी|जन फ़रवरी|फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर|सितम्बर अक्टूबर|अक्तूबर नवंबर|नवम्बर दिसंबर|दिसम्बर
มกราคม|มค กุมภาพันธ์|กพ มีนาคม|มีค เมษายน|เมย พฤษภาคม|พค มิถุนายน|มิย กรกฎาคม|กค สิงหาคม|สค กันยายน|กย ตุลาคม|ตค พฤศจิกายน|พย ธันวาคม|ธค
一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月
"""

_WEEKDAYS = """
monday|mon tuesday|tue|tues wednesday|wed thursday|thu|thur|thurs friday|fri saturday|sat sunday|sun
montag|mo dienstag|di mittwoch|mi donnerstag|do freitag|fr samstag|sonnabend|sa sonntag|so
lundi|lun mardi|mar mercredi|mer jeudi|jeu vendredi|ven samedi|sam dimanche|dim
lunes martes|mar miércoles|mié jueves|jue viernes|vie sábado|sáb domingo|dom
segunda|seg terça|ter quarta|qua quinta|qui sexta|sex sábado|sáb domingo|dom
lunedì martedì|mar mercoledì giovedì|gio venerdì sabato domenica
maandag|ma dinsdag woensdag|wo donderdag vrijdag|vr zaterdag|za zondag|zo
måndag|mandag|mån|man tisdag|tirsdag|tis|tir onsdag|ons torsdag|tors|tor fredag|fre lördag|lørdag|lör|lør söndag|søndag|sön|søn
maanantai|maanantaina|ma tiistai|tiistaina|ti keskiviikko|keskiviikkona|ke torstai|torstaina|to perjantai|perjantaina|pe lauantai|lauantaina|la sunnuntai|sunnuntaina|su
poniedziałek|pon wtorek|wt środa|śr czwartek|czw piątek|pt|pią sobota|sob niedziela|niedz|nie
pondělí|po úterý|út středa|st čtvrtek|čt pátek|pá sobota|so neděle|ne
hétfő|hét kedd szerda|sze csütörtök|csüt péntek|pén szombat|szo vasárnap|vas
pazartesi|pzt salı|sal çarşamba|çar perşembe|per cuma|cum cumartesi|cmt pazar|paz
δευτέρα|δευ τρίτη|τρι τετάρτη|τετ πέμπτη|πεμ παρασκευή|παρ σάββατο|σαβ κυριακή|κυρ
понедельник|пн вторник|вт среда|ср четверг|чт пятница|пт суббота|сб воскресенье|вс
понеділок вівторок середа четвер п'ятниця субота неділя|нд
الاثنين|الإثنين الثلاثاء الأربعاء الخميس الجمعة السبت الأحد
שני שלישי רביעי חמישי שישי שבת ראשון
월|월요일 화|화요일 수|수요일 목|목요일 금|금요일 토|토요일 일|일요일
月|月曜日|星期一|週一|周一 火|火曜日|星期二|週二|周二 水|水曜日|星期三|週三|周三 木|木曜日|星期四|週四|周四 金|金曜日|星期五|週五|周五 土|土曜日|星期六|週六|周六 日|日曜日|星期日|星期天|週日|周日
จ|จันทร์ อ|อังคาร พ|พุธ พฤ|พฤหัสบดี ศ|ศุกร์ ส|เสาร์ อา|อาทิตย์
"""

_BEFORE_NOON = "am a 오전 上午 午前 凌晨 早上 πμ ص صباحا ก่อนเที่ยง öö पूर्वाह्न לפנה״צ"
_AFTER_NOON = "pm p 오후 下午 午後 晚上 μμ م مساء หลังเที่ยง ös अपराह्न אחה״צ"

#: RFC 822 §5.1 and the names that stand for one zone in nearly every feed that uses them. FP adds
#: AT ET CT MT PT as standard time. A single letter is UTC: RFC 822 had the signs of the military
#: zones wrong (RFC 1123 §5.2.14). Whatever is not here counts as UTC.
_ZONES = """
-10:HST -9:AKST -8:PST,PT,AKDT -7:MST,MT,PDT -6:CST,CT,MDT -5:EST,ET,CDT -4:AST,AT,EDT -3.5:NST
-3:ADT,BRT,ART -2.5:NDT 1:CET,MEZ,BST,WEST 2:CEST,MESZ,EET,SAST 3:EEST,MSK,TRT 5:PKT 5.5:IST
7:WIB,ICT 8:HKT,SGT,AWST,PHT 9:JST,KST 9.5:ACST 10:AEST 10.5:ACDT 11:AEDT 12:NZST 13:NZDT
"""

#: The Croatian months lipanj, srpanj and listopad are each one month away from the Polish or Czech
#: words that look the same; only the habit of a dot behind the day tells the languages apart.
CROATIAN_TOO = frozenset({"lip", "srp", "lis", "listopad", "listopada"})


def folded(word: str) -> str:
    """A word as the tables know it: no case, no accents, no dots."""
    if word.isascii():
        return word.lower().replace(".", "")
    decomposed = unicodedata.normalize("NFKD", word.casefold().replace("ı", "i"))
    return "".join(c for c in decomposed if not unicodedata.combining(c) and c not in ".·•")


def _numbered(table: str) -> dict[str, frozenset[int]]:
    """Word -> the column numbers (from 0) that it may stand for."""
    found: dict[str, set[int]] = {}
    for row in table.strip().splitlines():
        for column, cell in enumerate(row.split()):
            for word in cell.split("|"):
                found.setdefault(folded(word.replace("_", " ")), set()).add(column)
    found.pop("-", None)
    return {word: frozenset(columns) for word, columns in found.items()}


def _hours_east(table: str) -> dict[str, timedelta]:
    cells = (cell.partition(":") for cell in table.split())
    return {
        name.lower(): timedelta(hours=float(hours))
        for hours, _, names in cells
        for name in names.split(",")
    }


#: Folded month name -> 1..12.
MONTHS: dict[str, int] = {word: min(columns) + 1 for word, columns in _numbered(_MONTHS).items()}
#: Folded weekday name -> 0 (Monday) .. 6 for each language that has it ("mar" is Tuesday in three).
WEEKDAYS: dict[str, frozenset[int]] = _numbered(_WEEKDAYS)
#: Folded mark -> hours to add: 0 before noon, 12 after.
HALVES: dict[str, int] = dict(
    chain(
        ((folded(mark), 0) for mark in _BEFORE_NOON.split()),
        ((folded(mark), 12) for mark in _AFTER_NOON.split()),
    )
)
#: Lower-case zone name -> offset east of Greenwich.
ZONES: dict[str, timedelta] = _hours_east(_ZONES)
#: Month names of two words, which are looked for before the text is cut into words.
LONG_NAMES: dict[str, int] = {name: month for name, month in MONTHS.items() if " " in name}
