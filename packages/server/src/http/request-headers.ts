import type { IncomingHttpHeaders } from 'node:http'

/** The headers of a request, by lower-case name. */
export type RequestHeaders = IncomingHttpHeaders
