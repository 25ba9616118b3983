import { type RunnerTestFile as File, type RunnerTask as Task, TestRunner, test } from 'vitest'
import { isHeavy } from '../packages/core/test/tier.ts'
import { HEAVY_REASON, HEAVY_TAG, isHeavyFile } from './tiers.ts'

/** The result of a test that was skipped. Reports show the note. */
const skipped = { state: 'skip', note: HEAVY_REASON } as const

/**
 * Runs the tests of the present tier. In `npm test`, a file of the heavy tier is one skipped test and is not loaded,
 * and the report says why each test was skipped.
 */
export default class TierRunner extends TestRunner {
  override importFile(filepath: string, source: 'collect' | 'setup'): unknown {
    if (source === 'setup' || isHeavy || !isHeavyFile(filepath)) return super.importFile(filepath, source)
    test(HEAVY_REASON, { tags: [HEAVY_TAG] }, () => {})
  }

  onBeforeRunFiles(files: File[]): void {
    for (const task of files.flatMap(tasksOf)) {
      if (task.mode === 'skip' && task.tags?.includes(HEAVY_TAG)) task.result = skipped
    }
  }
}

function tasksOf(task: Task): Task[] {
  return 'tasks' in task ? task.tasks.flatMap(tasksOf) : [task]
}
