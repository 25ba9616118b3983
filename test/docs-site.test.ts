import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { entries, exportsOf } from './packages/exports.ts'

const root = join(import.meta.dirname, '..')
const site = join(root, 'docs/site/dist')
const { pages } = (await import(join(root, 'docs/site/pages.mjs'))) as { pages: string[] }

/** The HTML of every page of the site by its path, such as `/docs/guide.html`. */
const htmlByPath = new Map<string, string>()

beforeAll(() => {
  execFileSync(process.execPath, [join(root, 'scripts/docs.mjs'), '--build'], { cwd: root, stdio: 'inherit' })
  for (const file of globSync('**/*.html', { cwd: site })) {
    htmlByPath.set(`/${file}`, readFileSync(join(site, file), 'utf8'))
  }
})

test('the documentation site has a page for every document', () => {
  const addresses = pages.map((page) => (page === 'README.md' ? '/index.html' : `/${page.replace(/md$/, 'html')}`))
  expect(addresses.filter((address) => !htmlByPath.has(address))).toEqual([])
})

test('the documentation site can be searched', () => {
  const [index] = globSync('assets/chunks/@localSearchIndex*.js', { cwd: site }) as [string]
  expect(readFileSync(join(site, index), 'utf8')).toContain('A first week with curl')
})

test('every link of the documentation site leads to a page and a heading in it', () => {
  const dead = [...htmlByPath].flatMap(([path, html]) =>
    [...html.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g)].flatMap(([, href = '']) => {
      if (/^[a-z]+:/.test(href)) return []
      const { pathname, hash } = new URL(href, `http://site${path}`)
      const target = decodeURI(pathname).replace(/\/$/, '/index.html')
      const html = htmlByPath.get(target)
      const isThere =
        html === undefined ? existsSync(join(site, target)) : hasId(html, decodeURIComponent(hash.slice(1)))
      return isThere ? [] : [`${path} → ${href}`]
    }),
  )
  expect([...new Set(dead)]).toEqual([])
})

function hasId(html: string, id: string): boolean {
  return id === '' || html.includes(`id="${id}"`)
}

test.for(entries)('the API reference has every export of %s', ([entry, source]) => {
  const index = htmlByPath.get(`/docs/api/${entry}/index.html`) ?? ''
  const names = [...exportsOf(source).keys()]
  expect(names.filter((name) => !index.includes(`>${name}</a>`))).toEqual([])
})
