import { ActionIcon, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { PhraseReading, Plan } from '@saldo/client/entries'
import { memo, useId, useRef, useState } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import type { Day } from '../../../domain/entries/useDay.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { useAskedAct } from '../../../ui/asked-act.ts'
import { IconCornerDownLeft } from '../../../ui/icons.ts'
import { useShortcuts } from '../../../ui/useShortcuts.ts'
import type { PlanWords as PlanWordsType } from './PlanWords.tsx'
import classes from './QuickEntryField.module.css'
import { choiceByKey } from './quick-entry-model.ts'
import { useQuickEntry } from './useQuickEntry.ts'

/** Screen readers hear a reading after a pause in typing. */
const PAUSE_MS = 800

/** Creates entries from a line of text, with its reading while the user types. */
export const QuickEntryField = memo(function QuickEntryField({ day }: { day: Day }) {
  const { t } = useTranslation()
  const { text, setText, isEmpty, reading, PlanWords, prepare, submit, choose } = useQuickEntry(day)
  const [settled] = useDebouncedValue(text, PAUSE_MS)
  /** The text that was submitted though it is doubtful. */
  const [asked, setAsked] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const choices = useRef<HTMLUListElement>(null)
  const readingId = useId()
  useShortcuts({ Q: () => field.current?.focus() })
  useAskedAct('quickEntry', (line) => {
    setText(line)
    field.current?.focus()
  })
  const take = (plan: Plan) => {
    field.current?.focus()
    void choose(plan)
  }
  const words = PlanWords && reading && <ReadingWords reading={reading} day={day} PlanWords={PlanWords} />
  return (
    <form
      className={classes.quick}
      onSubmit={(event) => {
        event.preventDefault()
        setAsked(text)
        void submit()
      }}
    >
      <TextInput
        ref={field}
        size="md"
        aria-label={t('today.quick.label')}
        aria-describedby={readingId}
        placeholder={t('today.quick.placeholder')}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={text}
        onFocus={prepare}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          const first = choices.current?.querySelector('button')
          if (event.key !== 'ArrowDown' || !first) return
          event.preventDefault()
          first.focus()
        }}
        rightSection={
          <ActionIcon type="submit" variant="subtle" size="lg" aria-label={t('today.quick.add')}>
            <IconCornerDownLeft size={18} aria-hidden />
          </ActionIcon>
        }
      />
      <p id={readingId} className={classes.reading} data-asked={(!isEmpty && asked === text) || undefined}>
        {isEmpty ? t('today.quick.help') : words}
      </p>
      <p role="status" className="visually-hidden">
        {!isEmpty && settled === text && words}
      </p>
      {PlanWords && reading?.kind === 'doubtful' && (
        <ul
          ref={choices}
          className={classes.choices}
          aria-label={t('today.quick.choices')}
          onKeyDown={(event) => {
            const buttons = [...(choices.current?.querySelectorAll('button') ?? [])]
            const next = choiceByKey(event.key, buttons.indexOf(event.target as HTMLButtonElement), buttons.length)
            if (next === undefined) return
            event.preventDefault()
            const target = buttons[next] ?? field.current
            target?.focus()
          }}
        >
          {reading.choices.map((plan) => (
            <li key={JSON.stringify(plan)}>
              <UnstyledButton className={classes.choice} onClick={() => take(plan)}>
                <PlanWords plan={plan} day={day} />
              </UnstyledButton>
            </li>
          ))}
        </ul>
      )}
    </form>
  )
})

interface ReadingProps {
  reading: PhraseReading
  day: Day
  PlanWords: typeof PlanWordsType
}

function ReadingWords({ reading, day, PlanWords }: ReadingProps) {
  const { t } = useTranslation()
  const format = useFormat()
  switch (reading.kind) {
    case 'nothing':
      return t(`today.quick.problem.${reading.problem}`)
    case 'doubtful': {
      const question = t('today.quick.doubt', { count: reading.choices.length })
      if (reading.unclear.length === 0) return question
      return (
        <>
          <mark className={classes.unclear}>{t('today.quick.unclear', { words: format.list(reading.unclear) })}</mark>
          {question}
        </>
      )
    }
    default:
      return <PlanWords plan={reading} day={day} />
  }
}
