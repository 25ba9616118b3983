/** Made by `build/strings.ts`: what loads the strings of each language. */
declare module 'virtual:languages' {
  export const languages: Record<string, () => Promise<{ default: Record<string, unknown> }>>
}
