import { Group, SegmentedControl, Select, Stack, TextInput } from '@mantine/core'
import { FIRST_EFFECTIVE_DATE, HOUR_MS } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { DurationInput } from '../../../ui/DurationInput.tsx'
import { EditorFoot } from '../../../ui/EditorFoot.tsx'
import { ProblemText } from '../../../ui/ProblemText.tsx'
import type { Account } from '../useAccount.ts'
import { AfterPreview } from './AfterPreview.tsx'
import { type AdjustmentDraft, kindChoices } from './adjustment-draft.ts'
import { type EditedAdjustment, type OnDone, useAdjustmentEditor } from './useAdjustmentEditor.ts'

const MOST_MS = 100_000 * HOUR_MS

interface Props {
  edited: EditedAdjustment
  account: Account
  onDone: OnDone
}

/** An adjustment's fields, and what the balance becomes by it. */
export function AdjustmentEditor({ edited, account, onDone }: Props) {
  const { t } = useTranslation()
  const { draft, problem, change, changeKind, after, save, remove } = useAdjustmentEditor(edited, account, onDone)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Stack>
        <Select
          label={t('account.editor.kind')}
          description={t(`account.kindHelp.${draft.kind}`)}
          data={kindChoices.map((kind) => ({ value: kind, label: t(`account.kind.${kind}`) }))}
          value={draft.kind}
          allowDeselect={false}
          onChange={(kind) => kind && changeKind(kind as AdjustmentDraft['kind'])}
        />
        <Group align="flex-end" gap="sm" wrap="nowrap">
          <SegmentedControl
            aria-label={t('account.editor.direction')}
            value={draft.takes ? 'takes' : 'gives'}
            onChange={(value) => change({ takes: value === 'takes' })}
            data={[
              { value: 'gives', label: t('account.editor.gives') },
              { value: 'takes', label: t('account.editor.takes') },
            ]}
          />
          <DurationInput
            flex={1}
            label={t('account.editor.hours')}
            data-autofocus
            valueMs={draft.amountMs}
            maxMs={MOST_MS}
            onChangeMs={(amountMs) => change({ amountMs })}
          />
        </Group>
        <TextInput
          type="date"
          label={t('account.editor.date')}
          description={t('account.editor.dateHelp')}
          min={FIRST_EFFECTIVE_DATE}
          required
          value={draft.date}
          onChange={({ currentTarget: { value } }) => change({ date: value })}
        />
        <TextInput
          label={t('account.editor.reason')}
          maxLength={500}
          required
          value={draft.reason}
          onChange={({ currentTarget: { value } }) => change({ reason: value })}
        />
        {draft.amountMs !== 0 && draft.date !== '' && <AfterPreview draft={draft} after={after} />}
        {problem && <ProblemText>{t(`account.editor.problem.${problem}`)}</ProblemText>}
        <EditorFoot onDelete={remove} onCancel={() => onDone()} />
      </Stack>
    </form>
  )
}
