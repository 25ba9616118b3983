// The service and the operator's commands, loaded as a bundle of their own: the commands of a user do without them.
export { runService } from '@saldo/server'
export { addAdminCommands } from './admin.ts'
