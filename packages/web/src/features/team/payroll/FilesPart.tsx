import { Anchor, Button, Group, MultiSelect, Text } from '@mantine/core'
import { useSyncStatus } from '@saldo/client/react'
import { type PayrollOutcome, payrollFilePath } from '@saldo/client/team'
import { datesOfMonth, epochMs, type Month, type PayrollFileRow, type PersonnelRow, type UserNumber } from '@saldo/core'
import { useCallback, useState } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { useAttempt } from '../../../ui/feedback/useAttempt.ts'
import { IconDownload } from '../../../ui/icons.ts'
import { ProblemText } from '../../../ui/Notice.tsx'
import { RowName } from '../../../ui/RowName.tsx'
import rows from '../../../ui/rows.module.css'
import { saveFile } from '../../../ui/save-file.ts'
import { TitledSection } from '../../../ui/TitledSection.tsx'
import { useResource } from '../../../ui/useResource.ts'
import { Obstacles } from './Obstacles.tsx'
import classes from './PayrollView.module.css'
import { draftBytes } from './payroll-model.ts'

/** The payroll file of a month: all that stands in its way, the file or a draft, and the files made before. */
export function FilesPart({ month }: { month: Month }) {
  const { t } = useTranslation()
  const calls = useTeamCalls()
  const isOffline = useSyncStatus()?.online === false
  const [leftOut, setLeftOut] = useState<readonly UserNumber[]>([])
  const [outcome, setOutcome] = useState<PayrollOutcome>()
  const [running, setRunning] = useState<'file' | 'draft'>()
  const { failure, isBusy, attempt } = useAttempt()
  const personnel = useResource(useCallback(() => calls.personnel(), [calls]))
  const files = useResource(useCallback(() => calls.payrollFiles(), [calls]))
  const people = personnel.answer ?? []
  const run = async (kind: 'file' | 'draft') => {
    setRunning(kind)
    setOutcome(undefined)
    const make = async () => {
      const made = await calls.makePayrollFile({ month, draft: kind === 'draft', leave_out: [...leftOut] })
      if (made.draft !== null && made.name !== null) {
        const { encoding } = await calls.payrollMapping()
        saveFile(made.name, new Blob([draftBytes(made.draft, encoding)], { type: 'text/csv' }))
      }
      setOutcome(made)
    }
    if ((await attempt(make())) && kind === 'file') await files.again()
  }
  const remaining = outcome?.obstacles.filter(({ user_id }) => user_id === null || !leftOut.includes(user_id)) ?? []
  return (
    <>
      <Text className={classes.lead ?? ''}>{t('team.payroll.files.lead')}</Text>
      <MultiSelect
        className={classes.field ?? ''}
        label={t('team.payroll.files.leftOut')}
        description={t('team.payroll.files.leftOutHelp')}
        searchable
        nothingFoundMessage={t('team.people.none')}
        data={people.map(({ user_id, name, email }) => ({ value: String(user_id), label: name || email }))}
        value={leftOut.map(String)}
        onChange={(chosen) =>
          setLeftOut(people.map(({ user_id }) => user_id).filter((user) => chosen.includes(String(user))))
        }
      />
      <Group>
        <Button loading={isBusy && running === 'file'} disabled={isOffline || isBusy} onClick={() => void run('file')}>
          {t('team.payroll.files.make')}
        </Button>
        <Button
          variant="default"
          loading={isBusy && running === 'draft'}
          disabled={isOffline || isBusy}
          onClick={() => void run('draft')}
        >
          {t('team.payroll.files.draft')}
        </Button>
        {isOffline && <Text c="dimmed">{t('ui.failure.offline')}</Text>}
      </Group>
      {(failure ?? personnel.failure) && <ProblemText>{failure ?? personnel.failure}</ProblemText>}
      <div role="status">{outcome && outcome.obstacles.length === 0 && <Ready outcome={outcome} />}</div>
      {outcome && outcome.obstacles.length > 0 && (
        <Obstacles
          month={month}
          obstacles={remaining}
          people={people}
          onLeaveOut={(user) => setLeftOut([...leftOut, user])}
        />
      )}
      <FilesMade files={files.answer} failure={files.failure} people={people} />
    </>
  )
}

/** Says that the file can be downloaded, or that the draft was. */
function Ready({ outcome: { file, name } }: { outcome: PayrollOutcome }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (!file) return <Text>{t('team.payroll.files.draftSaved', { name })}</Text>
  const month = format.date(datesOfMonth(file.month).from, 'month')
  return (
    <div className={classes.ready}>
      <Text fw={600}>{t('team.payroll.files.ready', { month, number: file.number })}</Text>
      <Button
        component="a"
        href={payrollFilePath(file.number)}
        download
        variant="light"
        leftSection={<IconDownload size={18} aria-hidden />}
      >
        {t('team.payroll.files.download')}
      </Button>
    </div>
  )
}

interface FilesMadeProps {
  files: readonly PayrollFileRow[] | undefined
  failure: string | undefined
  people: readonly PersonnelRow[]
}

function FilesMade({ files, failure, people }: FilesMadeProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const nameOf = (user: PayrollFileRow['made_by']) => people.find(({ user_id }) => user_id === user)?.name
  return (
    <TitledSection title={t('team.payroll.files.made')} className={classes.section}>
      {failure && <Text role="alert">{failure}</Text>}
      {files?.length === 0 && <Text c="dimmed">{t('team.payroll.files.none')}</Text>}
      {files && files.length > 0 && (
        <ul className={rows.list}>
          {files.map(({ number, month, made_by, made_at }) => {
            const name = t('team.payroll.files.of', { month: format.date(datesOfMonth(month).from, 'month'), number })
            return (
              <li key={number} className={rows.row}>
                <RowName
                  name={name}
                  details={[format.dateTime(epochMs(made_at)), nameOf(made_by)].filter(Boolean).join(' · ')}
                />
                <Anchor
                  className={classes.link ?? ''}
                  href={payrollFilePath(number)}
                  download
                  aria-label={`${t('team.payroll.files.download')}: ${name}`}
                >
                  {t('team.payroll.files.download')}
                </Anchor>
              </li>
            )
          })}
        </ul>
      )}
    </TitledSection>
  )
}
