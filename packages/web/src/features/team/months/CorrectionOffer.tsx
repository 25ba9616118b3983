import { Stack } from '@mantine/core'
import { systemRandom } from '@saldo/client'
import type { EntryMutation } from '@saldo/client/entries'
import { dateAt, type Instant } from '@saldo/core'
import { useEffect, useRef, useState } from 'react'
import { clock } from '../../../context/clock.ts'
import { useTimeline } from '../../../domain/account/TimelineProvider.tsx'
import { useEntryActions } from '../../../domain/entries/useEntryActions.ts'
import { CorrectionFields } from '../../../domain/team/CorrectionFields.tsx'
import { type Corrections, setCorrections } from '../../../domain/team/corrections.ts'
import { monthsOfMutations, requestsOfMutations } from '../../../domain/team/locked-changes.ts'
import { useOwnMonths } from '../../../domain/team/useOwnMonths.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormFooter } from '../../../ui/FormFooter.tsx'

/** Changes about which the user is asked. */
interface Question {
  changes: readonly EntryMutation[]
  /** Takes the message of the request; `undefined` if the user does not want one. */
  answer: (message: string | undefined) => void
}

/** Has changes of locked months that this device knows of asked for before they are made (D27.19). */
export function CorrectionOffer() {
  const { t } = useTranslation()
  const { timeline } = useTimeline()
  const { make } = useEntryActions()
  const { answer } = useOwnMonths()
  const [question, setQuestion] = useState<Question>()
  const asked = useRef<Question>(undefined)
  useEffect(() => {
    const locked = (answer?.items ?? []).flatMap(({ month, state }) => (state === 'locked' ? month : [])).toSorted()
    const monthsOf: Corrections['monthsOf'] = (changes) => monthsOfMutations(changes, locked, timeline)
    const messageFor = (changes: readonly EntryMutation[]) =>
      new Promise<string | undefined>((resolve) => {
        // One question at a time: a later one takes the place of an earlier one.
        asked.current?.answer(undefined)
        const next: Question = {
          changes,
          answer: (message) => {
            asked.current = undefined
            setQuestion(undefined)
            resolve(message)
          },
        }
        asked.current = next
        setQuestion(next)
      })
    setCorrections({
      monthsOf,
      lockedOf: (changes) => changes.filter((change) => monthsOf([change]).length > 0),
      async ask(changes, given) {
        const message = given ?? (await messageFor(changes))
        if (message === undefined) return false
        const nowMs = clock.now()
        const moment = { timeline, today: dateAt(timeline, nowMs), now: new Date(nowMs).toISOString() as Instant }
        const requests = requestsOfMutations(changes, { ...moment, newId: systemRandom.uuid }, message)
        const creations = requests.map((content) => ({ op: 'create' as const, content }))
        return (await make(creations, t('team.ask.asked'))) === 'made'
      },
    })
    return () => setCorrections(undefined)
  }, [answer, timeline, make, t])
  if (!question) return null
  return (
    <Dialog title={t('sync.rejected.askCorrection')} onClose={() => question.answer(undefined)}>
      <CorrectionForm {...question} />
    </Dialog>
  )
}

function CorrectionForm({ changes, answer }: Question) {
  const { t } = useTranslation()
  const [message, setMessage] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        answer(message)
      }}
    >
      <Stack>
        <CorrectionFields changes={changes} message={message} onChange={setMessage} />
        <FormFooter action={t('sync.rejected.askCorrection')} onCancel={() => answer(undefined)} />
      </Stack>
    </form>
  )
}
