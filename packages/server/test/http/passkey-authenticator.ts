import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'

/** Deviations from a correct response to a challenge. */
export interface Answering {
  origin: string
  rpId?: string
  challenge?: string
  type?: string
  /** True if the owner was verified. */
  isVerified?: boolean
  counter?: number
  userHandle?: string
  /** Signed by the key of another authenticator. */
  signer?: SoftAuthenticator
  /** The statement of who made the authenticator. */
  format?: string
}

/** The parts of passkey options that the authenticator reads. */
export interface Asked {
  challenge: string
  rpId: string
  rp: { id: string }
  user: { id: string }
}

const PRESENT = 0x01
const VERIFIED = 0x04
const ATTESTED = 0x40

/** An authenticator with one key on P-256, in software: WebAuthn level 3, CTAP2's CBOR, COSE, ECDSA. */
export class SoftAuthenticator {
  readonly id = randomBytes(32).toString('base64url')
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  userHandle = ''
  counter = 0

  /** The answer to creation options, as `toJSON` writes it. */
  create(
    options: Pick<Asked, 'challenge' | 'rp' | 'user'>,
    { origin, rpId = options.rp.id, challenge = options.challenge, type = 'webauthn.create', ...how }: Answering,
  ) {
    this.userHandle = options.user.id
    const id = Buffer.from(this.id, 'base64url')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const attested = Buffer.concat([Buffer.alloc(16), length, id, this.#coseKey()])
    const authData = Buffer.concat([this.#authData(rpId, ATTESTED, how), attested])
    const attestation = map([
      [text('fmt'), text(how.format ?? 'none')],
      [text('attStmt'), map([])],
      [text('authData'), bytes(authData)],
    ])
    const clientDataJSON = clientData(type, challenge, origin)
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      response: { clientDataJSON: base64url(clientDataJSON), attestationObject: base64url(attestation) },
    }
  }

  /** The answer to request options, likewise. */
  get(
    options: Pick<Asked, 'challenge' | 'rpId'>,
    { origin, rpId = options.rpId, challenge = options.challenge, type = 'webauthn.get', ...how }: Answering,
  ) {
    const { userHandle = this.userHandle, signer = this } = how
    if (how.counter === undefined) this.counter += 1
    const authenticatorData = this.#authData(rpId, 0, how)
    const clientDataJSON = clientData(type, challenge, origin)
    const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientDataJSON).digest()])
    const signature = createSign('sha256').update(signed).sign(signer.#privateKey)
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      response: {
        clientDataJSON: base64url(clientDataJSON),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(signature),
        userHandle,
      },
    }
  }

  get #privateKey(): KeyObject {
    return this.#keys.privateKey
  }

  #authData(rpId: string, flags: number, { isVerified = true, counter = this.counter }: Partial<Answering>): Buffer {
    const rest = Buffer.alloc(5)
    rest.writeUInt8(flags | PRESENT | (isVerified ? VERIFIED : 0))
    rest.writeUInt32BE(counter, 1)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), rest])
  }

  /** EC2, ES256, P-256, x and y (RFC 9053). */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    return map([
      [integer(1), integer(2)],
      [integer(3), integer(-7)],
      [integer(-1), integer(1)],
      [integer(-2), bytes(Buffer.from(x, 'base64url'))],
      [integer(-3), bytes(Buffer.from(y, 'base64url'))],
    ])
  }
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

function base64url(raw: Buffer): string {
  return raw.toString('base64url')
}

/** The head of an item of CBOR (RFC 8949 §3). */
function head(major: number, argument: number): Buffer {
  if (argument < 24) return Buffer.from([(major << 5) | argument])
  if (argument < 256) return Buffer.from([(major << 5) | 24, argument])
  return Buffer.from([(major << 5) | 25, argument >> 8, argument & 255])
}

const integer = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value))
const bytes = (raw: Buffer) => Buffer.concat([head(2, raw.length), raw])
const text = (value: string) => Buffer.concat([head(3, value.length), Buffer.from(value)])
const map = (entries: [Buffer, Buffer][]) => Buffer.concat([head(5, entries.length), ...entries.flat()])
