import { expect, test } from 'vitest'
import { type HostEvent, pageEnvironment } from './environment.ts'

/** A page, as far as an environment knows one. */
function newPage() {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  const window = Object.assign(new EventTarget(), { navigator: { onLine: true } })
  const environment = pageEnvironment(page as unknown as Document, window as unknown as Window, () => {})
  const events: HostEvent[] = []
  const end = environment.subscribe((event) => events.push(event))
  const show = (visibilityState: string) => {
    page.visibilityState = visibilityState
    page.dispatchEvent(new Event('visibilitychange'))
  }
  const take = () => events.splice(0)
  return { page, window, environment, take, end, show }
}

test('[D7.46] a page tells when its network or its visibility changes, and when it is frozen or resumed', () => {
  const { page, window, environment, take, end, show } = newPage()
  show('hidden')
  expect([take(), environment.isVisible()]).toEqual([['hidden'], false])
  show('visible')
  expect([take(), environment.isVisible()]).toEqual([['visible'], true])
  for (const type of ['offline', 'online']) window.dispatchEvent(new Event(type))
  for (const type of ['freeze', 'resume']) page.dispatchEvent(new Event(type))
  expect(take()).toEqual(['offline', 'online', 'frozen', 'resumed'])
  expect(environment.isOnline()).toBe(true)
  window.navigator.onLine = false
  expect(environment.isOnline()).toBe(false)
  end()
  show('hidden')
  window.dispatchEvent(new Event('online'))
  expect(take()).toEqual([])
})
