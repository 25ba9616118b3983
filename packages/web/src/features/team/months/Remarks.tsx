import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useSyncStatus } from '@saldo/client/react'
import { epochMs, type Month, type RemarkRow } from '@saldo/core'
import { useState } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { ConfirmButton } from '../../../ui/ConfirmButton.tsx'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { useAttempt } from '../../../ui/feedback/useAttempt.ts'
import { ProblemText } from '../../../ui/Notice.tsx'
import rows from '../../../ui/rows.module.css'
import { TitledSection } from '../../../ui/TitledSection.tsx'
import { useUnsaved } from '../../../ui/unsaved.ts'
import classes from './MonthsView.module.css'

interface Props {
  month: Month
  remarks: readonly RemarkRow[]
  onChanged: () => Promise<void>
}

/** The remarks of a person on their month, which its sheet prints and only they remove (D28.4). */
export function Remarks({ month, remarks, onChanged }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const calls = useTeamCalls()
  const { act } = useAct()
  const { isBusy, failure, attempt } = useAttempt()
  const isOffline = useSyncStatus()?.online === false
  const [text, setText] = useState('')
  useUnsaved(text.trim() !== '')
  const add = async () => {
    if (!(await attempt(calls.addRemark({ month, text: text.trim() })))) return
    setText('')
    await onChanged()
  }
  const remove = async (id: string) => {
    await act(calls.removeRemark(id))
    await onChanged()
  }
  return (
    <TitledSection title={t('team.remarks.title')} lead={t('team.remarks.lead')} className={classes.section}>
      {remarks.length > 0 && (
        <ul className={rows.list}>
          {remarks.map((remark) => (
            <li key={remark.id} className={rows.row}>
              <div className={rows.what}>
                <div className={classes.text}>{remark.text}</div>
                <div className={rows.details}>{format.dateTime(epochMs(remark.at))}</div>
              </div>
              <ConfirmButton
                label={t('ui.delete')}
                of={remark.text}
                question={t('team.remarks.question')}
                onConfirm={() => remove(remark.id)}
              />
            </li>
          ))}
        </ul>
      )}
      <Stack gap="sm">
        <Textarea
          label={t('team.remarks.new')}
          maxLength={1_000}
          autosize
          minRows={2}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {failure && <ProblemText>{failure}</ProblemText>}
        <Group>
          <Button
            variant="default"
            loading={isBusy}
            disabled={isOffline || text.trim() === ''}
            onClick={() => void add()}
          >
            {t('team.remarks.add')}
          </Button>
          {isOffline && <Text c="dimmed">{t('ui.failure.offline')}</Text>}
        </Group>
      </Stack>
    </TitledSection>
  )
}
