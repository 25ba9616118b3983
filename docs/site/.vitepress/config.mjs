import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { defineConfig } from 'vitepress'
import { root, sidebars, siteLink } from '../pages.mjs'

const icon = readFileSync(join(root, 'packages/web/public/icon.svg'), 'base64')

export default defineConfig({
  title: 'Saldo',
  description: 'Time tracking with a working-time account that works offline',
  lang: 'en',
  head: [['link', { rel: 'icon', href: `data:image/svg+xml;base64,${icon}` }]],
  srcDir: root,
  srcExclude: ['docs/site/**', 'data/**'],
  rewrites: { 'README.md': 'index.md' },
  outDir: 'dist',
  cacheDir: 'node_modules/.cache/vitepress',
  metaChunk: true,
  ignoreDeadLinks: 'localhostLinks',
  vite: {
    plugins: [{ name: 'saldo:dependencies', enforce: 'post', config: optimizeWhenUsed }],
    build: { chunkSizeWarningLimit: 2000 },
    server: { fs: { deny: ['.env', '.env.*', '**/.git/**', '**/data/**'] }, watch: { ignored: ['**/data/**'] } },
  },
  markdown: { config: linkPages },
  themeConfig: {
    search: {
      provider: 'local',
      options: { miniSearch: { searchOptions: { boostDocument: (id) => (id.startsWith('/docs/api/') ? 1 : 4) } } },
    },
    sidebar: sidebars(),
    nav: [
      { text: 'Guide', link: '/docs/guide' },
      { text: 'Operations', link: '/docs/operations' },
      { text: 'Protocol', link: '/docs/protocol' },
      { text: 'API', link: '/docs/api/', activeMatch: '^/docs/api/' },
    ],
    outline: 'deep',
  },
})

/** Lets Vite find dependencies as pages load them, since they are not where it looks, at the root of the repository. */
function optimizeWhenUsed(config) {
  config.optimizeDeps = { ...config.optimizeDeps, include: [], entries: [] }
}

/** Rewrites links between files as links between pages, and makes those to other files plain text. */
function linkPages(md) {
  md.core.ruler.push('pages', ({ tokens, env }) => {
    const file = relative(root, env.realPath ?? env.path)
    for (const { children } of tokens) {
      let isUnlinked = false
      for (const token of children ?? []) {
        if (token.type === 'link_open') {
          const link = token.attrGet('href')
          if (/^(\w+:|#)/.test(link)) continue
          const target = siteLink(file, link)
          if (target) token.attrSet('href', target)
          else isUnlinked = true
        }
        if (isUnlinked && token.type.startsWith('link_')) {
          isUnlinked = token.type === 'link_open'
          Object.assign(token, { type: 'text', tag: '', nesting: 0, content: '', attrs: null })
        }
      }
    }
  })
}
