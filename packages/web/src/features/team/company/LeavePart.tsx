import { Button, Group, Text } from '@mantine/core'
import { epochMs, type LeaveRow } from '@saldo/core'
import { useCallback, useState } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { ConfirmButton } from '../../../ui/ConfirmButton.tsx'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { RowName } from '../../../ui/RowName.tsx'
import rows from '../../../ui/rows.module.css'
import { useResource } from '../../../ui/useResource.ts'
import { inHundreds } from '../in-hundreds.ts'
import classes from './CompanyView.module.css'
import { LeaveDialog } from './LeaveDialog.tsx'
import { summaryOfLeave } from './leave-model.ts'
import { useAllPeople, useGroups } from './useCompany.ts'

/** Company leave, such as between the years, that HR writes for many and can remove again (D28.7). */
export function LeavePart() {
  const { t } = useTranslation()
  const format = useFormat()
  const calls = useTeamCalls()
  const { act } = useAct()
  const [isOpen, setOpen] = useState(false)
  const [removed, setRemoved] = useState<{ days: number; kept: number }>()
  const groups = useGroups()
  const people = useAllPeople()
  const { answer, failure, again } = useResource(useCallback(() => calls.leave(), [calls]))
  const remove = async ({ id, kind, from, to, users }: LeaveRow) => {
    const work = inHundreds(users, (some) => calls.removeLeave({ id, kind, from, to, users: some }))
    if (!(await act(work))) return
    const results = await work
    setRemoved({
      days: summaryOfLeave(results).days,
      kept: results.reduce((sum, { left_out }) => sum + left_out.length, 0),
    })
    await again()
  }
  return (
    <div className={classes.part}>
      <Group>
        <Text flex="1 1 16rem">{t('team.leave.lead')}</Text>
        <Button disabled={!groups.answer || !people.answer} onClick={() => setOpen(true)}>
          {t('team.leave.add')}
        </Button>
      </Group>
      {failure && <Text role="alert">{failure}</Text>}
      <Text role="status">
        {removed &&
          [
            t('team.leave.removed', { count: removed.days }),
            removed.kept > 0 && t('team.leave.kept', { count: removed.kept }),
          ]
            .filter(Boolean)
            .join(' ')}
      </Text>
      {answer?.length === 0 && <Text c="dimmed">{t('team.leave.none')}</Text>}
      {answer && answer.length > 0 && (
        <ul className={rows.list}>
          {answer.map((leave) => {
            const dates = format.dateRange({ from: leave.from, to: leave.to })
            return (
              <li key={leave.id} className={rows.row}>
                <RowName
                  name={`${t(`entries.kind.${leave.kind}`)}, ${dates}`}
                  details={[
                    t('team.leave.people', { count: leave.users.length }),
                    t('team.leave.writtenBy', { name: leave.by?.name ?? '', when: format.dateTime(epochMs(leave.at)) }),
                  ].join(' · ')}
                />
                <ConfirmButton
                  label={t('team.leave.remove')}
                  of={dates}
                  question={t('team.leave.question')}
                  onConfirm={() => remove(leave)}
                />
              </li>
            )
          })}
        </ul>
      )}
      {isOpen && groups.answer && people.answer && (
        <LeaveDialog groups={groups.answer} people={people.answer} onDone={again} onClose={() => setOpen(false)} />
      )}
    </div>
  )
}
