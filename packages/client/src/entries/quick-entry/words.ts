import type { AbsenceContent } from '@saldo/core'
import { phraseSet, phrases } from '../../reading/words.ts'

/** The words of a line that are no number, duration, date or time, in both languages at once. All are folded. */

/** Words that name a day, and are also other words or names. */
export const RISKY_DAYS = phraseSet('mo, di, mi, do, fr, sa, so, mon, sat, sun, wed')

/** Parts of the day that describe other words too: "morning meeting". */
export const PARTS_AS_NOUNS = phraseSet(
  'morning, afternoon, evening, night, abend, nachmittag, vormittag, frueh, nacht',
)

export const BREAKS = phraseSet(
  'pause, pausen, mittagspause, mittagsp, mittagsp ., kaffeepause, fruehstueckspause, fruehstueck, raucherpause, ' +
    'rauchpause, zigarettenpause, teepause, kurzpause, bildschirmpause, essenspause, brotzeit, brotzeitpause, ' +
    'vesperpause, jause, jausenpause, znueni, zvieri, unterbrechung, mittag, mittagessen, break, breaks, lunch, ' +
    'lunch break, lunchbreak, coffee break, tea break, smoke break, smoking break, cigarette break, meal break, ' +
    'rest break, breakfast, breakfast break',
)
export const BREAK_PREFIXES = phraseSet(
  'mit, with, w /, excl, exkl, exklusive, zzgl, zuzueglich, inkl, inklusive, incl, including, plus, davon, ' +
    'mit einer, mit einem, with a, with an, p',
)
export const MINUS = phraseSet('-, minus, abzgl, abzueglich, less')
/** Words for a break that are also other words: lunch with somebody can be work. */
export const RISKY_BREAKS = phraseSet(
  'break, breaks, lunch, mittag, mittagessen, fruehstueck, breakfast, brotzeit, jause, unterbrechung',
)
export const WITHOUT = phraseSet('ohne, keine, no, without, without a, w / o')
/** Work without any break. */
export const NO_BREAKS = phraseSet('durchgearbeitet, pausenlos, worked through, straight through')
/** Words before a time of day at which a break begins. */
export const AT = phraseSet('um, ab, at, from, von, for, fuer')
/** Those of them that no length follows. */
export const AT_TIME = phraseSet('um, ab, at')
/** Words between a number of breaks and the length of each, and between the number and the length. */
export const EACH_OF = phraseSet('a, à, je, zu, zu je, von, von je, of, of each, with')
export const TIMES = phraseSet('x, *, ×, mal, times')
export const FOR = phraseSet('for, for a, fuer, fuer die')

/** Work that is recorded, but does not count. */
export const NOT_COUNTED = phraseSet(
  "!, doesn ' t count, doesnt count, does not count, not counted, don ' t count, dont count, do not count, " +
    'zaehlt nicht, zaehlt nicht mit, nicht zaehlen, nicht mitzaehlen, ohne anrechnung',
)

/**
 * Some words mean more than one kind. Kinds of German law have the note that tells them apart. A visit to a doctor is
 * maybe work time, or time off that is paid.
 */
export const ABSENCES = phrases<{
  kinds: readonly AbsenceContent['kind'][]
  isNoted?: true
  isMaybe?: true
  isSick?: true
}>([
  [
    { kinds: ['vacation'] },
    'urlaub, urlaubstag, urlaubstage, jahresurlaub, resturlaub, erholungsurlaub, sommerurlaub, winterurlaub, ' +
      'weihnachtsurlaub, betriebsurlaub, betriebsferien, werksferien, ferien, vacation, vacations, vacation day, ' +
      'vacation days, leave, annual leave, pto, on leave, on vacation',
  ],
  [{ kinds: ['vacation', 'public_holiday'] }, 'holiday, holidays'],
  [
    { kinds: ['vacation', 'time_off_in_lieu', 'unpaid'] },
    'frei, freier tag, freien tag, tag frei, off, day off, days off, time off',
  ],
  [
    { kinds: ['sick'], isSick: true },
    'krank, krank gemeldet, arbeitsunfaehig, unwell, krankheit, krankmeldung, krankgeschrieben, krankenstand, ' +
      'krankheitstag, au, sick, ill, sick day, sick days, sick leave, off sick, called in sick',
  ],
  [{ kinds: ['public_holiday'] }, 'feiertag, gesetzlicher feiertag, public holiday, publicholiday, bank holiday'],
  [
    { kinds: ['time_off_in_lieu'] },
    'ueberstunden abfeiern, ueberstunden abgefeiert, ueberstunden nehmen, ueberstundenabbau, ' +
      'ueberstunden abbauen, ueberstunden abbau, ueberstundenfrei, freizeitausgleich, zeitausgleich, ausgleich, ' +
      'ausgleichstag, gleittag, gleitzeit, gleitzeittag, gleitzeitabbau, fza, mehrarbeitsausgleich, ' +
      'ueberstundenausgleich, za, glz, time off in lieu, toil, lieu, lieu day, lieu time, flex day, flexday, ' +
      'flexi day, comp day, comp time',
  ],
  [
    { kinds: ['unpaid'] },
    'parental leave, unbezahlter tag, unbezahlten tag, unbezahlt, unbezahlt frei, unbezahlter urlaub, ' +
      'unbezahlten urlaub, unpaid, unpaid leave, elternzeit, sabbatical',
  ],
  [{ kinds: ['paid_other'] }, 'freistellung, bezahlt frei, bezahlte freistellung, paid leave'],
  [
    { kinds: ['paid_other'], isNoted: true, isSick: true },
    'kind krank, kindkrank, kinderkrank, kinderkrankentag, krankes kind, sick child, child sick, kid sick, sick kid',
  ],
  [
    { kinds: ['paid_other'], isNoted: true },
    'sonderurlaub, special leave, bildungsurlaub, bereavement, compassionate leave, mutterschutz, maternity leave, ' +
      'pflegetag, jury duty, hochzeit, umzugstag',
  ],
  [
    { kinds: ['paid_other'], isNoted: true, isMaybe: true },
    'arzt, aerztin, arzttermin, arztbesuch, zahnarzt, zahnarzttermin, facharzt, doctor, dentist, ' +
      "doctors appointment, doctor ' s appointment, dentist appointment",
  ],
])

