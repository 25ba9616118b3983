import { Button, Group, Text } from '@mantine/core'
import { useSaldo, useSyncStatus } from '@saldo/client/react'
import { epochMs, type MemberRecords, type Month, type ProposalRow } from '@saldo/core'
import { useCallback, useState } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useToday } from '../../../domain/account/TimelineProvider.tsx'
import { useWhen } from '../../../domain/entries/entry-texts.ts'
import { withoutNote } from '../../../domain/records/record-fields.ts'
import { useRecordFields } from '../../../domain/records/useRecordFields.ts'
import { readWireChange } from '../../../domain/records/wire-change.ts'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { ConfirmButton } from '../../../ui/ConfirmButton.tsx'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { useBusy } from '../../../ui/feedback/useAttempt.ts'
import { IconAction } from '../../../ui/IconAction.tsx'
import { IconPencil } from '../../../ui/icons.ts'
import { RowName } from '../../../ui/RowName.tsx'
import rows from '../../../ui/rows.module.css'
import { TitledSection } from '../../../ui/TitledSection.tsx'
import { useResource } from '../../../ui/useResource.ts'
import months from '../months/MonthsView.module.css'
import { ChangeDialog } from './ChangeDialog.tsx'
import {
  firstDateIn,
  type MemberRecord,
  type MemberSettings,
  memberSettingsOf,
  recordsByDate,
  shownEntryOf,
} from './change-model.ts'
import { MemberLog } from './MemberLog.tsx'

interface Props {
  user: number
  name: string
  month: Month
}

/** Changes that HR proposes to a member or makes, and the log of their account (D28.1); for oneself there are none. */
export function MemberChanges(props: Props) {
  const { user: own } = useSaldo()
  return props.user === own ? null : <Changes {...props} />
}

function Changes({ user, name, month }: Props) {
  const { t } = useTranslation()
  const calls = useTeamCalls()
  const { act } = useAct()
  const { isBusy, run } = useBusy()
  const isOffline = useSyncStatus()?.online === false
  const [records, setRecords] = useState<MemberRecords>()
  const {
    answer: proposals = [],
    failure,
    again,
  } = useResource(useCallback(() => calls.proposalsTo(user), [calls, user]))
  const read = async () => {
    const work = calls.recordsOf(user, month)
    if (await act(work)) setRecords(await work)
  }
  const withdraw = async (id: string) => {
    await act(calls.withdrawProposal(user, id))
    await again()
  }
  const onDone = async () => {
    await again()
    await read()
  }
  return (
    <TitledSection title={t('team.person.changes')} lead={t('team.person.lead')} className={months.section}>
      {records ? (
        <Records user={user} name={name} month={month} records={records} onDone={onDone} />
      ) : (
        <Group>
          <Button variant="default" loading={isBusy} disabled={isOffline} onClick={() => void run(read)}>
            {t('team.person.show')}
          </Button>
        </Group>
      )}
      {failure && <Text role="alert">{failure}</Text>}
      {proposals.length > 0 && (
        <ul className={rows.list} aria-label={t('team.person.proposals')}>
          {proposals.map((proposal) => (
            <Proposal key={proposal.id} proposal={proposal} name={name} onWithdraw={() => withdraw(proposal.id)} />
          ))}
        </ul>
      )}
      <MemberLog user={user} />
    </TitledSection>
  )
}

interface RecordsProps extends Props {
  records: MemberRecords
  onDone: () => Promise<void>
}

function Records({ user, name, month, records, onDone }: RecordsProps) {
  const { t } = useTranslation()
  const date = firstDateIn(month, useToday())
  const [opened, setOpened] = useState<'new' | MemberRecord>()
  const settings = memberSettingsOf(records)
  const listed = recordsByDate(records, settings.zone)
  return (
    <>
      <Group>
        <Button onClick={() => setOpened('new')}>{t('team.person.new')}</Button>
      </Group>
      {listed.length === 0 && <Text c="dimmed">{t('team.person.none')}</Text>}
      {listed.length > 0 && (
        <ul className={rows.list} aria-label={t('team.person.records')}>
          {listed.map((record) => (
            <RecordLine key={record.record.id} record={record} settings={settings} onEdit={() => setOpened(record)} />
          ))}
        </ul>
      )}
      {opened && (
        <ChangeDialog
          user={user}
          name={name}
          record={opened === 'new' ? undefined : opened}
          settings={settings}
          date={date}
          mayApply={records.may_apply}
          onDone={onDone}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  )
}

interface LineProps {
  record: MemberRecord
  settings: MemberSettings
  onEdit: () => void
}

function RecordLine({ record, settings, onEdit }: LineProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const whenOf = useWhen()
  const entry = shownEntryOf(record)
  const day = format.date(record.date, 'short')
  const { times, length } = entry ? whenOf(entry, settings.zone) : { times: '', length: '' }
  const isAdjustment = record.kind === 'balance_adjustments'
  const name = t(`${isAdjustment ? 'account' : 'entries'}.kind.${record.record.kind}`)
  return (
    <li className={rows.row}>
      <RowName
        name={`${day}: ${name}`}
        details={isAdjustment ? format.delta(record.record.delta_ms) : [times, length].filter(Boolean).join(' · ')}
      />
      <IconAction Icon={IconPencil} label={t('team.person.edit', { name, day })} onClick={onEdit} />
    </li>
  )
}

interface ProposalProps {
  proposal: ProposalRow
  name: string
  onWithdraw: () => Promise<void>
}

function Proposal({ proposal, name, onWithdraw }: ProposalProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { by, at, reason, changes, state, answered_at, overridden_at } = proposal
  const answered = answered_at === null ? '' : format.dateTime(epochMs(answered_at))
  return (
    <li className={rows.row}>
      <div className={rows.what}>
        <div className={rows.name}>{reason}</div>
        <div className={rows.details}>
          {t(`team.person.state.${state}`, { by: by.name, at: format.dateTime(epochMs(at)), name, answered })}
        </div>
        {overridden_at !== null && (
          <div className={rows.details}>
            {t('team.person.overridden', { name, when: format.dateTime(epochMs(overridden_at)) })}
          </div>
        )}
        {changes.map((change, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <ProposedRecord key={index} change={change} />
        ))}
      </div>
      {state === 'waiting' && (
        <ConfirmButton
          label={t('team.person.withdraw')}
          of={reason}
          question={t('team.person.withdrawQuestion')}
          onConfirm={onWithdraw}
        />
      )}
    </li>
  )
}

/** A record as HR proposed it, in a line. */
function ProposedRecord({ change }: { change: unknown }) {
  const { t } = useTranslation()
  const fieldsOf = useRecordFields()
  const read = readWireChange(change, null)
  if (!read) return null
  const { kind, content } = read
  if (!content) return <div className={rows.details}>{t(`sync.deletionOf.${kind}`)}</div>
  return (
    <div className={rows.details}>
      {withoutNote(fieldsOf(kind, content))
        .map(({ text }) => text)
        .filter(Boolean)
        .join(' · ')}
    </div>
  )
}
