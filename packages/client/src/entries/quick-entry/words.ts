import { type AbsenceContent, HOUR_MS, MINUTE_MS } from '@saldo/core'

/**
 * The words of both languages at once, so that people may mix them. All are folded: lower case, umlauts spelled out.
 */

const SPELLED: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', '–': '-', '—': '-', '−': '-', '’': "'" }

/** Returns text as the word lists have it; all dashes are one. */
export function fold(text: string): string {
  return text.toLowerCase().replace(/[äöüß–—−’]/g, (letter) => SPELLED[letter] ?? letter)
}

function listed(text: string): string[] {
  return text.split(', ')
}

function table<T>(entries: readonly (readonly [T, string])[]): ReadonlyMap<string, T> {
  return new Map(entries.flatMap(([value, words]) => listed(words).map((word) => [word, value] as const)))
}

const set = (words: string) => table([[true, words]])

export const NUMBERS = table<number>([
  [0.5, '½'],
  [1, 'a, an, one, ein, eine, einen, einer'],
  [1.5, 'anderthalb, eineinhalb, one and a half'],
  [2, 'two, zwei, a couple of'],
  [2.5, 'zweieinhalb'],
  [3, 'three, drei'],
  [4, 'four, vier'],
  [5, 'five, fuenf'],
  [6, 'six, sechs'],
  [7, 'seven, sieben'],
  [8, 'eight, acht'],
  [9, 'nine, neun'],
  [10, 'ten, zehn'],
])

/** Milliseconds of a unit of time. */
export const UNITS = table<number>([
  [HOUR_MS, 'h, hr, hrs, hour, hours, std, stunde, stunden'],
  [MINUTE_MS, "m, min, mins, minute, minutes, minuten, '"],
])

export const LENGTHS = table<number>([
  [
    15 * MINUTE_MS,
    'viertelstunde, eine viertelstunde, quarter hour, a quarter hour, quarter of an hour, a quarter of an hour',
  ],
  [30 * MINUTE_MS, 'halbe stunde, eine halbe stunde, halben stunde, einer halben stunde'],
  [30 * MINUTE_MS, 'half hour, a half hour, half an hour'],
  [45 * MINUTE_MS, 'dreiviertelstunde, eine dreiviertelstunde'],
])

/** Minutes since midnight. */
export const CLOCKS = table<number | 'now'>([
  ['now', 'now, jetzt'],
  [720, 'noon, midday, mittag, mittags'],
  [1_440, 'midnight, mitternacht'],
])

export const DAYS = table<number>([
  [-2, 'vorgestern, day before yesterday, the day before yesterday'],
  [-1, 'gestern, yesterday'],
  [0, 'heute, today, tonight'],
  [1, 'morgen, tomorrow, tmrw'],
  [2, 'uebermorgen, day after tomorrow, the day after tomorrow'],
])

/** Monday is 0. */
export const WEEKDAYS = table<number>([
  [0, 'monday, mon, montag, montags, mo'],
  [1, 'tuesday, tue, tues, dienstag, dienstags, di'],
  [2, 'wednesday, wed, mittwoch, mittwochs, mi'],
  [3, 'thursday, thu, thur, thurs, donnerstag, donnerstags, do'],
  [4, 'friday, fri, freitag, freitags, fr'],
  [5, 'saturday, sat, samstag, samstags, sonnabend, sa'],
  [6, 'sunday, sun, sonntag, sonntags, so'],
])

/** Words that name a day, and are also other words or names. */
export const RISKY_DAYS = set('mo, di, mi, do, fr, sa, so, mon, sat, sun, wed')

export const MONTHS = table<number>([
  [1, 'january, jan, januar, jaenner, jaen'],
  [2, 'february, feb, februar'],
  [3, 'march, mar, maerz, maer, mrz'],
  [4, 'april, apr'],
  [5, 'may, mai'],
  [6, 'june, jun, juni'],
  [7, 'july, jul, juli'],
  [8, 'august, aug'],
  [9, 'september, sep, sept'],
  [10, 'october, oct, oktober, okt'],
  [11, 'november, nov'],
  [12, 'december, dec, dezember, dez'],
])

/** Weeks from the present one. */
export const MODIFIERS = table<-1 | 0 | 1>([
  [-1, 'last, previous, past, letzte, letzten, letzter, letztes, vergangene, vergangenen, vorige, vorigen'],
  [0, 'this, diese, diesen, dieser, dieses'],
  [1, 'next, coming, naechste, naechsten, naechster, naechstes, kommende, kommenden, kommender'],
])

export const WEEK_WORDS = set('week, woche')
export const WEEK_NUMBERS = set('kw, cw, week, woche, calendar week, kalenderwoche')
export const PARTS_OF_DAY = set(
  'morning, in the morning, afternoon, in the afternoon, evening, frueh, vormittag, vormittags, nachmittag, ' +
    'nachmittags, abend, abends, am vormittag, am nachmittag',
)

