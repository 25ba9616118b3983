import { Button, Group, Text } from '@mantine/core'
import { useSaldo } from '@saldo/client/react'
import type { RoleRow } from '@saldo/core'
import { useCallback, useState } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import rows from '../../../ui/rows.module.css'
import { useResource } from '../../../ui/useResource.ts'
import classes from './CompanyView.module.css'
import { type RoleAct, RoleActDialog } from './RoleActDialog.tsx'
import { RoleDialog } from './RoleDialog.tsx'
import { useGroups, useIsHr } from './useCompany.ts'

/** The roles of the company, each with what it waits for. */
export function RolesPart() {
  const { t } = useTranslation()
  const calls = useTeamCalls()
  const [opened, setOpened] = useState<'give' | RoleAct>()
  const groups = useGroups()
  const { answer, failure, again } = useResource(useCallback(() => calls.roles(), [calls]))
  const roles = answer?.toSorted((a, b) => Number(a.state === 'ended') - Number(b.state === 'ended'))
  const close = () => setOpened(undefined)
  return (
    <div className={classes.part}>
      <Group>
        <Text flex="1 1 16rem">{t('team.roles.lead')}</Text>
        <Button disabled={!groups.answer} onClick={() => setOpened('give')}>
          {t('team.roles.give')}
        </Button>
      </Group>
      {failure && <Text role="alert">{failure}</Text>}
      {roles?.length === 0 && <Text c="dimmed">{t('team.roles.none')}</Text>}
      {roles && roles.length > 0 && (
        <ul className={rows.list}>
          {roles.map((role) => (
            <Role
              key={role.id}
              role={role}
              group={groups.answer?.find(({ id }) => id === role.group_id)?.name ?? ''}
              onOpen={setOpened}
            />
          ))}
        </ul>
      )}
      {opened === 'give' && groups.answer && <RoleDialog groups={groups.answer} onDone={again} onClose={close} />}
      {opened && opened !== 'give' && <RoleActDialog opened={opened} onDone={again} onClose={close} />}
    </div>
  )
}

interface RoleProps {
  role: RoleRow
  group: string
  onOpen: (opened: RoleAct) => void
}

function Role({ role, group, onOpen }: RoleProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { user: self } = useSaldo()
  const isHr = useIsHr()
  const { user, from, until, stands_in_for, given_by, state } = role
  const name = t(`team.role.${role.role}.name`)
  return (
    <li className={rows.row}>
      <div className={rows.what}>
        <div className={rows.name}>{user.name}</div>
        <div className={rows.details}>{user.email}</div>
        <div className={rows.details}>
          {stands_in_for
            ? t('team.roles.deputyOf', { role: name, name: stands_in_for.name, group })
            : t('team.roles.of', { role: name, group })}
          {' · '}
          {until === null
            ? t('team.roles.from', { from: format.date(from, 'medium') })
            : format.dateRange({ from, to: until })}
        </div>
        <div className={rows.details}>
          {t(`team.roles.state.${state}`)}
          {given_by && ` · ${t('team.roles.givenBy', { name: given_by.name })}`}
        </div>
      </div>
      <Group gap="sm">
        {state === 'waits_for_hr' && isHr && user.user_id !== self && (
          <Button size="compact-md" onClick={() => onOpen({ act: 'confirm', role })}>
            {t('team.roles.confirm')}
          </Button>
        )}
        {state !== 'ended' && (
          <Button
            size="compact-md"
            variant="default"
            aria-label={`${t('team.roles.end')}: ${name}, ${user.name}`}
            onClick={() => onOpen({ act: 'end', role })}
          >
            {t('team.roles.end')}
          </Button>
        )}
      </Group>
    </li>
  )
}
