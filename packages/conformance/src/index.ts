/** The checks of the contract, for services and clients. @module */
export type { Result } from './check.ts'
export { checkClient, clientChecks } from './client/index.ts'
export { asJson, asJunit, asText, type CheckReport } from './report.ts'
export { checkService, serviceChecks, TargetError } from './service/index.ts'
