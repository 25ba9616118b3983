import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig, startService, systemClock, systemRandom } from '@saldo/server'
import { type BrowserContext, chromium } from 'playwright-core'
import { systemChromium } from '../test/browser/chromium.ts'

const silent = { error() {}, warn() {}, info() {}, debug() {} }

/** The service in this process, and a browser for its pages. */
export interface BrowserBench {
  service: Awaited<ReturnType<typeof startService>>
  config: ReturnType<typeof readConfig>
  browser: BrowserContext
  close(): Promise<void>
}

/**
 * Starts the service on data of its own with the pages that `write` puts into a folder, or with the built app, and the
 * whole Chromium. Its profile is on the disk, as people have it: without one, a browser keeps databases in memory.
 */
export async function openBrowserBench(
  pages: string | ((folder: string) => Promise<void>),
  options: Parameters<typeof chromium.launchPersistentContext>[1] = {},
): Promise<BrowserBench> {
  const folder = mkdtempSync(join(tmpdir(), 'saldo-bench-'))
  if (typeof pages !== 'string') await pages(folder)
  const config = { ...readConfig({}), port: 0, dataDir: folder, writesPerMinute: 1e6, writtenBytesPerMinute: 1e12 }
  const appDir = typeof pages === 'string' ? pages : folder
  const service = await startService({
    ...{ config, clock: systemClock, random: systemRandom },
    ...{ log: silent, build: 'bench', appDir },
  })
  const executablePath = systemChromium({ isWhole: true })
  const browser = await chromium.launchPersistentContext(join(folder, 'profile'), {
    ...options,
    ...(executablePath !== undefined && { executablePath }),
  })
  return {
    service,
    config,
    browser,
    async close() {
      await browser.close()
      await service.close()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
