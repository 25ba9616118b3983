import { join } from 'node:path'
import type { EpochMs, UserNumber } from '@saldo/core'
import type { BaseRecord } from '../../packages/client/src/store/rows.ts'
import { fakeBrowser } from '../../packages/client/test/dexie/old-databases.ts'
import { Browser } from '../../packages/client/test/simulated-browser/browser.ts'
import { Disk } from './disk.ts'
import { DexieDrive, type Drive, SqliteDrive } from './drive.ts'
import { OldDevice, type OldVersion } from './old-device.ts'
import type { User } from './service.ts'
import type { Simulation } from './simulation.ts'
import { Tab } from './tab.ts'

/** Maximum number of tabs of a user in a browser. */
const MOST_TABS = 3

/** A computer with a browser, which keeps a store for each user. It can crash, and its clock may be wrong. */
export class Computer {
  readonly name: string
  readonly browser: Browser
  skewMs: EpochMs = 0
  /** As whom the browser is signed in. */
  signedIn: User
  tabs: Tab[] = []
  readonly #simulation: Simulation
  readonly #disks = new Map<number, Disk>()
  readonly #fake = fakeBrowser()
  #opened = 0

  /** The program of the first user, where it is an old one. */
  old: OldDevice | undefined

  constructor(simulation: Simulation, name: string, old: OldVersion | undefined) {
    this.name = name
    this.browser = new Browser({ hasLocks: !simulation.setup.lockless })
    this.signedIn = simulation.users[0] as User
    this.#simulation = simulation
    if (old) this.old = new OldDevice(old, this.signedIn, this.#fake)
  }

  diskOf(user: User): Disk {
    const there = this.#disks.get(user.id)
    if (there) return there
    const simulation = this.#simulation
    const name = `${this.name}/${user.id}`
    const disk = new Disk({
      name,
      drive: this.#driveOf(user),
      watch: simulation.ledgerOf(user.id).watch(name),
      failed: (error) => simulation.failures.push(error),
      during: (work) => simulation.during(work),
    })
    this.#disks.set(user.id, disk)
    return disk
  }

  /** The users whose stores there are. */
  get users(): User[] {
    return this.#simulation.users.filter(({ id }) => this.#disks.has(id))
  }

  /** The tabs of a user; those that run no more or are being closed are none. */
  tabsOf(user: User): Tab[] {
    return this.tabs.filter((tab) => tab.user === user && !tab.isClosing && !tab.page.isGone)
  }

  /** Opens a tab for a user; `undefined` where there are enough. */
  open(user = this.signedIn): Tab | undefined {
    this.tabs = this.tabs.filter(({ page }) => !page.isGone)
    if (this.tabsOf(user).length === MOST_TABS) return undefined
    this.#opened += 1
    const tab = new Tab(this.#simulation, this, user, this.browser.open(`${this.name}.${this.#opened}`))
    this.tabs.push(tab)
    return tab
  }

  /** The power fails. When it is back, a tab opens. */
  async crash(): Promise<void> {
    await this.#crash(() => undefined)
  }

  /**
   * The power will fail when so many more transactions of the user who is signed in were written: before any tab
   * hears of the last of them, of which so many bytes at least may be missing on the disk.
   */
  crashAfter(transactions: number, missing: number | undefined): void {
    const fatal = this.diskOf(this.signedIn)
    const happen = () => void this.#simulation.during(this.#crash((disk) => (disk === fatal ? missing : undefined)))
    fatal.scheduleFault(transactions, undefined, happen)
  }

  async #crash(missing: (disk: Disk) => number | undefined): Promise<void> {
    for (const { page } of this.tabs) page.kill()
    this.#simulation.network.forgetGone()
    await Promise.all([...this.#disks.values()].map((disk) => disk.restart(missing(disk))))
    this.open()
  }

  /** Ends all that is in store for it, and all that hinders it. */
  async calm(): Promise<void> {
    await this.upgrade()
    this.browser.slow(false)
    for (const disk of this.#disks.values()) disk.calm()
    for (const tab of this.tabs) {
      await tab.page.thaw()
      tab.page.show(true)
      tab.page.connect(true)
    }
  }

  /** The old program is replaced by today's, which opens its database. */
  async upgrade(): Promise<void> {
    if (!this.old) return
    const { old } = this
    this.old = undefined
    await old.end()
    const [user] = this.#simulation.users as [User]
    await this.diskOf(user).peek(async (tables) => old.check(await tables.outbox.all()))
    this.open(user)
  }

  baseRecordsOf(user: UserNumber): Promise<BaseRecord[]> | undefined {
    return this.#disks.get(user)?.peek((tables) => tables.baseRecords.all())
  }

  async shutDown(): Promise<void> {
    for (const { page } of this.tabs) page.kill()
    await this.old?.end()
    for (const disk of this.#disks.values()) await disk.close()
  }

  #driveOf(user: User): Drive {
    const owner = { user: user.id, random: this.#simulation.chance }
    if (this.#simulation.setup.store === 'dexie') return new DexieDrive(this.#fake, owner)
    return new SqliteDrive(join(this.#simulation.folder, `${this.name}-${user.id}.db`), owner)
  }
}
