import type { Answers } from '@saldo/client/import'
import type { Look, ReadChoices, Reading } from './import-work.ts'

/** A file that was chosen, with what the user has said about it. */
export interface ChosenFile {
  name: string
  bytes: Uint8Array
  choices: ReadChoices
  answers: Answers
  /** The last outcome of reading the file, if there is one yet. */
  reading: Reading | undefined
  look: Look | undefined
  /** True while a newer reading or look is computed. */
  isBusy: boolean
}

/** Returns a file with further answers: each question keeps its answer until it gets another. */
export function withAnswers(file: ChosenFile, answers: Partial<Answers>): ChosenFile {
  return { ...file, answers: { ...file.answers, ...answers } }
}
