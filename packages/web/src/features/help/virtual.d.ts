/** Made by `build/guide.ts`: the user's guide. */
declare module 'virtual:guide' {
  export const guide: import('./blocks.ts').GuideBlock[]
}
