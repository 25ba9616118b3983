// `npm run soak`: an hour of mixed load while months pass. Writes its figures to a temporary place, and
// `docs/soak.svg`.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { slope } from './figures.ts'
import { type Chart, plot } from './plot.ts'
import { type Sample, soak } from './run.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    users: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    rate: { type: 'string', default: '40' },
    days: { type: 'string' },
    database: { type: 'string' },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'saldo-soak-figures-'))
const minutes = Number(values.minutes)

const result = await soak({
  minutes,
  users: Number(values.users),
  seed: Number(values.seed),
  rate: Number(values.rate),
  // Two days a minute, where nobody says otherwise: what is 30 days old goes from the log after a quarter of an hour.
  days: Number(values.days ?? 2 * minutes),
  sampleSeconds: 15,
  database: values.database,
  onSample({ minute, day, rssMb, heapMb, latency, cpuMs, waitedMs, behindDays, logRows, databaseMb, errors }) {
    const heap = heapMb === null ? '' : `, ${heapMb.toFixed(1)} MB alive`
    process.stdout.write(
      `${minute.toFixed(1)} min, day ${day.toFixed(0)}: ${rssMb.toFixed(0)} MB${heap}; ${latency.count} answers in ` +
        `${latency.p50Ms.toFixed(1)}/${latency.p95Ms.toFixed(1)}/${latency.p99Ms.toFixed(1)} ms, ` +
        `${(cpuMs / Math.max(1, latency.count)).toFixed(1)} ms of the processor each, waited ${(waitedMs / 1_000).toFixed(1)} s for it; ` +
        `${behindDays.toFixed(1)} days behind; ${logRows} log rows, ${databaseMb.toFixed(0)} MB; ${errors} errors\n`,
    )
  },
})
const { samples, errors } = result
writeFileSync(join(folder, 'result.json'), JSON.stringify(result, null, 1))
writeFileSync(join(folder, 'samples.csv'), csv(samples))
writeFileSync(join(import.meta.dirname, '../../docs/soak.svg'), plot(charts(samples), 'minutes'))

const half = samples.slice(Math.floor(samples.length / 2))
const perHour = (of: (sample: Sample) => number | null) =>
  60 * slope(half.flatMap((sample) => (of(sample) === null ? [] : [[sample.minute, of(sample) as number] as const])))
const { checked } = result
process.stdout.write(`
| requests | answers | p50 ms | p95 ms | p99 ms | most ms |
|---|---|---|---|---|---|
${Object.entries(result.byKind)
  .map(
    ([kind, { count, ...ms }]) =>
      `| ${[kind, count, ...Object.values(ms).map((value) => value.toFixed(1))].join(' | ')} |`,
  )
  .join('\n')}

${result.requests} requests, ${result.events} events, ${result.coldStarts} cold starts
${result.comparisons} devices compared during the run
second half: resident memory ${perHour(({ rssMb }) => rssMb).toFixed(1)} MB/h
second half: live heap ${perHour(({ heapMb }) => heapMb).toFixed(1)} MB/h
second half: CPU ${perHour(({ cpuMs, latency }) => cpuMs / Math.max(1, latency.count)).toFixed(2)} ms/h per answer
checked at the end: ${checked.users} users, ${checked.days} closed days, ${checked.records} records
${errors.length} kinds of error${errors.length > 0 ? `, with the database in ${result.folder}` : ''}${errors.map((error) => `\n  ${error}`).join('')}
figures in ${folder}
`)
process.exitCode = errors.length > 0 ? 1 : 0

/** Milliseconds of each second since the sample before. */
function ofEachSecond(name: 'cpuMs' | 'waitedMs') {
  return (sample: Sample) => {
    const before = samples[samples.indexOf(sample) - 1]?.minute ?? 0
    return sample[name] / (60 * (sample.minute - before))
  }
}

function charts(all: readonly Sample[]): Chart[] {
  const line = (name: string, of: (sample: Sample) => number | null) => ({
    name,
    points: all.flatMap((sample) => {
      const value = of(sample)
      return value === null ? [] : [[sample.minute, value] as const]
    }),
  })
  return [
    {
      title: 'Memory of the service, MB',
      lines: [line('resident', ({ rssMb }) => rssMb), line('alive on the heap', ({ heapMb }) => heapMb)],
    },
    {
      title: 'From request to answer, ms',
      lines: [
        line('p50', ({ latency }) => latency.p50Ms),
        line('p95', ({ latency }) => latency.p95Ms),
        line('p99', ({ latency }) => latency.p99Ms),
      ],
    },
    {
      title: 'Of each second: the service had a processor, and waited for one, ms',
      lines: [line('had', ofEachSecond('cpuMs')), line('waited', ofEachSecond('waitedMs'))],
    },
    {
      title: 'Processor’s time for each answer, ms',
      lines: [line('an answer', ({ cpuMs, latency }) => cpuMs / Math.max(1, latency.count))],
    },
    { title: 'Behind with closing, days of the service', lines: [line('the oldest', ({ behindDays }) => behindDays)] },
    {
      title: 'Rows, thousands',
      lines: [line('records', ({ records }) => records / 1_000), line('log', ({ logRows }) => logRows / 1_000)],
    },
    {
      title: 'Files, MB',
      lines: [line('database', ({ databaseMb }) => databaseMb), line('write-ahead log', ({ walMb }) => walMb)],
    },
  ]
}

function csv(all: readonly Sample[]): string {
  const rows = all.map(({ latency, byKind: _, ...sample }) => ({ ...sample, ...latency }))
  return [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]
    .map((cells) => `${cells.join(',')}\n`)
    .join('')
}
