import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Meter } from './meter.ts'

/** From a small pull to a push of the largest size on a busy machine, in seconds. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Up to the most writes that share a commit. */
const COMMIT_BUCKETS = [1, 2, 4, 8, 16, 32, 64]

/** What is measured, and how it reads. */
export interface Metrics {
  meter: Meter
  contentType: string
  /** Everything as Prometheus reads it; `openStreams` is how many event streams are open now. */
  text(now: { openStreams: number }): Promise<string>
}

/**
 * Metrics of the service and its process; `build` says which one runs. The values of labels are routes as they are written in the API's document,
 * methods, classes of status and outcomes: few, and the same for every user.
 */
export function createMetrics(build: string): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const metric = <const L extends string>(name: string, help: string, ...labelNames: L[]) => ({
    name: `saldo_${name}`,
    help,
    labelNames,
    registers,
  })

  const durations = new Histogram({
    ...metric(
      'http_request_duration_seconds',
      'Time from a request to the head of its answer.',
      'method',
      'route',
      'status',
    ),
    buckets: DURATION_BUCKETS,
  })
  const commits = new Histogram({
    ...metric('commit_writes', 'Writes that shared a commit.'),
    buckets: COMMIT_BUCKETS,
  })
  const changes = new Counter(
    metric('push_changes_total', 'Changes that were pushed, by what became of them.', 'status'),
  )
  const pulls = new Counter(metric('pulls_total', 'Pulls, by what they were answered.', 'outcome'))
  const usersDue = new Gauge(metric('users_with_work_due', 'Users with work due, of the first 20 that are looked for.'))
  const pieces = new Counter(metric('work_pieces_total', 'Pieces of work that was due and is done.', 'kind'))
  const failures = new Counter(metric('work_failures_total', 'Pieces of work that failed and are tried again.'))
  const streams = new Gauge(metric('event_streams', 'Open event streams.'))
  new Gauge(metric('build_info', 'Which build runs.', 'build')).set({ build }, 1)

  return {
    meter: {
      answered: ({ route, method, status, seconds }) =>
        durations.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, seconds),
      committed: (writes) => commits.observe(writes),
      pushed: (status) => changes.inc({ status }),
      pulled: (outcome) => pulls.inc({ outcome }),
      foundDue: (users) => usersDue.set(users),
      worked: (kind) => pieces.inc({ kind }),
      workFailed: () => failures.inc(),
    },
    contentType: registry.contentType,
    text({ openStreams }) {
      streams.set(openStreams)
      return registry.metrics()
    },
  }
}
