// Loaded when somebody uses a passkey, and a file of its own in the built program: it brings half a megabyte along.
export { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
export { decodeAttestationObject } from '@simplewebauthn/server/helpers'
