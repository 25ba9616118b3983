import { namesOf } from './list.ts'
/**
 * Corrects the days of the library `date-holidays` by the law of the Swiss cantons. A day that the law gives to some
 * districts or municipalities alone is no holiday of the canton; districts with days of their own are regions of it.
 * `fixtures/holidays/cantons.json` names the law of each canton. @module
 */

/** Days to add, by their rules in the library's grammar with their local names, and days to remove. */
export type DayCorrections = Readonly<Record<string, string | false>>

/** A region that the library does not have. */
interface AddedRegion {
  /** By language; other languages take the German one. */
  names: Readonly<Record<string, string> & { de: string }>
  days: DayCorrections
}

interface PlaceCorrection {
  /** The days of the whole state. */
  days: DayCorrections
  /** By code. */
  regions: Readonly<Record<string, AddedRegion>>
}

const german = {
  '01-02': 'Berchtoldstag',
  'easter 1': 'Ostermontag',
  'easter 50': 'Pfingstmontag',
  'easter 60': 'Fronleichnam',
  '08-15': 'Mariä Himmelfahrt',
  '11-01': 'Allerheiligen',
  '12-08': 'Mariä Empfängnis',
  '12-26': 'Stephanstag',
} as const
const french = {
  '01-02': '2 janvier',
  'easter 1': 'Lundi de Pâques',
  'easter 50': 'Lundi de Pentecôte',
  'easter 60': 'Fête-Dieu',
  '08-15': 'Assomption',
  '11-01': 'Toussaint',
  '12-08': 'Immaculée Conception',
  '12-26': 'Saint-Étienne',
} as const
type SharedDay = keyof typeof german

const pick = (names: Record<SharedDay, string>, ...days: SharedDay[]): DayCorrections =>
  Object.fromEntries(days.map((day) => [day, names[day]]))
const without = (...rules: string[]): DayCorrections => Object.fromEntries(rules.map((rule) => [rule, false]))
const region = (de: string, en: string, days: DayCorrections): AddedRegion => ({ names: { de, en }, days })

/** The corrections of states, by country and state. */
export const holidayCorrections: Readonly<Record<string, PlaceCorrection>> = {
  // EG zum Arbeitsrecht (SAR 961.200), § 6: only five days are the same in all districts, and 1 May is none.
  'CH-AG': {
    days: without(...namesOf(german), '05-01'),
    regions: {
      A: region(
        'Bezirke Aarau, Brugg, Kulm, Lenzburg, Zofingen; Bergdietikon',
        'Districts of Aarau, Brugg, Kulm, Lenzburg, Zofingen; Bergdietikon',
        pick(german, '01-02', 'easter 1', 'easter 50', '12-26'),
      ),
      B: region(
        'Bezirk Baden ohne Bergdietikon',
        'District of Baden without Bergdietikon',
        pick(german, 'easter 1', 'easter 50', 'easter 60', '12-26'),
      ),
      C: region('Bezirk Bremgarten', 'District of Bremgarten', pick(german, 'easter 60', '08-15', '11-01', '12-26')),
      D: region(
        'Bezirke Laufenburg, Muri; Hellikon, Mumpf, Obermumpf, Schupfart, Stein, Wegenstetten',
        'Districts of Laufenburg, Muri; Hellikon, Mumpf, Obermumpf, Schupfart, Stein, Wegenstetten',
        pick(german, 'easter 60', '08-15', '11-01', '12-08'),
      ),
      E: region(
        'Übriger Bezirk Rheinfelden',
        'The rest of the district of Rheinfelden',
        pick(german, 'easter 1', 'easter 50', '11-01', '12-26'),
      ),
      F: region('Bezirk Zurzach', 'District of Zurzach', pick(german, '01-02', 'easter 60', '11-01', '12-26')),
    },
  },
  // Gesetz über die öffentlichen Ruhetage (GS 822.200), Art. 2: the Mauritiustag is one of the inner districts.
  'CH-AI': {
    days: { ...without('09-22'), ...pick(german, '12-08') },
    regions: { I: region('Ohne Oberegg', 'Without Oberegg', { '09-22': 'Mauritiustag' }) },
  },
  // Verordnung zum Arbeitsgesetz (bGS 822.11), Art. 7: no Stephanstag if Christmas is a Monday or Friday.
  'CH-AR': {
    days: { ...without('12-26 not on monday'), '12-26 not on tuesday, saturday': german['12-26'] },
    regions: {},
  },
  // Feiertage nach dem Kantonsteil (fr.ch, art. 20a LTr): four days of each part.
  'CH-FR': {
    days: without('easter 60', '08-15', '11-01', '12-08'),
    regions: {
      K: region(
        'Katholischer Kantonsteil',
        'Catholic part of the canton',
        pick(french, 'easter 60', '08-15', '11-01', '12-08'),
      ),
      R: region(
        'Reformierter Kantonsteil',
        'Reformed part of the canton',
        pick(french, '01-02', 'easter 1', 'easter 50', '12-26'),
      ),
    },
  },
  // Gesetz über die öffentlichen Ruhetage (GS IX B/21/1), Art. 2: the first Thursday of April, or a week later if that
  // is Maundy Thursday; 24 and 31 December are no holidays.
  'CH-GL': {
    days: {
      ...without('Thursday after 04-02 if is observance holiday then next Thursday', '12-24', '12-31'),
      '1st thursday in April if is observance holiday then next Thursday': 'Näfelser Fahrt',
    },
    regions: {},
  },
  // Gesetz über die öffentlichen Ruhetage (BR 520.100), Art. 2.
  'CH-GR': { days: { 'easter -2': 'Karfreitag' }, regions: {} },
  // Loi sur le dimanche et les jours fériés (RSN 941.02), art. 3: Corpus Christi is one of Le Landeron.
  'CH-NE': {
    days: without('easter 1', 'easter 60'),
    regions: { L: region('Le Landeron', 'Le Landeron', pick(french, 'easter 60')) },
  },
  // Gesetz über die öffentlichen Ruhetage (BGS 512.41), § 1: three days not in the Bucheggberg, none on 19 March.
  'CH-SO': {
    days: without('03-19', 'easter 60', '08-15', '11-01'),
    regions: {
      B: region('Ohne Bezirk Bucheggberg', 'Without the district of Bucheggberg', {
        ...pick(german, 'easter 60', '08-15', '11-01'),
      }),
    },
  },
  // Ruhetagsgesetz (RB 70.1421), Art. 9: the Stephanstag without a condition.
  'CH-UR': { days: { ...without('12-26 not on monday, friday'), ...pick(german, '12-26') }, regions: {} },
  // Law 822.2 of the canton (lex.vs.ch): no Whit Monday; the half days are those of the canton's staff.
  'CH-VS': { days: without('easter 50', '05-01 12:00', '12-24 12:00'), regions: {} },
}
