/** The browser's, under the name that Node has for it. */
export const randomUUID = (): string => crypto.randomUUID()
