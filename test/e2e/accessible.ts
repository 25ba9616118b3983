import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { isHeavy } from '../../packages/core/test/tier.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const AA = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] } as const
/** Rules whose result depends on the colour scheme. */
const COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } as const

/** Holds a page as it is now against WCAG 2.2 AA, in both schemes. */
export async function expectAccessible(page: Page): Promise<void> {
  // Not as a script in the page: the app's policy forbids those.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe)
  for (const [colorScheme, rules] of [
    ['light', AA],
    ['dark', COLOURS],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
    expect({ colorScheme, findings: await findingsOf(page, rules) }).toEqual({ colorScheme, findings: [] })
  }
}

/** The same, in the heavy tier alone: for states of a view of which `npm test` checks one. */
export const expectStateAccessible = isHeavy ? expectAccessible : async (_page: Page): Promise<void> => {}

function findingsOf(page: Page, rules: typeof AA | typeof COLOURS): Promise<string[]> {
  return page.evaluate(async ({ type, values }) => {
    const { axe: checker } = globalThis as unknown as { axe: typeof import('axe-core') }
    const { violations } = await checker.run({ runOnly: { type, values: [...values] }, resultTypes: ['violations'] })
    return violations.flatMap(({ id, help, nodes }) => {
      // Short entries on the time line have an equal in the list beside it (WCAG 2.5.8, Equivalent).
      const found = nodes.filter(({ html }) => !(id === 'target-size' && html.includes('time-line-keys')))
      return found.length > 0
        ? [`${id}: ${help}: ${found.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' ')}`]
        : []
    })
  }, rules)
}
