import * as v from 'valibot'

const base64url = (maxLength: number) =>
  v.pipe(
    v.string('must be base64url'),
    v.regex(/^[\w-]+$/, 'must be base64url'),
    v.maxLength(maxLength, `must have at most ${maxLength} characters`),
  )
/** At most 1,023 bytes (WebAuthn §4). */
const CredentialId = base64url(1_364)
const ClientData = base64url(8_192)
const credentialFields = { id: CredentialId, rawId: CredentialId, type: v.literal('public-key') }

/** The `toJSON` form of a credential of `navigator.credentials.create` (WebAuthn level 3). */
export const CreatedCredential = v.object({
  ...credentialFields,
  response: v.object({ clientDataJSON: ClientData, attestationObject: base64url(16_384) }),
})

/** The `toJSON` form of a credential of `navigator.credentials.get`. */
export const SignedChallenge = v.object({
  ...credentialFields,
  response: v.object({
    clientDataJSON: ClientData,
    authenticatorData: base64url(8_192),
    signature: base64url(2_048),
    userHandle: base64url(128),
  }),
})

const Descriptor = v.object({ id: v.string(), type: v.literal('public-key') })

/** The input of `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export const CreationOptions = v.object({
  rp: v.object({ id: v.string(), name: v.string() }),
  user: v.object({ id: v.string(), name: v.string(), displayName: v.string() }),
  challenge: v.string(),
  pubKeyCredParams: v.array(v.object({ alg: v.pipe(v.number(), v.integer()), type: v.literal('public-key') })),
  timeout: v.pipe(v.number(), v.integer()),
  excludeCredentials: v.array(Descriptor),
  authenticatorSelection: v.object({
    residentKey: v.literal('required'),
    requireResidentKey: v.literal(true),
    userVerification: v.literal('required'),
  }),
  attestation: v.literal('none'),
})

/** The input of `PublicKeyCredential.parseRequestOptionsFromJSON`. */
export const RequestOptions = v.object({
  challenge: v.string(),
  rpId: v.string(),
  timeout: v.pipe(v.number(), v.integer()),
  userVerification: v.literal('required'),
})
