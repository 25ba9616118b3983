import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildTimeline, HOUR_MS } from '@saldo/core'
import Papa from 'papaparse'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { csvOf, reportTable, solidtimeCsv, tableOf, workbookOf } from '../src/export/index.ts'
import { readCsv } from '../src/import/csv.ts'
import { aSettingsRow, aWork } from '../src/testing.ts'

const vectors = readFileSync(join(import.meta.dirname, '../../../fixtures/nasty-texts.json'), 'utf8')
const nastyTexts = Object.values(JSON.parse(vectors) as Record<string, string[]>).flat()

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'saldo-texts-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** The texts in the first, a middle and the last column. */
const columns = ['first', 'kind', 'middle', 'hours', 'last'].map((name) => ({ name, type: 'text' as const }))
const rows = nastyTexts.map((text) => [text, 'work', text, -1.5, text])
const csv = csvOf({ columns, rows })

const start = Date.parse('2026-11-16T08:00:00Z')
const account = {
  timeline: buildTimeline([aSettingsRow({ effective_from: '2026-11-16' })]),
  entries: nastyTexts.map((text, index) =>
    aWork(start + index * 1_000, start + HOUR_MS, { note: text, project: text, tags: [text] }),
  ),
  days: [],
  closedWeeks: [],
  adjustments: [],
  today: '2026-11-23' as const,
}
const range = { from: '2026-11-16', to: '2026-11-16' } as const

/** Every CSV that Saldo writes. */
const files = {
  'a table': csv,
  entries: csvOf(tableOf('entries', account, range)),
  "solidtime's layout": solidtimeCsv(account, range, { name: '=1+1', email: '@SUM(1)' }),
  'a report': csvOf(
    reportTable(
      {
        lines: nastyTexts.map((key) => ({ key, timeMs: HOUR_MS, entryCount: 1 })),
        repeatedMs: 0,
        deductedMs: 0,
        totalMs: HOUR_MS,
        notCountedMs: 0,
      },
      'project',
      { nameOf: ({ key }) => key ?? '', repeated: '=x', deducted: '-x' },
    ),
  ),
}

/** True if a spreadsheet can take a cell for a formula: its first visible sign, in whatever width, begins one. */
function isFormula(cell: string): boolean {
  if (/^[-+]?\d+(\.\d+)?$/.test(cell)) return false
  const shown = cell.normalize('NFKC').replace(/^[\s\p{C}"]+/u, '')
  return /^[=+\-@]/.test(shown)
}

/** The delimiters that spreadsheets use by country or by choice, and those that Papa Parse guesses among. */
const delimiters = [',', ';', '\t', '|', '\u001e', '\u001f']

test('there are at least 200 nasty texts', () => {
  expect(new Set(nastyTexts).size).toBeGreaterThanOrEqual(200)
  expect(nastyTexts.filter(isFormula).length).toBeGreaterThan(50)
})

test.each(Object.entries(files))(
  '[D11.14] no cell of %s is a formula, whatever delimiter a program expects',
  (_, text) => {
    for (const delimiter of delimiters) {
      const { data } = Papa.parse<string[]>(text, { delimiter })
      expect(data.flat().filter(isFormula), JSON.stringify(delimiter)).toEqual([])
      const unquoted = Papa.parse<string[]>(text, { delimiter, quoteChar: '\u0000' })
      // Quotation marks keep what a comma precedes in its cell: without them, nobody reads a comma as a delimiter.
      if (delimiter !== ',') expect(unquoted.data.flat().filter(isFormula), JSON.stringify(delimiter)).toEqual([])
    }
  },
)

test("[D11.14] Python's reader finds no formula in a CSV, and the texts of its commas", () => {
  const file = join(folder, 'table.csv')
  writeFileSync(file, csv)
  const program = `
import csv, json, sys
csv.field_size_limit(10**7)
def read(delimiter):
    with open(sys.argv[1], encoding='utf-8', newline='') as file:
        return list(csv.reader(file, delimiter=delimiter))
json.dump({delimiter: read(delimiter) for delimiter in [',', ';', '\\t', '|']}, sys.stdout)
`
  const read = JSON.parse(
    execFileSync('python3', ['-c', program, file], { encoding: 'utf8', maxBuffer: 1e8 }),
  ) as Record<string, string[][]>
  for (const [delimiter, cells] of Object.entries(read)) {
    expect(cells.flat().filter(isFormula), JSON.stringify(delimiter)).toEqual([])
  }
  const texts = (read[','] as string[][]).slice(1)
  expect(texts.map(([first]) => first)).toEqual(
    Papa.parse<string[]>(csv.trimEnd(), { delimiter: ',' })
      .data.slice(1)
      .map(([first]) => first),
  )
  expect(texts).toHaveLength(nastyTexts.length)
  for (const [index, [first, , middle, , last]] of texts.entries()) {
    expect([middle, last]).toEqual([first, first])
    // A text is as it was, but for apostrophes.
    expect(first?.replaceAll("'", '')).toBe(nastyTexts[index]?.replaceAll("'", ''))
  }
})

test('[D11.14] reading a CSV of Saldo gives the texts as they were', () => {
  const read = readCsv(csv, { spend: () => undefined } as never)
  const sought = nastyTexts.map((text) => [text, 'work', text, '-1.5', text])
  expect(read.rows.map(({ cells }) => cells)).toEqual(sought)
})

test("[D11.14] a workbook has the texts as they were, by Python's readers of ZIP and XML", async () => {
  const file = join(folder, 'workbook.xlsx')
  const tables = [{ name: 'report' as const, columns, rows }, tableOf('entries', account, range)]
  writeFileSync(file, new Uint8Array(await (await workbookOf(tables)).arrayBuffer()))
  // ECMA-376: `_x000D_` in a text is the character of that number.
  const program = `
import json, re, sys, zipfile
from xml.etree import ElementTree
space = '{http://schemas.openxmlformats.org/spreadsheetml/2006/main}'
book = zipfile.ZipFile(sys.argv[1])
def text(item):
    raw = ''.join(part.text or '' for part in item.iter(space + 't'))
    return re.sub('_x([0-9A-Fa-f]{4})_', lambda found: chr(int(found[1], 16)), raw)
strings = [text(item) for item in ElementTree.fromstring(book.read('xl/sharedStrings.xml')).iter(space + 'si')]
def cells(number):
    sheet = ElementTree.fromstring(book.read('xl/worksheets/sheet%d.xml' % number))
    for cell in sheet.iter(space + 'c'):
        value = cell.findtext(space + 'v')
        shared = cell.get('t') == 's'
        yield [cell.get('t'), cell.findtext(space + 'f'), strings[int(value)] if shared else value]
json.dump([list(cells(1)), list(cells(2))], sys.stdout)
`
  const output = execFileSync('python3', ['-c', program, file], { encoding: 'utf8', maxBuffer: 1e8 })
  const [table = [], ofEntries = []] = JSON.parse(output) as [string | null, string | null, string][][]
  const textsOf = (cells: typeof table) => cells.filter(([type]) => type === 's').map(([, , text]) => text)
  const isTexts = (texts: unknown[]) => nastyTexts.flatMap((text) => texts.map((other) => other ?? text))
  expect(textsOf(table).slice(columns.length)).toEqual(isTexts([null, 'work', null, null]))
  expect(table.filter(([, formula]) => formula !== null)).toEqual([])
  expect(new Set(nastyTexts).difference(new Set(textsOf(ofEntries)))).toEqual(new Set())
  for (const [, formula] of ofEntries) if (formula !== null) expect(formula).toMatch(/^SUM\([A-Z]+2:[A-Z]+\d+\)$/)
})
