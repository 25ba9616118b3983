import { onTestFinished } from 'vitest'
import { Stage } from './stage.ts'

/** Opens a stage as `Stage.open` does, which is closed when the test ends. */
export async function openStage(...given: Parameters<typeof Stage.open>): Promise<Stage> {
  const stage = await Stage.open(...given)
  onTestFinished(() => stage.close())
  return stage
}
