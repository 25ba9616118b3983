import { asJson, asJunit, asText, type CheckReport } from '@saldo/conformance'
import { expect, test } from 'vitest'

const report: CheckReport = {
  subject: 'http://localhost:7253',
  results: [
    { rules: ['R3.5', 'D5.2'], title: 'a title', outcome: 'passed', durationMs: 12 },
    {
      rules: ['D1.1'],
      title: '<&">\'',
      outcome: 'failed',
      detail: 'got "a\nb" \u001b[31m \ud800 \u{1f600} \u0000',
      durationMs: 1_234,
    },
    { rules: ['D8.1'], title: 'another', outcome: 'not_applicable', detail: 'needs a token', durationMs: 0 },
  ],
  leftovers: ['/api/entries/1'],
}

test('the text report has a line for each check, its errors below, and no terminal escapes', () => {
  expect(asText(report)).toBe(
    [
      'ok    R3.5 D5.2  a title',
      'FAIL  D1.1  <&">\'',
      '       got "a b"  [31m   \u{1f600}  ',
      'n/a   D8.1  another',
      '       needs a token',
      'not removed: /api/entries/1',
      '1 passed, 1 failed, 1 not applicable',
      '',
    ].join('\n'),
  )
})

test('the JSON report is complete', () => {
  const { results, ...head } = JSON.parse(asJson(report))
  expect(head).toEqual({
    subject: report.subject,
    passed: 1,
    failed: 1,
    not_applicable: 1,
    leftovers: report.leftovers,
  })
  expect(results).toEqual(report.results.map(({ durationMs, ...result }) => ({ ...result, duration_ms: durationMs })))
})

test('the JUnit report is valid XML with the same content, for any text', () => {
  expect(asJunit(report)).toBe(
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites>',
      '  <testsuite name="http://localhost:7253" tests="3" failures="1" skipped="1" time="1.246">',
      '    <testcase classname="R3.5" name="[R3.5] [D5.2] a title" time="0.012"/>',
      '    <testcase classname="D1.1" name="[D1.1] &lt;&amp;&quot;&gt;&apos;" time="1.234"><failure message="got &quot;a&#10;b&quot; \ufffd[31m \ufffd \u{1f600} \ufffd"/></testcase>',
      '    <testcase classname="D8.1" name="[D8.1] another" time="0.000"><skipped message="needs a token"/></testcase>',
      '  </testsuite>',
      '</testsuites>',
      '',
    ].join('\n'),
  )
})
