/** Reads a percentage above 0 and up to 100, with or without its sign, as a share of 1. */
export function parsePercent(text: string): number | undefined {
  const number = /^(\d{1,3}(?:[.,]\d+)?) ?%?$/.exec(text.trim())?.[1]
  const share = Number(number?.replace(',', '.')) / 100
  return share > 0 && share <= 1 ? share : undefined
}
