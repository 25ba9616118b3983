import { Stack, Text, Textarea } from '@mantine/core'
import { type BoardRow, datesOfMonth, type Month } from '@saldo/core'
import { useState } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormFooter } from '../../../ui/FormFooter.tsx'

/** Actions on months that need a reason. */
export type MonthDecision = 'return' | 'reopen'
/** The fewest characters of a reason (D27.12). */
const LEAST_REASON: Record<MonthDecision, number> = { return: 1, reopen: 10 }

interface Props {
  decision: MonthDecision
  month: Month
  people: readonly BoardRow[]
  onDecide: (reason: string) => Promise<void>
  onClose: () => void
}

/** Asks why a month is returned or reopened: its people read the reason. */
export function MonthReasonDialog({ decision, month, people, onDecide, onClose }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const [reason, setReason] = useState('')
  const least = LEAST_REASON[decision]
  const title = t(`team.board.${decision}Of`, { month: format.date(datesOfMonth(month).from, 'month') })
  return (
    <Dialog title={title} onClose={onClose} isForm>
      <Stack>
        <Text>{format.list(people.map(({ name }) => name))}</Text>
        <Text c="dimmed">{t(`team.board.${decision}Effect`)}</Text>
        <Textarea
          label={t('team.inbox.reason')}
          description={t('team.board.reasonHelp', { count: least })}
          maxLength={1_000}
          autosize
          minRows={2}
          data-autofocus
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <FormFooter
          action={t(`team.board.${decision}`)}
          disabled={reason.trim().length < least}
          onAction={() => onDecide(reason.trim())}
          onCancel={onClose}
        />
      </Stack>
    </Dialog>
  )
}
