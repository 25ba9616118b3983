// The commands of a user, loaded as a bundle of their own: neither a service nor --help needs them.
export { absence, add, edit, start, stop } from './record.ts'
export { login, logout } from './sign-in.ts'
export { sync } from './sync.ts'
export { balance, log, status, week } from './views.ts'