/** Shares of a day. */
export const SHARES = phrases<number>([
  [
    0.5,
    'halb, halbe, halber, halben, halbes, halber tag, ein halber tag, einen halben tag, halbe tage, ' +
      'half a day of, halben tag, halbtags, half, half day, half a day, a half day',
  ],
  [0.5, '½, ½ tag, ½ day'],
  [1, 'ganz, ganzer tag, ganzen tag, ganztags, ganztaegig, whole day, all day, full day'],
])

/** Words that no project is called: a text that has one of them is a note. */
export const SMALL_WORDS = phraseSet(
  'with, for, at, an, on, in, of, about, to, from, by, and, or, the, a, via, re, plus, after, before, during, ' +
    'over, mit, fuer, bei, beim, am, im, von, vom, zu, zum, zur, und, oder, ueber, wegen, nach, vor, der, die, das, ' +
    'den, dem, des, ein, eine, einen, einem, einer, auf, aus, ohne, per, als, ins, pro',
)

/** Words before days that are left out. */
export const EXCEPT = phraseSet(
  'ausser, bis auf, ausgenommen, ohne, nicht, nur nicht, aber nicht, except, except for, excluding, excl, ' +
    'without, not, but not',
)

/** Words behind which times are of each of several days. */
export const EACH = phraseSet(
  'taeglich, jeden tag, jeden werktag, jeden arbeitstag, jeweils, werktags, daily, every day, each day, ' +
    'every weekday, every workday, each, weekdays, on weekdays, je, pro tag, je tag, am tag, / tag, per day, a day, ' +
    '/ day',
)

/** Those that are other words too: `je Kunde`, `a day in the life`. */
export const RISKY_EACH = phraseSet('je, per day, a day, / day, / tag')

/** Words that limit or repeat times in ways that the grammar does not know. */
export const LIMITS = phraseSet(
  'ausser, except, daily, every, jeden, jede, each, stopped, finished, ended, aufgehoert, beendet, feierabend, ' +
    'ende, anfang, mitte, left, gegangen, gehen, gehe, utc, gmt, cet, cest, mez, mesz, est, edt, cst, cdt, mst, ' +
    'mdt, pst, pdt, bst, et, pt, brutto, a week, w/c',
)

/** Words that tie a time to another one beside them, in ways that the grammar does not know. */
export const ALTERNATIVES = phraseSet('oder, or, statt, anstatt, instead, davon, which')

/** Words that say before a time that work ended then. */
export const ENDS = phraseSet('end, finish, stop, stopp, stopped, schluss, fertig, done')

/** Words at the start of a line that ask for a change of what is recorded. */
export const CORRECTIONS = phraseSet(
  'korrigiere, korrektur, aendere, aenderung, loesche, verschiebe, change, correct, correction, delete, remove, move',
)

/** Words that are nothing without what should follow. */
export const DANGLING = phraseSet('bis, until, till, til, to, seit, since, von, from, ab, #, @')

/** Words that say no more than that somebody worked or was away, or in which order. */
export const FILLERS = phraseSet(
  'work, worked, working, arbeit, gearbeitet, arbeitszeit, start, starte, started, begin, beginn, beginne, ' +
    'angefangen, begonnen, gekommen, ich, i, bin, da, war, was, bleibe, habe, nehme, noch, today, nur, doch, only, ' +
    'netto, net, an, aber, but, erst, zuerst, first, spaeter, later, nochmal, again, ' +
    "just, lang, overall, am, i'm, inclusive, wann, when, datum, date, zeit, time, uhrzeit",
)

/** Words with which a line starts a timer. */
export const STARTS = phraseSet('start, starte, beginne, los')

/** Words before a duration that ends now. */
export const LAST = phraseSet('last, past, the last, the past, letzte, letzten, die letzte, die letzten, der letzten')

/** Words before the time at which somebody came, and left. */
export const CLOCK_INS = phraseSet(
  'kommen, gekommen, came, came in, got in, start, beginn, begin, anfang, angefangen, in, clock in, clocked in, ' +
    'check in, checked in, arrived, von, from',
)
export const CLOCK_OUTS = phraseSet(
  'gehen, gegangen, ende, end, finish, finished, feierabend, aufgehoert, out, clock out, clocked out, check out, ' +
    'checked out, left, bis, to, until',
)

/** Words that may stand before a project. */
export const PROJECT_WORDS = phraseSet(
  'for, on, at, in, fuer, an, bei, am, im, project, projekt, for project, fuer projekt',
)
