/** Made by `build/icons.ts`: an icon of Tabler by its name there. */
declare module 'virtual:icon/*' {
  const icon: import('./icon.tsx').Icon
  export default icon
}
