/** The user account that all visitors of a demo share (D23.1). Everybody knows its password. */
export const DEMO = { email: 'demo@saldo.example', password: 'try-the-demo' } as const
