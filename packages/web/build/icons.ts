import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

const ICON = 'virtual:icon/'
const OUTLINED = 'fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" stroke-width="2"'
const FILLED = 'fill="currentColor"'

/** Tabler's icons as components, one module for each: all drawings are in one file, which installs fast. */
export function icons(): Plugin {
  const file = createRequire(import.meta.url).resolve('@iconify-json/tabler/icons.json')
  let drawings: Record<string, { body: string }> | undefined
  return {
    name: 'saldo-icons',
    resolveId: (id) => (id.startsWith(ICON) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${ICON}`)) return null
      drawings ??= (JSON.parse(readFileSync(file, 'utf8')) as { icons: Record<string, { body: string }> }).icons
      const name = id.slice(ICON.length + 1)
      const body = drawings[name]?.body
      if (body === undefined) throw new Error(`Tabler has no icon ${name}`)
      return [
        "import { icon } from '/src/ui/icon.tsx'",
        `export default /* @__PURE__ */ icon(${JSON.stringify(pathsOf(name, body))}, ${body.includes(FILLED)})`,
      ].join('\n')
    },
  }
}

/** Returns the `d` of each path. Throws if the drawing has anything that paths and a style for all do not say. */
function pathsOf(name: string, body: string): string[] {
  const rest = body
    .replace(OUTLINED, '')
    .replace(FILLED, '')
    .replaceAll(/<\/?g ?>/g, '')
  if (rest.replaceAll(/<path *d="[^"]*"\/>/g, '') !== '') throw new Error(`icon ${name} is not made of paths: ${body}`)
  return [...rest.matchAll(/d="([^"]*)"/g)].map((match) => match[1] as string)
}
