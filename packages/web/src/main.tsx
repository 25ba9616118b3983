import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './ui/base.css'
import { createRoot } from 'react-dom/client'
import { readPreferences } from './context/preferences.ts'
import { rememberedUser } from './context/remembered-user.ts'
import { awaitInstallOffer } from './features/settings/install-offer.ts'
import { showLanguage } from './i18n/i18n.ts'
import { App } from './shell/App.tsx'
import { tidyAddress } from './shell/tidy-address.ts'
import { guardMarkup } from './shell/trusted-types.ts'
import { preloadView } from './shell/views.ts'
import { noticeMissingParts } from './ui/feedback/failure.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

tidyAddress()
guardMarkup()
noticeMissingParts(window)
if (rememberedUser()) {
  void import('./shell/signed-in.ts')
  preloadView(location.pathname)
}
awaitInstallOffer()
// A top-level await could deadlock with chunks that import this file.
void start(root)

async function start(root: HTMLElement): Promise<void> {
  // Core computes with Temporal, which not every browser has yet.
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')
  await showLanguage(readPreferences().language)
  createRoot(root).render(<App />)
}