export const OPENERS = set('von, vom, from, um, at, between, zwischen, ab')
export const BETWEEN = set('between, zwischen')
export const AND = set('und, and, +, &')
export const UNTIL = set('bis, bis zum, bis einschliesslich, bis inkl, until, til, till, to, through, thru, up to')
export const SINCE = set('seit, seit dem, since, ab, ab dem, von, vom, from, starting, beginning, started, started at')
export const ON = set('am, on, den, dem, on the')
export const AGO = set('vor, ago')
export const IN = set('in')
export const ORDINALS = set('st, nd, rd, th')

export const BREAKS = set(
  'pause, pausen, mittagspause, kaffeepause, mittag, mittagessen, break, breaks, lunch, lunch break, lunchbreak, ' +
    'coffee break',
)
export const BREAK_PREFIXES = set(
  'mit, with, inkl, inklusive, incl, including, plus, davon, mit einer, mit einem, with a, with an',
)
export const MINUS = set('-, minus, abzgl, abzueglich, less')
/** Words for a break that are also other words: lunch with somebody can be work. */
export const RISKY_BREAKS = set('break, breaks, lunch, mittag, mittagessen')
export const WITHOUT = set('ohne, keine, no, without, without a')

/** Work that is recorded, but does not count. */
export const NOT_COUNTED = set(
  "!, doesn ' t count, doesnt count, does not count, not counted, don ' t count, dont count, do not count, " +
    'zaehlt nicht, zaehlt nicht mit, nicht zaehlen, nicht mitzaehlen, ohne anrechnung',
)

/** Some words mean more than one kind. Kinds of German law have the note that tells them apart. */
export const ABSENCES = table<{ kinds: readonly AbsenceContent['kind'][]; isNoted?: true }>([
  [
    { kinds: ['vacation'] },
    'urlaub, urlaubstag, urlaubstage, jahresurlaub, resturlaub, ferien, vacation, vacations, vacation day, ' +
      'vacation days, leave, annual leave, pto, on leave, on vacation',
  ],
  [{ kinds: ['vacation', 'public_holiday'] }, 'holiday, holidays'],
  [
    { kinds: ['vacation', 'time_off_in_lieu', 'unpaid'] },
    'frei, freier tag, freien tag, tag frei, off, day off, days off, time off',
  ],
  [
    { kinds: ['sick'] },
    'krank, krankheit, krankmeldung, krankgeschrieben, krankenstand, krankheitstag, au, sick, ill, sick day, ' +
      'sick days, sick leave, off sick, called in sick',
  ],
  [{ kinds: ['public_holiday'] }, 'feiertag, gesetzlicher feiertag, public holiday, publicholiday, bank holiday'],
  [
    { kinds: ['time_off_in_lieu'] },
    'ueberstundenabbau, ueberstunden abbauen, ueberstunden abbau, ueberstundenfrei, freizeitausgleich, zeitausgleich, ' +
      'ausgleich, ausgleichstag, gleittag, gleitzeit, gleitzeittag, gleitzeitabbau, fza, time off in lieu, toil, ' +
      'lieu, lieu day, lieu time, flex day, flexday, flexi day, comp day, comp time',
  ],
  [
    { kinds: ['unpaid'] },
    'unbezahlt, unbezahlt frei, unbezahlter urlaub, unbezahlten urlaub, unpaid, unpaid leave, elternzeit, sabbatical',
  ],
  [{ kinds: ['paid_other'] }, 'freistellung, bezahlt frei, bezahlte freistellung, paid leave'],
  [
    { kinds: ['paid_other'], isNoted: true },
    'kind krank, kindkrank, kinderkrank, kinderkrankentag, krankes kind, sick child, child sick, kid sick, sick kid, ' +
      'sonderurlaub, special leave, bildungsurlaub, bereavement, compassionate leave, mutterschutz, hochzeit, umzugstag',
  ],
])

/** Shares of a day. */
export const SHARES = table<number>([
  [
    0.5,
    'halb, halbe, halber, halben, halbes, halber tag, halben tag, halbtags, half, half day, half a day, a half day',
  ],
  [0.5, '½, ½ tag, ½ day'],
  [1, 'ganzer tag, ganzen tag, ganztags, ganztaegig, whole day, all day, full day'],
])

/** Calendar days of a unit; `day` counts days with a target. */
export const SPANS = table<'day' | 'week'>([
  ['day', 'tag, tage, tagen, arbeitstag, arbeitstage, werktage, day, days, working days, workdays'],
  ['week', 'woche, wochen, week, weeks'],
])

/** Words that no project is called: a text that has one of them is a note. */
export const SMALL_WORDS = set(
  'with, for, at, an, on, in, of, about, to, from, by, and, or, the, a, via, re, plus, after, before, during, over, ' +
    'mit, fuer, bei, beim, am, im, von, vom, zu, zum, zur, und, oder, ueber, wegen, nach, vor, der, die, das, den, ' +
    'dem, des, ein, eine, einen, einem, einer, auf, aus, ohne, per, als, ins, pro',
)

/** Words that say no more than that somebody worked or was away. */
export const FILLERS = set(
  'work, worked, working, arbeit, gearbeitet, arbeitszeit, ich, i, bin, war, was, bleibe, habe, nehme, noch, today',
)

/** Words that may stand before a project. */
export const PROJECT_WORDS = set('for, on, at, in, fuer, an, bei, am, im, project, projekt, for project, fuer projekt')
