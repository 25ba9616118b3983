/** Returns the text of the field once the local store has what a text meant: what is typed meanwhile stays. */
export function textOnceKept(typed: string, stored: string): string {
  return typed === stored ? '' : typed
}

/** Returns the text of the field if what a text meant was not stored: it comes back, unless something else is typed. */
export function textOnceFailed(typed: string, stored: string): string {
  return typed === '' ? stored : typed
}
