import type { RequestListener } from 'node:http'
import type { Metrics } from '../metrics.ts'

/** Answers `GET /metrics`, and nothing else. */
export function metricsPage(metrics: Metrics, openStreams: () => number): RequestListener {
  return ({ method, url }, response) => {
    if (url !== '/metrics' || (method !== 'GET' && method !== 'HEAD')) {
      response.writeHead(404).end()
      return
    }
    metrics.text({ openStreams: openStreams() }).then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  }
}
