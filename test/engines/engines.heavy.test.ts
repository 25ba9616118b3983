import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { extractText } from 'unpdf'
import { expect, onTestFinished, test } from 'vitest'
import { newerApp } from '../e2e/newer-app.ts'
import { openStage } from '../e2e/open-stage.ts'
import { person as account, wordsOf } from '../e2e/stage.ts'
import type { Engine } from './engine.ts'
import { startFirefox } from './firefox.ts'
import { Person } from './person.ts'
import { startWebKit } from './webkit.ts'

const t = wordsOf('en')
const TOGGL = join(import.meta.dirname, '../../fixtures/data/toggl-week-2018-W41.csv')

/** Each view has an address, and a heading. */
const views = [
  ...['/', '/week', '/account', '/calendar', '/schedule', '/search', '/reports', '/projects', '/sync', '/settings'],
  ...['/import-export', '/accounts'],
]

const engines: { name: string; start: () => Promise<Engine> }[] = [
  { name: 'Firefox', start: startFirefox },
  { name: 'WebKit', start: startWebKit },
]

async function opened(start: (typeof engines)[number]['start']) {
  const stage = await openStage(new Date().toISOString())
  const engine = await start()
  onTestFinished(() => engine.close())
  return { stage, engine, tab: engine.tab, person: new Person(engine.tab) }
}

type Opened = Awaited<ReturnType<typeof opened>>

const isSaved = `document.querySelector('[role=status] [data-kind=saved]')`

/** Signs up and answers the questions. */
async function signUp({ stage, tab, person }: Pick<Opened, 'stage' | 'tab' | 'person'>): Promise<void> {
  await tab.open(stage.setupUrl)
  await person.fills(t('signIn.name'), account.name)
  await person.fills(t('signIn.email'), account.email)
  await person.fills(t('signIn.password'), account.password)
  await person.presses(t('signIn.signUp'))
  await person.reads(t('firstRun.title'))
  await person.fills(t('workHours.total'), '38.5')
  await person.fills(t('firstRun.vacation'), '27.5')
  await person.presses(t('firstRun.begin'))
  await person.reads(t('today.ring.of', { target: '' }).trim())
  await person.sees(isSaved)
  await tab.evaluate('navigator.serviceWorker.ready.then(() => true)')
}

async function enter(person: Person, line: string): Promise<void> {
  await person.fills(t('today.quick.label'), line)
  await person.hits('Enter')
}

test.each(engines)('$name: records, shows, imports, exports and prints', async ({ start }) => {
  const { stage, tab, person, engine } = await opened(start)
  await signUp({ stage, tab, person })

  await person.presses(t('today.timer.start'))
  await person.sees(`document.querySelector('[role=timer]')`)
  await person.presses(t('today.timer.stop'))
  await person.sees(`!document.querySelector('[role=timer]')`)
  await enter(person, '0-0:10 @Saldo #ui Drawing')
  await person.reads('Drawing')
  await person.sees(isSaved)

  for (const path of views) {
    await tab.open(stage.url + path)
    await person.sees(`document.querySelector('main h1')`)
    await person.sees(isSaved)
    expect(await tab.evaluate('document.querySelector("main [role=alert]")?.innerText')).toBeNull()
  }
  await tab.open(`${stage.url}/import-export`)
  await person.sees(`document.querySelector('input[type=file]')`)
  await tab.chooseFile('input[type=file]', TOGGL)
  await person.presses(t('importExport.preview.import_other', { shown: '21' }))
  await person.reads(t('importExport.done.added_other', { shown: '21' }))
  await person.presses(t('importExport.done.close'))
  const keepSaved = `(() => {
    const urlOf = URL.createObjectURL
    URL.createObjectURL = (file) => {
      void file.text().then((text) => (globalThis.saved = text))
      return urlOf.call(URL, file)
    }
  })()`
  await tab.evaluate(keepSaved)
  await person.presses(t('importExport.export.action'))
  await person.sees('globalThis.saved?.length > 1000')
  const { downloads } = engine
  if (downloads) await expect.poll(() => readdirSync(downloads)).toEqual([expect.stringMatching(/^saldo/)])

  await tab.open(`${stage.url}/calendar/2018/10/sheet`)
  await person.sees(`document.querySelector('article table')`)
  await tab.evaluate('(globalThis.print = () => (globalThis.printed = true)) && null')
  await person.presses(t('calendar.sheet.print'))
  await person.sees('globalThis.printed')
  if (!tab.print) return
  const { text } = await extractText(await tab.print())
  expect(text.join(' ')).toContain('October 2018')
  expect(text.join(' ')).not.toContain(t('settings.title'))
})

test.each(engines)('$name: works without the service, syncs later, and takes a new version', async ({ start }) => {
  const { stage, tab, person, engine } = await opened(start)
  await signUp({ stage, tab, person })
  await stage.end()
  await tab.open(`${stage.url}/week`)
  await person.reads(t('week.sum'))
  await tab.open(stage.url)
  await enter(person, '0-0:10 Without a network')
  await person.reads('Without a network')
  await person.sees(`document.querySelector('main [role=img][aria-label="${t('today.isPending')}"]')`)
  await stage.beginAgain()
  await tab.evaluate(`dispatchEvent(new Event('online')) && null`)
  await person.sees(isSaved)

  // Two tabs share the device: one syncs, and both show what changes.
  const other = await engine.openTab()
  const inOther = new Person(other)
  await other.open(stage.url)
  await inOther.reads('Without a network')
  await enter(inOther, '0:20-0:30 In another tab')
  await person.reads('In another tab')
  const locks = `navigator.locks.query().then(({ held }) => held.map(({ name }) => name))`
  expect(new Set(await tab.evaluate<string[]>(locks)).size).toBe((await tab.evaluate<string[]>(locks)).length)

  await stage.restartWith(newerApp())
  await tab.evaluate('navigator.serviceWorker.getRegistration().then((worker) => worker.update()).then(() => null)')
  await person.presses(t('app.update.now'))
  await person.sees(`document.querySelector('meta[name=version]')`)
  await person.reads('In another tab')
})

test.each(engines)('$name: signing out with the data removed leaves nothing', async ({ start }) => {
  const { stage, tab, person } = await opened(start)
  await signUp({ stage, tab, person })
  await enter(person, '0-0:10 Secret')
  await person.reads('Secret')
  await person.sees(isSaved)
  await person.presses(t('app.menu.label', { name: account.name }))
  await person.presses(t('app.signOut.action'))
  await person.presses(t('app.signOut.forget'))
  await person.presses(t('app.signOut.action'))
  await person.sees(`document.querySelector('input[type=password]')`)
  expect(await tab.evaluate('indexedDB.databases().then((all) => all.map(({ name }) => name))')).toEqual([])
  expect(await tab.evaluate('Object.keys(localStorage)')).toEqual([])
})
