import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import type { BlockedPeriod, GroupRow } from '@saldo/core'
import { useCallback, useState } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useToday } from '../../../domain/account/TimelineProvider.tsx'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { ConfirmButton } from '../../../ui/ConfirmButton.tsx'
import { DateInput } from '../../../ui/DateInput.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormFooter } from '../../../ui/FormFooter.tsx'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { RowName } from '../../../ui/RowName.tsx'
import rows from '../../../ui/rows.module.css'
import { useForm } from '../../../ui/useForm.ts'
import { useResource } from '../../../ui/useResource.ts'
import classes from './CompanyView.module.css'
import { useGroups } from './useCompany.ts'

/** Periods in which absences are unwelcome. They warn, and refuse nothing (D26.11). */
export function BlocksPart() {
  const { t } = useTranslation()
  const format = useFormat()
  const calls = useTeamCalls()
  const { act } = useAct()
  const [isOpen, setOpen] = useState(false)
  const groups = useGroups()
  const { answer, failure, again } = useResource(useCallback(() => calls.blocks(), [calls]))
  const put = async (blocks: readonly BlockedPeriod[]) => {
    const isDone = await act(calls.putBlocks(blocks))
    await again()
    return isDone
  }
  const nameOf = (id: number) => groups.answer?.find((group) => group.id === id)?.name ?? ''
  return (
    <div className={classes.part}>
      <Group>
        <Text flex="1 1 16rem">{t('team.blocks.lead')}</Text>
        <Button disabled={!groups.answer || !answer} onClick={() => setOpen(true)}>
          {t('team.blocks.add')}
        </Button>
      </Group>
      {failure && <Text role="alert">{failure}</Text>}
      {answer?.length === 0 && <Text c="dimmed">{t('team.blocks.none')}</Text>}
      {answer && answer.length > 0 && (
        <ul className={rows.list}>
          {answer.map((block) => (
            <li key={`${block.group_id} ${block.from} ${block.to} ${block.reason}`} className={rows.row}>
              <RowName
                name={block.reason}
                details={`${format.dateRange({ from: block.from, to: block.to })} · ${nameOf(block.group_id)}`}
              />
              <ConfirmButton
                label={t('ui.delete')}
                of={block.reason}
                question={t('team.blocks.question', { reason: block.reason })}
                onConfirm={() => put(answer.filter((each) => each !== block))}
              />
            </li>
          ))}
        </ul>
      )}
      {isOpen && answer && groups.answer && (
        <Dialog title={t('team.blocks.add')} onClose={() => setOpen(false)} isForm>
          <BlockForm
            groups={groups.answer}
            onAdd={async (block) => {
              if (await put([...answer, block])) setOpen(false)
            }}
            onClose={() => setOpen(false)}
          />
        </Dialog>
      )}
    </div>
  )
}

interface FormProps {
  groups: readonly GroupRow[]
  onAdd: (block: BlockedPeriod) => Promise<void>
  onClose: () => void
}

function BlockForm({ groups, onAdd, onClose }: FormProps) {
  const { t } = useTranslation()
  const today = useToday()
  const company = groups.find(({ parent_id }) => parent_id === null)
  const [form, change] = useForm<BlockedPeriod>({ group_id: company?.id ?? 0, from: today, to: today, reason: '' })
  return (
    <Stack>
      <TextInput
        label={t('team.blocks.reason')}
        data-autofocus
        maxLength={200}
        value={form.reason}
        onChange={(event) => change({ reason: event.currentTarget.value })}
      />
      {groups.length > 1 && (
        <Select
          label={t('team.blocks.group')}
          data={groups.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={String(form.group_id)}
          allowDeselect={false}
          onChange={(value) => change({ group_id: Number(value) })}
        />
      )}
      <Group grow preventGrowOverflow={false}>
        <DateInput
          label={t('team.blocks.from')}
          value={form.from}
          onChange={(from) => change({ from, ...(form.to < from && { to: from }) })}
        />
        <DateInput label={t('team.blocks.to')} min={form.from} value={form.to} onChange={(to) => change({ to })} />
      </Group>
      <FormFooter
        action={t('team.blocks.add')}
        disabled={form.reason.trim() === ''}
        onAction={() => onAdd(form)}
        onCancel={onClose}
      />
    </Stack>
  )
}
