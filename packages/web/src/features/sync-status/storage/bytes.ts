const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']

/** An amount of data for a person: `820 kB`, `1.4 GB`. */
export function formatBytes(bytes: number, locale: string): string {
  const power = bytes < 1_000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const options = { style: 'unit', unit: units[power] ?? 'byte', unitDisplay: 'short' } as const
  const digits = power < 2 ? 0 : 1
  return new Intl.NumberFormat(locale, { ...options, maximumFractionDigits: digits }).format(bytes / 1_000 ** power)
}
