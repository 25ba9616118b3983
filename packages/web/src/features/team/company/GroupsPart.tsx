import { Button, Group, Text } from '@mantine/core'
import type { GroupRow } from '@saldo/core'
import { useState } from 'react'
import { useByName } from '../../../domain/team/useByName.ts'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { ConfirmButton } from '../../../ui/ConfirmButton.tsx'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { IconAction } from '../../../ui/IconAction.tsx'
import { IconPencil } from '../../../ui/icons.ts'
import { RowName } from '../../../ui/RowName.tsx'
import rows from '../../../ui/rows.module.css'
import classes from './CompanyView.module.css'
import { GroupDialog } from './GroupDialog.tsx'
import { treeOf } from './groups-model.ts'
import { useGroups } from './useCompany.ts'

/** The tree of groups, the company at its root. */
export function GroupsPart() {
  const { t } = useTranslation()
  const calls = useTeamCalls()
  const { act } = useAct()
  const byName = useByName()
  const { answer, failure, again } = useGroups()
  const [opened, setOpened] = useState<'add' | GroupRow>()
  const remove = async (id: number) => {
    await act(calls.removeGroup(id))
    await again()
  }
  const detailsOf = ({ members, sees_members, least_present }: GroupRow) =>
    [
      t('team.groups.members', { count: members }),
      t(sees_members ? 'team.groups.sees' : 'team.groups.seesNot'),
      ...(least_present === null ? [] : [t('team.groups.least', { count: least_present })]),
    ].join(' · ')
  const hasGroupsBelow = (id: number) => answer?.some(({ parent_id }) => parent_id === id)
  return (
    <div className={classes.part}>
      <Group>
        <Text flex="1 1 16rem">{t('team.groups.lead')}</Text>
        <Button disabled={!answer} onClick={() => setOpened('add')}>
          {t('team.groups.add')}
        </Button>
      </Group>
      {failure && <Text role="alert">{failure}</Text>}
      {answer && (
        <ul className={rows.list}>
          {treeOf(answer, byName).map(({ group, level }) => (
            <li key={group.id} className={rows.row} style={{ paddingInlineStart: `${Math.min(level, 5) * 1.25}rem` }}>
              <RowName name={group.name} details={detailsOf(group)} />
              {group.parent_id !== null && group.members === 0 && !hasGroupsBelow(group.id) && (
                <ConfirmButton
                  label={t('team.groups.remove')}
                  of={group.name}
                  question={t('team.groups.removeQuestion', { name: group.name })}
                  onConfirm={() => remove(group.id)}
                />
              )}
              <IconAction
                Icon={IconPencil}
                label={t('team.groups.edit', { name: group.name })}
                onClick={() => setOpened(group)}
              />
            </li>
          ))}
        </ul>
      )}
      {opened && answer && (
        <GroupDialog
          group={opened === 'add' ? undefined : opened}
          groups={answer}
          onDone={again}
          onClose={() => setOpened(undefined)}
        />
      )}
    </div>
  )
}
