/**
 * A beginning of a cell, up to the sign of a formula, which has several widths: after what some reader of CSV takes for
 * the end of a cell, and blanks that some spreadsheets pass over. Each match takes all it can, so the search is linear.
 */
const BEGINNING = /[,;|\p{Cc}\u2028\u2029\s\p{C}"']+[=+\-@＝＋－＠﹢﹣﹦﹫]?|^[=+\-@＝＋－＠﹢﹣﹦﹫]/gu
/** The last end of a cell in a beginning, and what is behind it. */
const CELL = /^(.*[,;|\p{Cc}\u2028\u2029])?(.*)$/su
const FORMULA = /[=+\-@＝＋－＠﹢﹣﹦﹫]$/u

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
