import { expect } from 'vitest'
import { heavyTest } from '../../packages/server/test/heavy-test.ts'
import { CleanSystem } from './clean-system.ts'

const nodes: [node: string, npm: string][] = [
  ['18.20.8', '9'],
  ['20.20.0', '10'],
  ['24.14.1', '11'],
]

/** The first one downloads a system, all of them what Saldo needs; the others of the tier go on beside it. */
const MOST_MS = 1_800_000

heavyTest.each(nodes, MOST_MS)(
  'a fresh Debian 12 with Node %s and npm %s serves and tests after the two commands, and says what it lacks',
  async (node, npm) => {
    const system = new CleanSystem(node, npm)
    const library =
      'saldo: Node needs the library libatomic.so.1: on Debian and Ubuntu, run "apt-get install libatomic1"\n'
    const lacking = system.run('npm start')
    expect(lacking.output.endsWith(library), lacking.output).toBe(true)
    expect(lacking.code).not.toBe(0)
    expect(system.run('apt-get update && apt-get install --yes libatomic1').code).toBe(0)

    const address = await system.serve()
    expect(address).toMatch(/^http:\/\/localhost:\d+$/)
    expect((await fetch(`${address}/api/health/ready`)).status).toBe(200)

    const selection =
      'packages/core/src/date.test.ts packages/cli/test/program.postgres.test.ts test/e2e/first-day.browser.test.ts'
    const before = system.run('dpkg --list | wc -l').output
    const refused = system.run(`npm test -- ${selection}`)
    expect(refused.code).not.toBe(0)
    expect(refused.output).toContain('saldo: the tests need what this system does not have:\n')
    expect(refused.output).toMatch(
      /saldo: nothing was installed: "npm test -- --install" runs apt-get install [^\n]+\n$/,
    )
    expect(system.run('dpkg --list | wc -l').output).toBe(before)

    const tested = system.run(`npm test -- --install --testTimeout=120000 ${selection}`)
    expect(tested.output).toMatch(/Test Files.*3 passed/)
    expect(tested.code, tested.output.slice(-2_000)).toBe(0)
    expect(system.run('npm run check')).toMatchObject({ code: 0 })
  },
)
