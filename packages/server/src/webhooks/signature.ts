import { createHmac } from 'node:crypto'
import type { EpochMs, Random } from '@saldo/core'

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** Returns a new secret of a webhook, as Standard Webhooks writes it. */
export function createWebhookSecret(random: Random): string {
  return SECRET_PREFIX + Buffer.from(random.token(SECRET_BYTES), 'base64url').toString('base64')
}

/** Returns the headers of an attempt by Standard Webhooks: id, time in seconds, and signature of both and the body. */
export function signedHeaders(
  secret: string,
  { id, body, nowMs }: { id: string; body: string; nowMs: EpochMs },
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000))
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
