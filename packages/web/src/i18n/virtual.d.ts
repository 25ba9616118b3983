/** Made by `build/strings.ts`: what loads the strings of each language. */
declare module 'virtual:languages' {
  export const languages: Record<
    string,
    Record<'first' | 'later', () => Promise<{ default: import('./translation.ts').Strings }>>
  >
}
