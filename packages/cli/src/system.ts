import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** The variables of a process. */
type Environment = Record<string, string | undefined>

/** Returns the time of the computer's clock. */
export function nowMs(): number {
  return Date.now()
}

/** Gives a Node that has no `Temporal` yet (before 26) a kept polyfill of it. */
export async function ensureTemporal(): Promise<void> {
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')
}

/** Returns the address of the service that a command uses from outside, and the token for it. */
export function readClientConfig(environment: Environment = process.env): {
  url: string | undefined
  token: string | undefined
} {
  return { url: environment.SALDO_URL, token: environment.SALDO_TOKEN }
}

/** Folders of a user: `config` for the token, `data` for the local copy of the account. */
export interface UserFolders {
  config: string
  data: string
}

/**
 * Returns the folders by the XDG base directory specification, which ignores relative paths; by default those of the
 * platform.
 */
export function userFolders(
  environment: Environment = process.env,
  platform: string = process.platform,
  home: string = homedir(),
): UserFolders {
  const folder = (path: string | undefined, otherwise: string) =>
    join(path !== undefined && isAbsolute(path) ? path : otherwise, 'saldo')
  const { XDG_CONFIG_HOME, XDG_DATA_HOME, APPDATA, LOCALAPPDATA } = environment
  if (platform === 'win32') {
    const [config, data] = [join(home, 'AppData/Roaming'), join(home, 'AppData/Local')]
    return { config: folder(XDG_CONFIG_HOME ?? APPDATA, config), data: folder(XDG_DATA_HOME ?? LOCALAPPDATA, data) }
  }
  const [config, data] =
    platform === 'darwin' ? ['Library/Application Support', 'Library/Application Support'] : ['.config', '.local/share']
  return { config: folder(XDG_CONFIG_HOME, join(home, config)), data: folder(XDG_DATA_HOME, join(home, data)) }
}
