import { type ImportAnswers, readAccountNow, runImport } from '@saldo/client/import'
import { useSaldo } from '@saldo/client/react'
import type { LocalDate } from '@saldo/core'
import { useEffect, useRef, useState } from 'react'
import { clock } from '../../../context/clock.ts'
import { useZone } from '../../../domain/account/TimelineProvider.tsx'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { type ChosenFile, withAnswers } from './import-model.ts'
import type { FileReading, ReadChoices } from './import-work.ts'
import { type Importer, startImporter } from './importer.ts'

/** The outcome of an import. */
export interface Imported {
  name: string
  added: number
  total: number
  /** The first and the last date of the entries; null without any. */
  first: LocalDate | null
  last: LocalDate | null
  reading: Extract<FileReading, { outcome: 'read' }>
}

export type ImportStep =
  | { step: 'choosing' }
  | { step: 'previewing'; file: ChosenFile }
  | { step: 'importing'; name: string; done: number; total: number }
  | { step: 'done'; imported: Imported }

/** Imports a file, step by step. */
export function useImport() {
  const saldo = useSaldo()
  const timeZone = useZone()
  const { act } = useAct()
  const [state, setState] = useState<ImportStep>({ step: 'choosing' })
  const importer = useRef<Importer>(undefined)
  const cancel = useRef<AbortController>(undefined)
  // Counts the requests of the user, so that the answer to an earlier one does not replace that to a later one.
  const turn = useRef(0)

  const stop = () => {
    turn.current += 1
    importer.current?.close()
    importer.current = undefined
  }
  useEffect(() => () => importer.current?.close(), [])

  const look = async (file: ChosenFile) => {
    turn.current += 1
    const mine = turn.current
    setState({ step: 'previewing', file: { ...file, isBusy: true } })
    const now = await saldo.query(readAccountNow)
    const found = await importer.current?.look(file.answers, now)
    if (mine !== turn.current) return
    setState({ step: 'previewing', file: { ...file, look: found, isBusy: false } })
  }

  const read = async (file: ChosenFile) => {
    turn.current += 1
    const mine = turn.current
    setState({ step: 'previewing', file: { ...file, isBusy: true } })
    importer.current ??= startImporter()
    const reading = await importer.current.read(file.source, file.choices, clock.now())
    if (mine !== turn.current) return
    const done = { ...file, reading }
    if (reading.outcome === 'read') await look(done)
    else setState({ step: 'previewing', file: { ...done, look: undefined, isBusy: false } })
  }

  const reset = () => {
    stop()
    setState({ step: 'choosing' })
  }

  const choose = (source: File) =>
    read({ source, choices: {}, answers: { timeZone }, reading: undefined, look: undefined, isBusy: true })

  const start = async ({ source: { name }, reading, look: seen }: ChosenFile) => {
    if (reading?.outcome !== 'read' || !importer.current) return
    const { first = null, last = null } = seen?.preview ?? {}
    const drafts = await importer.current.takeDrafts()
    stop()
    cancel.current = new AbortController()
    const total = drafts.length
    setState({ step: 'importing', name, done: 0, total })
    const added = await runImport(saldo, drafts, {
      signal: cancel.current.signal,
      onProgress: (done) => setState({ step: 'importing', name, done, total }),
    })
    setState({ step: 'done', imported: { name, added, total, first, last, reading } })
  }

  /** Shows what goes wrong, and begins anew then. */
  const attempt = async (work: Promise<unknown>) => {
    if (!(await act(work))) reset()
  }

  return {
    state,
    reset,
    choose: (chosen: File) => void attempt(choose(chosen)),
    /** Reads the file in another way: as a format, or by a mapping of its columns. */
    readAs: (file: ChosenFile, choices: ReadChoices) => void attempt(read({ ...file, choices })),
    answer: (file: ChosenFile, answers: Partial<ImportAnswers>) => void attempt(look(withAnswers(file, answers))),
    start: (file: ChosenFile) => void attempt(start(file)),
    cancel: () => cancel.current?.abort(),
  }
}

export type ImportActions = ReturnType<typeof useImport>
