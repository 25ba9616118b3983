import { asLine } from '@saldo/core'
import type { Result } from './check.ts'

/** The results of checking a service or client. */
export interface CheckReport {
  /** The address of the service, or the command of the client. */
  subject: string
  results: readonly Result[]
  /** Records that could not be removed, one line each. */
  leftovers: readonly string[]
}

const signs = { passed: 'ok  ', failed: 'FAIL', not_applicable: 'n/a ' } as const

function counted({ results }: CheckReport): Record<Result['outcome'], number> {
  const count = (outcome: Result['outcome']) => results.filter((result) => result.outcome === outcome).length
  return { passed: count('passed'), failed: count('failed'), not_applicable: count('not_applicable') }
}

/** Returns a report for people: a line for each check. */
export function asText(report: CheckReport): string {
  const lines = report.results.map(({ rules, title, outcome, detail }) => {
    const more = detail === undefined ? '' : `\n       ${asLine(detail)}`
    return `${signs[outcome]}  ${rules.join(' ')}  ${title}${more}`
  })
  const { passed, failed, not_applicable } = counted(report)
  const left = report.leftovers.map((line) => `not removed: ${asLine(line)}`)
  return [...lines, ...left, `${passed} passed, ${failed} failed, ${not_applicable} not applicable`, ''].join('\n')
}

/** Returns the counts of outcomes and the results with `duration_ms`, the subject and the leftovers. */
export function asJson(report: CheckReport): string {
  const results = report.results.map(({ durationMs, ...result }) => ({ ...result, duration_ms: durationMs }))
  return `${JSON.stringify({ subject: report.subject, ...counted(report), results, leftovers: report.leftovers }, null, 2)}\n`
}

/** Returns JUnit XML for build servers: a test case for each check, with its first rule as the class. */
export function asJunit(report: CheckReport): string {
  const { failed, not_applicable } = counted(report)
  const seconds = (ms: number) => (ms / 1_000).toFixed(3)
  const total = report.results.reduce((sum, { durationMs }) => sum + durationMs, 0)
  const cases = report.results.map(({ rules, title, outcome, detail = '', durationMs }) => {
    const head = `    <testcase classname="${escaped(String(rules[0]))}" name="${escaped(`[${rules.join('] [')}] ${title}`)}" time="${seconds(durationMs)}"`
    if (outcome === 'passed') return `${head}/>`
    const tag = outcome === 'failed' ? 'failure' : 'skipped'
    return `${head}><${tag} message="${escaped(detail)}"/></testcase>`
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="${escaped(report.subject)}" tests="${report.results.length}" failures="${failed}" skipped="${not_applicable}" time="${seconds(total)}">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

/** Escapes the text of an attribute. Characters that XML 1.0 does not allow become replacement characters. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll(/[&<>"']/g, (sign) => entities[sign] as string)
    .replaceAll(/[\t\n\r]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
