import { type Chance, chanceOf } from './chance.ts'
import { at } from './contents.ts'
import type { Setup } from './simulation.ts'
import type { Step, StepName } from './steps.ts'

/** A run: its initial state and its steps. */
export interface Scenario extends Setup {
  seed: number
  steps: Step[]
}

/** Returns steps from a text: separated by commas, each a name and up to three numbers, which are 0 if left out. */
export function stepsOf(text: string): Step[] {
  return text.split(',').map((step) => {
    const [name = '', ...numbers] = step.trim().split(' ')
    const [a = 0, b = 0, c = 0] = numbers.map(Number)
    return [name as StepName, a, b, c]
  })
}

/** Returns steps as a text that `stepsOf` reads. */
export function textOf(steps: readonly Step[]): string {
  return steps.map((step) => step.join(' ').replace(/(?: 0)+$/, '')).join(', ')
}

/** Frequencies of events at the nodes of the service. */
const nodeWeights = {
  killNode: 6,
  startNode: 4,
  skewNode: 2,
  sever: 5,
  severAll: 2,
  failOver: 1,
  rush: 8,
  plainEdit: 8,
  plainSync: 8,
}
/** Of how many steps one is about the nodes. */
const NODES_EVERY = [4, 12, 40]

/** Frequencies of the steps of a company. */
const companyWeights = { lock: 5, hrChange: 3, ask: 6, approve: 6 }
/** The same with syncs of all, without which few changes are refused, asked for and decided. */
const withSyncs = { ...companyWeights, calm: 6 }
/** Of how many steps one is of the company. */
const COMPANY_EVERY = [3, 8]

/** Frequencies of the steps of a schedule. */
const weights: Record<Exclude<StepName, keyof typeof nodeWeights | keyof typeof companyWeights>, number> = {
  put: 30,
  delete: 6,
  importFile: 3,
  undoImport: 2,
  holiday: 4,
  decide: 4,
  handleRejected: 2,
  takeBack: 3,
  program: 4,
  close: 3,
  jobs: 2,
  wake: 15,
  sync: 3,
  notify: 2,
  endNotifications: 1,
  switchUser: 3,
  open: 6,
  closeTab: 2,
  kill: 3,
  killSoon: 3,
  freeze: 4,
  freezeSoon: 4,
  thaw: 5,
  show: 3,
  visit: 1,
  slow: 3,
  deliver: 8,
  fill: 2,
  empty: 2,
  corrupt: 2,
  upgrade: 1,
  cut: 2,
  join: 3,
  crash: 3,
  crashSoon: 3,
  skew: 3,
  carry: 45,
  answer: 45,
  flow: 12,
  calm: 4,
  stall: 5,
  resume: 3,
  loseRequest: 4,
  loseAnswer: 5,
  giveUp: 4,
  repeat: 4,
  expire: 2,
  fail: 4,
  portal: 3,
  pass: 8,
  month: 1,
  restart: 1,
  backUp: 2,
  restore: 3,
}

/** Amounts in a schedule: full, half or little. */
const spreads = [
  [0, 1, 1, 4],
  [0, 0, 1, 4],
  [0, 0, 0, 4],
] as const

/** Without these steps a run hardly syncs. */
const needed: Partial<Record<StepName, number>> = { put: 15, carry: 30, answer: 30 }

/** Frequencies of the steps of a theme. */
const THEME_WEIGHT = 15

/** Themes: faults of one kind, with the steps that they need. */
const themes: Record<string, readonly StepName[]> = {
  history: [
    'delete',
    'program',
    'wake',
    'calm',
    'flow',
    'stall',
    'resume',
    'backUp',
    'restore',
    'loseRequest',
    'close',
  ],
  tabs: [
    'delete',
    'wake',
    'calm',
    'sync',
    'notify',
    'visit',
    'open',
    'closeTab',
    'kill',
    'freeze',
    'thaw',
    'show',
    'pass',
  ],
  messages: [
    'wake',
    'calm',
    'flow',
    'open',
    'kill',
    'killSoon',
    'freezeSoon',
    'thaw',
    'slow',
    'deliver',
    'pass',
    'join',
  ],
  storage: [
    'delete',
    'wake',
    'calm',
    'open',
    'fill',
    'empty',
    'corrupt',
    'crash',
    'crashSoon',
    'upgrade',
    'pass',
    'handleRejected',
    'takeBack',
  ],
  network: [
    'delete',
    'wake',
    'flow',
    'loseAnswer',
    'loseRequest',
    'giveUp',
    'repeat',
    'fail',
    'portal',
    'pass',
    'skew',
  ],
  limits: ['decide', 'program', 'jobs', 'close', 'wake', 'calm', 'flow', 'cut', 'join'],
  holidays: ['holiday', 'program', 'jobs', 'close', 'wake', 'calm', 'flow', 'month'],
  people: ['delete', 'wake', 'calm', 'switchUser', 'expire', 'open', 'kill', 'flow', 'program', 'pass', 'cut'],
}

