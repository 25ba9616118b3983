import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressed } from './build/compressed.ts'
import { guide } from './build/guide.ts'
import { icons } from './build/icons.ts'
import { serviceWorker } from './build/service-worker.ts'
import { strings } from './build/strings.ts'
import { syncZip } from './build/sync-zip.ts'

const source = join(import.meta.dirname, 'src')

/** Modules that every view needs: the account's rules, the client and the UI libraries. */
const BASE =
  /packages\/(core\/src\/(?!public-holidays)|client\/src\/(?!import|export|entries\/quick-entry))|node_modules\/(valibot|dexie|uuid|react(-dom)?|scheduler|wouter)\//

/** Modules that signing in and Today share. In the file for signing in, Today would load the form too. */
const FIELDS = [
  /node_modules\/wouter\//,
  /node_modules\/@mantine\/core\/esm\/components\/((Text)?Input|InputBase|ActionIcon|CloseButton|Anchor)\//,
  /node_modules\/@mantine\/hooks\/esm\/use-uncontrolled\//,
  /packages\/client\/src\/react\//,
  /packages\/web\/src\/ui\/(Logo|focus|ViewHeader|Notice|window-title|feedback\/useAttempt)/,
  /packages\/web\/src\/domain\/session\/session-hooks/,
]

export default defineConfig({
  plugins: [
    react(),
    strings(source),
    guide(join(source, '../../../docs/guide.md')),
    icons(),
    syncZip(),
    serviceWorker(join(source, 'sw.ts')),
    compressed(),
  ],
  worker: { format: 'es' },
  build: {
    target: 'es2024',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Public holidays of all countries are one file.
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: {
      output: {
        // The names of all that share it would be longer than some of the files.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        // Few files for the first view, because dozens of small ones weigh more in headers than in code. The modules
        // that every view needs stay together: spread over files that import each other, they run in the wrong order.
        codeSplitting: {
          groups: [
            { name: 'base', test: BASE, tags: ['$initial'], priority: 2 },
            { name: 'first', tags: ['$initial'], priority: 1 },
            { name: 'fields', test: (id) => FIELDS.some((part) => part.test(id)), priority: 0.6 },
            { name: 'sign-in', test: /features\/sign-in\/SignIn\.tsx$/, priority: 0.5 },
            { name: 'signed-in', test: /shell\/signed-in\.ts$/, priority: 0.4 },
            { name: 'today', test: /features\/today\/TodayView\.tsx$/ },
            // Large, and the same in every version: an update need not fetch it again.
            { name: 'holidays', test: /node_modules\/date-holidays\// },
          ],
        },
      },
    },
  },
})
