import { holidayRegions, holidayStates } from '@saldo/core/public-holidays'

/** English names of states, of which the library knows only those in the language of the country. */
const english: Record<string, Record<string, string>> = {
  DE: {
    BY: 'Bavaria',
    HE: 'Hesse',
    MV: 'Mecklenburg-Western Pomerania',
    NI: 'Lower Saxony',
    NW: 'North Rhine-Westphalia',
    RP: 'Rhineland-Palatinate',
    SN: 'Saxony',
    ST: 'Saxony-Anhalt',
    TH: 'Thuringia',
  },
  AT: { '2': 'Carinthia', '3': 'Lower Austria', '4': 'Upper Austria', '6': 'Styria', '7': 'Tyrol', '9': 'Vienna' },
}

/** Returns the states of a country that have holidays of their own as codes and names, in a language, by name. */
export function stateNames(country: string, language: string): [code: string, name: string][] {
  const names = language.startsWith('en') ? (english[country] ?? {}) : {}
  return holidayStates(country, language)
    .map(([code, name]): [string, string] => {
      const other = names[code]
      return [code, other === undefined || other === name ? name : `${other} (${name})`]
    })
    .sort(([, a], [, b]) => a.localeCompare(b, language))
}

/** Returns the names of a state and of a region, as far as they are chosen. */
export function namesOfPlace(
  { country, state, region }: { country: string; state: string | null; region: string | null },
  language: string,
): string[] {
  if (state === null) return []
  const nameIn = (names: [string, string][], code: string) => names.find(([known]) => known === code)?.[1] ?? code
  const names = [nameIn(stateNames(country, language), state)]
  return region === null ? names : [...names, nameIn(holidayRegions(country, state, language), region)]
}
