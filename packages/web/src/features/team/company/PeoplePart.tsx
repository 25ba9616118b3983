import { ActionIcon, Button, Checkbox, Group, Menu, Select, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { epochMs, type GroupRow, type MemberRow } from '@saldo/core'
import { useCallback, useState } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useByName } from '../../../domain/team/useByName.ts'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { useBusy } from '../../../ui/feedback/useAttempt.ts'
import { IconDots } from '../../../ui/icons.ts'
import tables from '../../../ui/table.module.css'
import { useResource } from '../../../ui/useResource.ts'
import { AddPeopleDialog } from './AddPeopleDialog.tsx'
import classes from './CompanyView.module.css'
import { EndMembershipDialog } from './EndMembershipDialog.tsx'
import { PeopleOutcome } from './PeopleOutcome.tsx'
import { isRejected, isToShow, linesOfInvited, type PreviewLine } from './people-list.ts'
import { useGroups } from './useCompany.ts'

const TYPING_MS = 250
const states = ['invited', 'waits_for_acceptance', 'member', 'left'] as const

/** The people of the company, with their state, groups, roles and last activity. */
export function PeoplePart() {
  const { t } = useTranslation()
  const calls = useTeamCalls()
  const { act } = useAct()
  const { isBusy, run } = useBusy()
  const groups = useGroups()
  const [search, setSearch] = useState('')
  const [words] = useDebouncedValue(search, TYPING_MS)
  const [state, setState] = useState<MemberRow['state'] | null>(null)
  const [group, setGroup] = useState<number | null>(null)
  const [cursors, setCursors] = useState<readonly (string | null)[]>([null])
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [opened, setOpened] = useState<'add' | MemberRow>()
  const [outcome, setOutcome] = useState<readonly PreviewLine[]>()
  const [told, setTold] = useState('')
  const cursor = cursors.at(-1) ?? null
  const { answer, failure, again } = useResource(
    useCallback(() => calls.people({ search: words, group, state, cursor }), [calls, words, group, state, cursor]),
  )
  const byName = useByName()
  // A page has the order of the service's texts.
  const people = answer?.items.toSorted(byName) ?? []
  const invitable = people.filter((person) => person.state === 'invited' || person.state === 'waits_for_acceptance')
  const filter = (change: () => void) => {
    change()
    setCursors([null])
    setChosen(new Set())
  }
  const inviteAgain = async () => {
    const asked = people.filter(({ user_id }) => chosen.has(user_id))
    const work = calls.inviteAgain(asked.map(({ user_id }) => user_id))
    if (!(await act(work))) return
    const lines = linesOfInvited(asked, await work)
    const count = lines.filter((line) => !isRejected(line)).length
    setTold(count > 0 ? t('team.people.invitedAgain', { count }) : '')
    if (lines.some(isToShow)) setOutcome(lines)
    setChosen(new Set())
    await again()
  }
  const close = () => setOpened(undefined)
  return (
    <div className={classes.part}>
      <Group align="flex-end">
        <TextInput
          type="search"
          className={classes.search ?? ''}
          label={t('team.people.search')}
          value={search}
          onChange={({ currentTarget: { value } }) => filter(() => setSearch(value))}
        />
        <Select
          label={t('team.people.state')}
          data={[
            { value: '', label: t('ui.any') },
            ...states.map((value) => ({ value, label: t(`team.people.states.${value}`) })),
          ]}
          value={state ?? ''}
          allowDeselect={false}
          onChange={(value) => filter(() => setState(value || null))}
        />
        {groups.answer && groups.answer.length > 1 && (
          <Select
            label={t('team.people.group')}
            data={[
              { value: '', label: t('ui.any') },
              ...groups.answer.map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
            value={String(group ?? '')}
            allowDeselect={false}
            onChange={(value) => filter(() => setGroup(value ? Number(value) : null))}
          />
        )}
        <Button disabled={!groups.answer} onClick={() => setOpened('add')}>
          {t('team.people.add')}
        </Button>
        {chosen.size > 0 && (
          <Button variant="default" loading={isBusy} onClick={() => void run(inviteAgain)}>
            {t('team.people.inviteAgain', { count: chosen.size })}
          </Button>
        )}
      </Group>
      <Text role="status">{told}</Text>
      {failure && <Text role="alert">{failure}</Text>}
      {answer && people.length === 0 && <Text c="dimmed">{t('team.people.none')}</Text>}
      {people.length > 0 && (
        <table className={tables.figures} aria-label={t('team.company.part.people')}>
          <thead>
            <tr>
              <th scope="col" className={classes.check}>
                {invitable.length > 0 && (
                  <Checkbox
                    aria-label={t('team.people.chooseInvited')}
                    checked={chosen.size > 0 && chosen.size === invitable.length}
                    indeterminate={chosen.size > 0 && chosen.size < invitable.length}
                    onChange={({ currentTarget: { checked } }) =>
                      setChosen(new Set(checked ? invitable.map(({ user_id }) => user_id) : []))
                    }
                  />
                )}
              </th>
              <th scope="col" className={classes.wrap}>
                {t('team.people.person')}
              </th>
              <th scope="col" className={classes.start}>
                {t('team.people.state')}
              </th>
              <th scope="col" className={`${classes.wrap} ${classes.wide}`}>
                {t('team.people.group')}
              </th>
              <th scope="col" className={classes.wide}>
                {t('team.people.lastActive')}
              </th>
              <th scope="col">
                <span className="visually-hidden">{t('team.people.actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {people.map((person) => (
              <PersonLine
                key={person.user_id}
                person={person}
                groups={groups.answer ?? []}
                isChosen={chosen.has(person.user_id)}
                onChoose={
                  invitable.includes(person)
                    ? (isChosen) =>
                        setChosen((before) => {
                          const next = new Set(before)
                          if (isChosen) next.add(person.user_id)
                          else next.delete(person.user_id)
                          return next
                        })
                    : undefined
                }
                onEnd={() => setOpened(person)}
              />
            ))}
          </tbody>
        </table>
      )}
      <Group>
        {cursors.length > 1 && (
          <Button variant="default" onClick={() => setCursors(cursors.slice(0, -1))}>
            {t('team.people.before')}
          </Button>
        )}
        {answer?.cursor != null && (
          <Button variant="default" onClick={() => setCursors([...cursors, answer.cursor])}>
            {t('team.people.next')}
          </Button>
        )}
      </Group>
      {opened === 'add' && groups.answer && (
        <AddPeopleDialog
          groups={groups.answer}
          onDone={async (count) => {
            setTold(count > 0 ? t('team.people.added', { count }) : '')
            await again()
          }}
          onClose={close}
        />
      )}
      {outcome && (
        <PeopleOutcome
          title={t('team.people.inviteAgain', { count: outcome.length })}
          lines={outcome}
          onClose={() => setOutcome(undefined)}
        />
      )}
      {opened && opened !== 'add' && (
        <EndMembershipDialog person={opened} groups={groups.answer ?? []} onDone={again} onClose={close} />
      )}
    </div>
  )
}

interface LineProps {
  person: MemberRow
  groups: readonly GroupRow[]
  isChosen: boolean
  /** Without it, the person has no invitation to send again. */
  onChoose: ((isChosen: boolean) => void) | undefined
  onEnd: () => void
}

function PersonLine({ person, groups, isChosen, onChoose, onEnd }: LineProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { name, email, state, memberships, roles, last_active_at } = person
  const shown = name || email
  const groupNames = memberships
    .filter(({ until }) => until === null)
    .map(({ group_id }) => groups.find(({ id }) => id === group_id)?.name ?? '')
  return (
    <tr>
      <td className={classes.check}>
        {onChoose && (
          <Checkbox
            aria-label={t('team.people.choose', { name: shown })}
            checked={isChosen}
            onChange={(event) => onChoose(event.currentTarget.checked)}
          />
        )}
      </td>
      <th scope="row" className={`${classes.person} ${classes.wrap}`}>
        <span className={classes.name}>{shown}</span>
        {name !== '' && <span className={classes.email}>{email}</span>}
        {roles.length > 0 && (
          <span className={classes.email}>{format.list(roles.map((role) => t(`team.role.${role}.name`)))}</span>
        )}
      </th>
      <td className={classes.start}>{t(`team.people.states.${state}`)}</td>
      <td className={`${classes.wrap} ${classes.wide}`}>{format.list(groupNames)}</td>
      <td className={classes.wide}>
        {last_active_at !== null && format.dateTime(epochMs(last_active_at))}
        {last_active_at === null && state === 'member' && t('team.people.never')}
      </td>
      <td>
        {state !== 'left' && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={t('team.people.actionsOf', { name: shown })}>
                <IconDots size={18} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={onEnd}>{t('team.people.end')}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </td>
    </tr>
  )
}
