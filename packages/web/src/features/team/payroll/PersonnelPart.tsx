import { Button, Group, Text, TextInput } from '@mantine/core'
import type { PersonnelRow } from '@saldo/core'
import { useCallback, useState } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useByName } from '../../../domain/team/useByName.ts'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { IconAction } from '../../../ui/IconAction.tsx'
import { IconLogout, IconPencil } from '../../../ui/icons.ts'
import tables from '../../../ui/table.module.css'
import { useResource } from '../../../ui/useResource.ts'
import { useIsHr } from '../company/useCompany.ts'
import view from './PayrollView.module.css'
import classes from './Personnel.module.css'
import { PersonnelDialog } from './PersonnelDialog.tsx'
import { PersonnelListDialog } from './PersonnelListDialog.tsx'
import { personnelMatching } from './payroll-model.ts'
import { SettlementDialog } from './SettlementDialog.tsx'

/** The personnel data of all people, which HR changes and payroll reads (D31.1). */
export function PersonnelPart() {
  const { t } = useTranslation()
  const calls = useTeamCalls()
  const isHr = useIsHr()
  const byName = useByName()
  const { answer, failure, again } = useResource(useCallback(() => calls.personnel(), [calls]))
  const [search, setSearch] = useState('')
  const [edited, setEdited] = useState<PersonnelRow>()
  const [leaving, setLeaving] = useState<PersonnelRow>()
  const [isListOpen, setListOpen] = useState(false)
  const people = personnelMatching(answer ?? [], search).toSorted(byName)
  return (
    <>
      <Text className={view.lead ?? ''}>
        {t(isHr ? 'team.payroll.personnel.lead' : 'team.payroll.personnel.onlyHr')}
      </Text>
      <Group align="flex-end">
        <TextInput
          type="search"
          className={classes.search ?? ''}
          label={t('team.payroll.personnel.search')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        {isHr && (
          <Button variant="default" disabled={!answer} onClick={() => setListOpen(true)}>
            {t('team.payroll.list.title')}
          </Button>
        )}
      </Group>
      {failure && <Text role="alert">{failure}</Text>}
      {answer && people.length === 0 && <Text c="dimmed">{t('team.people.none')}</Text>}
      {people.length > 0 && (
        <table className={`${tables.figures} ${classes.table}`} aria-label={t('team.payroll.part.personnel')}>
          <thead>
            <tr>
              <th scope="col">{t('team.people.person')}</th>
              <th scope="col" className={classes.text}>
                {t('team.payroll.personnel.number')}
              </th>
              {(['cost_centre', 'entry_date', 'exit_date'] as const).map((field) => (
                <th key={field} scope="col" className={`${classes.text} ${classes.wide}`}>
                  {t(`team.payroll.personnel.${field}`)}
                </th>
              ))}
              {isHr && (
                <th scope="col">
                  <span className="visually-hidden">{t('team.people.actions')}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {people.map((person) => (
              <PersonnelLine
                key={person.user_id}
                person={person}
                actions={isHr && { onEdit: () => setEdited(person), onSettle: () => setLeaving(person) }}
              />
            ))}
          </tbody>
        </table>
      )}
      {edited && <PersonnelDialog person={edited} onDone={again} onClose={() => setEdited(undefined)} />}
      {leaving && <SettlementDialog person={leaving} onClose={() => setLeaving(undefined)} />}
      {isListOpen && answer && (
        <PersonnelListDialog people={answer} onDone={again} onClose={() => setListOpen(false)} />
      )}
    </>
  )
}

interface LineProps {
  person: PersonnelRow
  /** The actions of HR; false for others. */
  actions: false | { onEdit: () => void; onSettle: () => void }
}

function PersonnelLine({ person, actions }: LineProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { name, email, number, cost_centre, entry_date, exit_date } = person
  const [entry, exit] = [entry_date, exit_date].map((date) => (date === null ? '' : format.date(date, 'medium')))
  const details = [
    cost_centre && `${t('team.payroll.personnel.cost_centre')}: ${cost_centre}`,
    entry && `${t('team.payroll.personnel.entry_date')}: ${entry}`,
    exit && `${t('team.payroll.personnel.exit_date')}: ${exit}`,
  ]
  return (
    <tr>
      <th scope="row" className={classes.name}>
        <span className={classes.person}>{name || email}</span>
        {name && <span className={classes.details}>{email}</span>}
        <span className={`${classes.details} ${classes.narrow}`}>{details.filter(Boolean).join(' · ')}</span>
      </th>
      <td className={classes.text}>{number || <Missing />}</td>
      <td className={`${classes.text} ${classes.wide}`}>{cost_centre}</td>
      <td className={`${classes.text} ${classes.wide}`}>{entry}</td>
      <td className={`${classes.text} ${classes.wide}`}>{exit}</td>
      {actions && (
        <td>
          <IconAction
            Icon={IconPencil}
            label={t('team.payroll.personnel.edit', { name: name || email })}
            onClick={actions.onEdit}
          />
          {exit_date !== null && (
            <IconAction
              Icon={IconLogout}
              label={t('team.settlement.open', { name: name || email })}
              onClick={actions.onSettle}
            />
          )}
        </td>
      )}
    </tr>
  )
}

function Missing() {
  const { t } = useTranslation()
  return (
    <Text span size="sm" c="dimmed">
      {t('team.payroll.personnel.missing')}
    </Text>
  )
}
