import { Stack, Text } from '@mantine/core'
import type { Change } from '@saldo/client/entries'
import { useTranslation } from 'react-i18next'
import { useZone } from '../../../domain/account/useZone.ts'
import { EntryWords } from '../../../domain/entries/EntryWords.tsx'
import { useWhen } from '../../../domain/entries/useWhen.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormFooter } from '../../../ui/FormFooter.tsx'
import classes from './Timesheet.module.css'

interface Props {
  changes: readonly Change[]
  answer: (isYes: boolean) => void
}

/** Asks before fewer hours delete entries, and lists these. */
export function DeletionQuestion({ changes, answer }: Props) {
  const { t } = useTranslation()
  const when = useWhen()
  const zone = useZone()
  const records = changes.flatMap((change) => (change.op === 'delete' ? [change.record] : []))
  return (
    <Dialog title={t('week.timesheet.deletes.title')} onClose={() => answer(false)}>
      <Stack>
        <Text>{t('week.timesheet.deletes.why', { count: records.length })}</Text>
        <ul className={classes.deleted}>
          {records.map((record) => (
            <li key={record.id}>
              {when(record, zone).times} <EntryWords record={record} />
            </li>
          ))}
        </ul>
        <FormFooter action={t('ui.delete')} color="red" onAction={() => answer(true)} onCancel={() => answer(false)} />
      </Stack>
    </Dialog>
  )
}
