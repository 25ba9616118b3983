import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@saldo/core'

/**
 * The words of numbers, durations, dates and times of day in both languages at once, so that people may mix them. All
 * are folded: lower case, umlauts spelled out.
 */

const SPELLED: Record<string, string> = {
  ...{ ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' },
  ...{ '‐': '-', '‑': '-', '–': '-', '—': '-', '−': '-', '’': "'" },
}

/** Returns text as the word lists have it; all dashes are one. */
export function fold(text: string): string {
  return text.toLowerCase().replace(/[äöüß‐‑–—−’]/g, (letter) => SPELLED[letter] ?? letter)
}

/** Returns the phrases of each value, which are separated by commas. */
export function phrases<T>(entries: readonly (readonly [T, string])[]): ReadonlyMap<string, T> {
  return new Map(entries.flatMap(([value, words]) => words.split(', ').map((word) => [word, value] as const)))
}

/** Returns phrases that mean no more than that they are there. */
export const phraseSet = (words: string) => phrases([[true, words]])

const germanTwoToTen = ['zwei', 'drei', 'vier', 'fuenf', 'sechs', 'sieben', 'acht', 'neun', 'zehn']
const englishTwoToTen = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const twoToTen = germanTwoToTen.map((word, index): [number, string] => [
  index + 2,
  `${englishTwoToTen[index]}, ${word}`,
])

export const NUMBERS = phrases<number>([
  [0.25, '¼'],
  [0.5, '½'],
  [0.75, '¾'],
  [1, 'a, an, one, ein, eine, einen, einer'],
  [1.5, 'anderthalb, eineinhalb, one and a half'],
  [2, 'a couple of'],
  ...twoToTen,
  ...germanTwoToTen.map((word, index): [number, string] => [index + 2.5, `${word}einhalb`]),
  [15, 'fifteen, fuenfzehn'],
  [20, 'twenty, zwanzig'],
  [30, 'thirty, dreissig'],
  [45, 'forty five, fuenfundvierzig'],
])

/** Behind a number, or hours. */
export const AND_A_HALF = phraseSet('and a half, und eine halbe, einhalb')

/** Milliseconds of a unit of time; also those of Spanish and French, in which other tools export. */
export const UNITS = phrases<number>([
  [HOUR_MS, 'h, hr, hrs, hour, hours, std, stdn, stunde, stunden, hora, horas, heure, heures'],
  [MINUTE_MS, "m, min, mins, minute, minutes, minuten, minuto, minutos, '"],
  [SECOND_MS, 's, sec, secs, second, seconds, sek, sekunde, sekunden, segundo, segundos, seconde, secondes'],
])

export const DURATIONS = phrases<number>([
  [
    15 * MINUTE_MS,
    'viertelstunde, eine viertelstunde, viertel stunde, eine viertel stunde, quarter hour, a quarter hour, ' +
      'quarter of an hour, a quarter of an hour',
  ],
  [30 * MINUTE_MS, 'halbe stunde, eine halbe stunde, halben stunde, einer halben stunde'],
  [30 * MINUTE_MS, 'half hour, a half hour, half an hour'],
  [
    45 * MINUTE_MS,
    'dreiviertelstunde, eine dreiviertelstunde, dreiviertel stunde, eine dreiviertel stunde, ' +
      'three quarters of an hour',
  ],
  [90 * MINUTE_MS, 'an hour and a half, one hour and a half'],
])

/** Minutes since midnight. */
export const CLOCKS = phrases<number | 'now'>([
  ['now', 'now, jetzt'],
  [720, 'noon, midday, mittag, mittags'],
  [1_440, 'midnight, mitternacht'],
])

export const PARTS_OF_DAY = phrases<'morning' | 'afternoon' | 'evening' | 'night'>([
  [
    'morning',
    'morning, in the morning, this morning, frueh, in der frueh, vormittag, vormittags, am vormittag, morgens, ' +
      'am morgen, am fruehen morgen, diesen morgen, fruehmorgens',
  ],
  ['afternoon', 'afternoon, in the afternoon, this afternoon, nachmittag, nachmittags, am nachmittag'],
  ['evening', 'evening, in the evening, this evening, abend, abends, am abend'],
  ['night', 'night, at night, nacht, nachts, in der nacht'],
])

/** Days from today. */
export const DAYS = phrases<number>([
  [-3, 'vorvorgestern'],
  [-14, 'fortnight ago, a fortnight ago'],
  [-2, 'vorgestern, day before yesterday, the day before yesterday, night before last, the night before last'],
  [-1, 'gestern, yesterday, yday, last night, letzte nacht'],
  [0, 'heute, heut, today, tonight'],
  [1, 'morgen, tomorrow, tmrw'],
  [3, 'ueberuebermorgen'],
  [2, 'uebermorgen, day after tomorrow, the day after tomorrow'],
  [14, 'in a fortnight'],
])

/** Those of them that are a night, whose early hours are of the next date. */
export const LAST_NIGHTS = phraseSet('last night, letzte nacht, night before last, the night before last')

/** Days that are the same in each year, as month and day. */
export const FIXED_DAYS = phrases<string>([
  ['01-01', "neujahr, neujahrstag, new year, new year ' s day, new years day"],
  ['01-06', 'heilige drei koenige, dreikoenig, dreikoenigstag, epiphany'],
  ['03-08', 'frauentag'],
  ['05-01', 'tag der arbeit, maifeiertag, labour day, may day'],
  ['08-15', 'mariae himmelfahrt'],
  ['10-03', 'tag der deutschen einheit'],
  ['10-31', 'reformationstag, halloween'],
  ['11-01', 'allerheiligen'],
  ['12-06', 'nikolaus, nikolaustag'],
  ['12-24', 'heiligabend, heilig abend, heiliger abend, christmas eve'],
  ['12-25', 'weihnachten, 1 weihnachtstag, 1 . weihnachtstag, erster weihnachtstag, christmas, christmas day'],
  ['12-26', '2 weihnachtstag, 2 . weihnachtstag, zweiter weihnachtstag, boxing day'],
  ['12-31', "silvester, new year ' s eve, new years eve"],
])

/** Days from Easter Sunday. */
export const EASTER_DAYS = phrases<number>([
  [-48, 'rosenmontag'],
  [-47, 'fasching, faschingsdienstag, fastnacht'],
  [-46, 'aschermittwoch'],
  [-3, 'gruendonnerstag'],
  [-2, 'karfreitag, good friday'],
  [-1, 'karsamstag'],
  [0, 'ostersonntag, easter sunday'],
  [1, 'ostermontag, easter monday'],
  [39, 'christi himmelfahrt, himmelfahrt, vatertag, ascension day'],
  [49, 'pfingstsonntag'],
  [50, 'pfingstmontag, whit monday'],
  [60, 'fronleichnam'],
])

/** Days that have a name, and no date that anybody knows but the writer. */
export const UNDATED_DAYS = phraseSet(
  'brueckentag, brueckentage, brueckentagen, fenstertag, fenstertage, bridge day, bridge days, geburtstag, birthday, ' +
    'hochzeitstag, ostern, easter, pfingsten',
)

/** Monday is 0. */
export const WEEKDAYS = phrases<number>([
  [0, 'monday, mondays, mon, montag, montags, mo'],
  [1, 'tuesday, tuesdays, tue, tues, dienstag, dienstags, di'],
  [2, 'wednesday, wednesdays, wed, mittwoch, mittwochs, mi'],
  [3, 'thursday, thursdays, thu, thur, thurs, donnerstag, donnerstags, do'],
  [4, 'friday, fridays, fri, freitag, freitags, fr'],
  [5, 'saturday, saturdays, sat, samstag, samstags, sonnabend, sa'],
  [6, 'sunday, sundays, sun, sonntag, sonntags, so'],
])

export const MONTHS = phrases<number>([
  [1, 'january, jan, januar, jaenner, jaen'],
  [2, 'february, feb, februar, feber'],
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
export const MODIFIERS = phrases<number>([
  [-2, 'vorletzte, vorletzten, vorletzter, vorletztes, vorletztem'],
  [
    -1,
    'last, previous, past, letzte, letzten, letzter, letztes, letztem, vergangene, vergangenen, vorige, ' +
      'vorigen, voriger, vorigem',
  ],
  [0, 'this, diese, diesen, dieser, dieses, diesem'],
  [
    1,
    'next, coming, naechste, naechsten, naechster, naechstes, naechstem, kommende, kommenden, ' +
      'kommender, kommendem',
  ],
  [2, 'uebernaechste, uebernaechsten, uebernaechster, uebernaechstes, uebernaechstem'],
])

/** Weeks from the present one, behind a weekday. */
export const MODIFIERS_BEHIND = phrases<number>([
  [-2, 'before last'],
  [2, 'after next'],
])

/** English for Monday to Friday, with a hyphen. */
export const WORKING_DAYS = phraseSet('m f')
/** Words before the days between which a night lies. */
export const NIGHTS = phraseSet('nacht, in der nacht')
export const WEEKENDS = phraseSet('wochenende, weekend, am wochenende, at the weekend, on the weekend')

/** Weeks from the present one. */
export const NAMED_WEEKS = phrases<number>([
  [-2, 'week before last, the week before last'],
  [2, 'week after next, the week after next'],
])
export const WEEK_WORDS = phraseSet('week, woche, kw, kalenderwoche')
/** Words before a number of days or weeks up to today, and from today on. */
export const LAST_SPANS = phraseSet('last, past, the last, the past, letzte, letzten, die letzten, in den letzten')
export const NEXT_SPANS = phraseSet('next, the next, naechste, naechsten, die naechsten, in den naechsten')
export const WEEK_NUMBERS = phraseSet(
  'kw, cw, week, weeks, woche, wochen, calendar week, calendar weeks, kalenderwoche, kalenderwochen',
)

/** Words between a week and a weekday of it. */
export const IN_WEEK = phraseSet('of, in, in der, in den, der, on, am, den, of the')

/** Hours as words. "one" and "ein" count more often. */
export const HOUR_WORDS = phrases<number>([[1, 'eins'], ...twoToTen, [11, 'eleven, elf'], [12, 'twelve, zwoelf']])
export const O_CLOCK = phraseSet("o ' clock, oclock")

/** Words of what is not exact, which changes nothing. */
const ABOUT_WORDS =
  'ca, ca ., circa, etwa, ungefaehr, gegen, so gegen, rund, punkt, about, around, approx, approx ., approximately, ' +
  'roughly, exactly, ~'
export const ABOUT = phraseSet(ABOUT_WORDS)
const OPENER_WORDS = ['von', 'vom', 'from', 'um', 'at', 'between', 'zwischen', 'ab']
export const OPENERS = phraseSet(
  [
    ...OPENER_WORDS,
    ...ABOUT_WORDS.split(', ').flatMap((about) => [about, ...OPENER_WORDS.map((opener) => `${opener} ${about}`)]),
  ].join(', '),
)
export const BETWEEN = phraseSet('between, zwischen')
export const AND = phraseSet('und, and, +, &, u, u., u ., then, and then, dann, und dann, danach, anschliessend')
/** Words between hours and minutes. */
export const JOINS = phraseSet('und, and, +, &, y, et')
/** Words before an hour, with the minutes by which they move it: `halb 10` is 9:30, `viertel 10` 9:15. */
export const QUARTERS = phrases<number>([
  [15, 'viertel nach, quarter past, quarter after, a quarter past, a quarter after'],
  [-15, 'viertel vor, quarter to, quarter before, a quarter to, a quarter before, dreiviertel, drei viertel'],
  [30, 'half past, half'],
  [-30, 'halb'],
  [-45, 'viertel'],
])
/** Words between minutes and an hour: `5 vor 9`. English "to" joins two times. */
export const SIDES_OF_HOUR = phrases<-1 | 1>([
  [-1, 'vor, minutes to, minuten vor, min vor'],
  [1, 'nach, past, minutes past, minuten nach, min nach'],
])
/** Words behind a time of day of four digits. */
export const HOURS = phraseSet('h, hrs, hours')
export const UNTIL = phraseSet(
  'bis, bis zum, bis einschliesslich, bis inklusive, bis inkl, bis inkl ., bis einschl, bis einschl ., ' +
    'until and including, ' +
    'up to and including, until, til, till, to, through, thru, up to',
)
export const SINCE = phraseSet(
  'seit, seit dem, since, ab, ab dem, von, vom, from, starting, beginning, started, started at',
)
export const ON = phraseSet('am, on, den, dem, on the, the')
export const AGO = phraseSet('vor, ago')
export const IN = phraseSet('in')
export const ORDINALS = phraseSet('st, nd, rd, th, te, ten, ter')

/** Calendar days of a unit; `day` counts days with a target. */
export const SPANS = phrases<'day' | 'week'>([
  ['day', 'tag, tage, tagen, arbeitstag, arbeitstage, werktage, day, days, working days, workdays'],
  ['week', 'woche, wochen, week, weeks'],
])