/**
 * The schedule of a seed. Half of them are on a theme, since what goes wrong only where much of one kind comes
 * together is seldom seen among everything at once; each leaves some things out and has others often, and some touch
 * few records. Many have no restore, so that what holds within one history is seen.
 */
export function scenarioOf(seed: number, { steps: least = 0, nodes = 0, company = false }: Scale = {}): Scenario {
  const chance = chanceOf(seed)
  const theme = at([...Object.values(themes), ...Object.keys(themes).map(() => undefined)], number(chance))
  const isOneHistory = !theme?.includes('restore') && chance.below(2) === 0
  const spread = at(spreads, chance.below(3)) as readonly number[]
  const weightOf = (name: keyof typeof weights) => {
    if (theme) return theme.includes(name) ? THEME_WEIGHT : 0
    return isOneHistory && name === 'restore' ? 0 : weights[name]
  }
  const bag = (Object.keys(weights) as (keyof typeof weights)[]).flatMap((name) => {
    const count = weightOf(name) * (at(spread, chance.below(4)) as number)
    return Array<StepName>(Math.max(count, needed[name] ?? 0)).fill(name)
  })
  const records = at([1, 4, 16], chance.below(3)) as number
  const step = (): Step => {
    const name = at(bag, number(chance)) as StepName
    const touches = name === 'put' || name === 'delete' || name === 'program'
    return [name, number(chance), chance.below(touches ? records : 2 ** 16), number(chance)]
  }
  const setup = setupOf(chance)
  const count = 5 + chance.below(at([15, 60, 130], chance.below(3)) ?? 0)
  const steps = Array.from({ length: Math.max(count, least) }, step)
  const isOfCompany = chanceOf(seed ^ COMPANY_SALT)
  const hasCompany = company || isOfCompany.below(4) === 0
  const all = hasCompany ? withSteps(steps, withSyncs, COMPANY_EVERY, isOfCompany) : steps
  const whole = { ...setup, ...(hasCompany && { company: true as const }) }
  if (nodes === 0) return { seed, ...whole, steps: all }
  return { seed, ...whole, ...withNodes(all, nodes, chanceOf(seed ^ NODES_SALT)) }
}

/** Options that make a schedule longer than by default. */
export interface Scale {
  /** The least number of steps. */
  steps?: number
  /** Maximum number of nodes; one node without faults by default. */
  nodes?: number
  /** True for a company in each run; one in four has it by default. */
  company?: boolean
}

/** Any numbers: their chance is apart, so that the rest of a schedule is the same without them. */
const [NODES_SALT, COMPANY_SALT] = [0x5a1d0, 0xc0a9]

/** Adds faults of nodes to the steps. */
function withNodes(steps: readonly Step[], most: number, chance: Chance): Pick<Scenario, 'nodes' | 'steps'> {
  const among = withSteps(steps, nodeWeights, NODES_EVERY, chance)
  return { nodes: 1 + chance.below(most), steps: among }
}

/** Adds steps of other kinds among steps: after one of so many, by their frequencies. */
function withSteps(
  steps: readonly Step[],
  weightByName: Readonly<Record<string, number>>,
  densities: readonly number[],
  chance: Chance,
): Step[] {
  const bag = Object.entries(weightByName).flatMap(([name, count]) => Array<StepName>(count).fill(name as StepName))
  const every = at(densities, chance.below(densities.length)) as number
  return steps.flatMap((step): Step[] => {
    if (chance.below(every) > 0) return [step]
    return [step, [at(bag, number(chance)) as StepName, number(chance), number(chance), number(chance)]]
  })
}

/** One in so many runs has what is meant, since it is slow, or seldom met. */
const SELDOM = { users: 5, dexie: 20, lockless: 12 }

function setupOf(chance: Chance): Setup {
  const isSeldom = (what: keyof typeof SELDOM) => chance.below(SELDOM[what]) === 0
  const devices = 1 + chance.below(4)
  const old = Array.from({ length: chance.below(devices + 1) }, () => at([1, 2, 3] as const, chance.below(3)) ?? 3)
  return {
    devices,
    ...(isSeldom('users') && { users: 2 }),
    ...(isSeldom('lockless') && { lockless: true }),
    ...(isSeldom('dexie') && { store: 'dexie', old }),
  }
}

const number = (chance: Chance) => chance.below(2 ** 16)
