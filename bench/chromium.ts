import { existsSync } from 'node:fs'

/** Debian's Chromium, with or without a user interface. */
const paths = ['/usr/bin/chromium', '/usr/lib/chromium/chromium-headless-shell']

/** Options that start the system's Chromium, or Playwright's own where there is none. */
export function systemChromium(): { executablePath?: string } {
  const executablePath = paths.find((path) => existsSync(path))
  return executablePath === undefined ? {} : { executablePath }
}
