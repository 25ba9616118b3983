import type { Page } from 'playwright-core'
import { pageFiles } from '../browser/bundle.ts'

const files = pageFiles('sight')

/** Returns the lengths of all that moves on a page, in milliseconds. */
export async function movingOn(page: Page): Promise<number[]> {
  await addSight(page)
  return page.evaluate('sight.moving()')
}

async function addSight(page: Page): Promise<void> {
  await page.evaluate(String((await files).get('/sight/page.js')?.body))
}

/** Listens to what live regions say. Returns a function that returns what they said since its last call. */
export async function listen(page: Page): Promise<() => Promise<string[]>> {
  await addSight(page)
  await page.evaluate('sight.listen()')
  return () => page.evaluate('sight.said.splice(0)')
}

const NAMED =
  /^\s*- (?:button|checkbox|combobox|dialog|heading|link|menuitem|option|radio|radiogroup|slider|switch|table|textbox)(?=[:[\s]|$)(?! ")/

/** Returns the lines of a page's accessibility tree with elements that need a name and have none. */
export async function unnamed(page: Page): Promise<string[]> {
  const tree = await page.locator('body').ariaSnapshot()
  return tree.split('\n').filter((line) => NAMED.test(line))
}
