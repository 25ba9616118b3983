import type { Page } from 'playwright-core'

/**
 * Opens an address. Returns the bytes of script, with headers, that the page is sent until it can be used; what is
 * asked for later does not count.
 */
export async function scriptUntilUsable(page: Page, url: string, isUsable: () => Promise<unknown>): Promise<number> {
  const session = await page.context().newCDPSession(page)
  const sizes: Promise<number>[] = []
  const isSent = new Map<string, (bytes: number) => void>()
  session.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') sizes.push(new Promise((resolve) => isSent.set(requestId, resolve)))
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    isSent.get(requestId)?.(encodedDataLength)
  })
  await session.send('Network.enable')
  await page.goto(url, { waitUntil: 'commit' })
  await isUsable()
  const bytes = await Promise.all(sizes)
  await session.detach()
  return bytes.reduce((sum, each) => sum + each, 0)
}
