/** Signs with which a spreadsheet begins a formula, in all their widths. */
const SIGN = '[=+\\-@＝＋－＠﹢﹣﹦﹫]'
/** Characters after which some reader of CSV begins a cell: other delimiters than the comma, and ends of lines. */
const END = ';|\\p{Cc}\\u2028\\u2029'
/** Characters that some spreadsheets pass over at the beginning of a cell. */
const BLANK = `\\s\\p{C}"'`
/** A beginning of a cell, up to the sign of a formula. Each match takes all it can, so that the search is linear. */
const BEGINNING = new RegExp(`[${END}${BLANK}]+${SIGN}?|^${SIGN}`, 'gu')
const CELL = new RegExp(`^(.*[${END}])?(.*)$`, 'su')
const FORMULA = new RegExp(`${SIGN}$`, 'u')

/**
 * Returns a text of which no spreadsheet makes a formula: an apostrophe precedes each sign that would begin one, at the
 * start and after every character that some reader takes for the end of a cell.
 */
export function asPlainCell(text: string): string {
  return replaceBeginnings(text, (blanks) => `'${blanks}`)
}

/** Returns the text of a cell without the apostrophes of `asPlainCell`. */
export function ofPlainCell(cell: string): string {
  return replaceBeginnings(cell, (blanks) => blanks.replace(/^'/, ''))
}

function replaceBeginnings(text: string, replace: (blanks: string) => string): string {
  return text.replaceAll(BEGINNING, (match: string, at: number) => {
    const [, before, blanks = ''] = CELL.exec(match) ?? []
    if (!FORMULA.test(match) || (before === undefined && at > 0)) return match
    return `${before ?? ''}${replace(blanks)}`
  })
}
