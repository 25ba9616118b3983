// A file of its own in the built program, loaded when a passkey is used: the library takes half a megabyte.
export { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
export { decodeAttestationObject } from '@simplewebauthn/server/helpers'
