import { Group, SegmentedControl, Select, Stack, TextInput } from '@mantine/core'
import { adjustmentKinds, FIRST_EFFECTIVE_DATE, type LocalDate } from '@saldo/core'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { MAX_ADJUSTMENT_MS } from '../../../domain/account/account-model.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { DateInput } from '../../../ui/DateInput.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormFooter } from '../../../ui/FormFooter.tsx'
import { useInvalidFocus } from '../../../ui/focus.ts'
import { DurationInput } from '../../../ui/NumberInputs.tsx'
import type { OnDone } from '../../../ui/useEditor.ts'
import type { Account } from '../useAccount.ts'
import classes from './AdjustmentDialog.module.css'
import type { AdjustmentProblem, BalanceAfter } from './adjustment-form.ts'
import { type EditedAdjustment, useAdjustmentForm } from './useAdjustmentForm.ts'

interface Props {
  edited: EditedAdjustment
  account: Account
  onDone: OnDone<EditedAdjustment>
}

export default function AdjustmentDialog({ edited, account, onDone }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog isForm title={t(edited.record ? 'account.editor.edit' : 'account.editor.new')} onClose={() => onDone()}>
      <AdjustmentForm edited={edited} account={account} onDone={onDone} />
    </Dialog>
  )
}

function AdjustmentForm({ edited, account, onDone }: Props) {
  const { t } = useTranslation()
  const { form, problem, change, changeKind, balanceAfter, save, remove } = useAdjustmentForm(edited, account, onDone)
  const errorOf = (field: AdjustmentProblem) => problem === field && t(`account.editor.problem.${field}`)
  return (
    <form
      ref={useInvalidFocus(problem)}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Stack>
        <Select
          label={t('account.editor.kind')}
          description={t(`account.kindHelp.${form.kind}`)}
          data={adjustmentKinds.map((kind) => ({ value: kind, label: t(`account.kind.${kind}`) }))}
          value={form.kind}
          allowDeselect={false}
          onChange={(kind) => kind && changeKind(kind)}
        />
        <Group align="flex-end" gap="sm">
          <SegmentedControl
            aria-label={t('account.editor.direction')}
            value={form.isDeduction ? 'deducts' : 'adds'}
            onChange={(value) => change({ isDeduction: value === 'deducts' })}
            data={[
              { value: 'adds', label: t('account.editor.adds') },
              { value: 'deducts', label: t('account.editor.deducts') },
            ]}
          />
          <DurationInput
            flex={1}
            miw={120}
            label={t('account.editor.hours')}
            error={errorOf('amount')}
            data-autofocus
            valueMs={form.amountMs}
            maxMs={MAX_ADJUSTMENT_MS}
            onChangeMs={(amountMs) => change({ amountMs })}
            onUnread={() => change({ amountMs: 0 })}
          />
        </Group>
        <DateInput
          label={t('account.editor.date')}
          error={errorOf('date')}
          description={t('account.editor.dateHelp')}
          min={FIRST_EFFECTIVE_DATE}
          required
          value={form.date}
          onChange={(date) => change({ date })}
          onEmpty={() => change({ date: '' })}
          onUnread={() => change({ date: '' })}
        />
        <TextInput
          label={t('account.editor.reason')}
          error={errorOf('reason')}
          maxLength={500}
          required
          value={form.reason}
          onChange={({ currentTarget: { value } }) => change({ reason: value })}
        />
        {form.amountMs !== 0 && form.date !== '' && <BalancePreview date={form.date} balanceAfter={balanceAfter} />}
        <FormFooter onDelete={remove} onCancel={() => onDone()} />
      </Stack>
    </form>
  )
}

function BalancePreview({ date, balanceAfter }: { date: LocalDate; balanceAfter: BalanceAfter }) {
  const { t } = useTranslation()
  const format = useFormat()
  const from = format.delta(balanceAfter.beforeMs)
  const to = format.delta(balanceAfter.afterMs)
  return (
    <output className={classes.preview}>
      <span className={classes.label}>
        {balanceAfter.isAhead
          ? t('account.editor.afterOn', { date: format.date(date, 'medium') })
          : t('account.editor.after')}
      </span>
      <span>
        <span className="visually-hidden">{t('account.editor.fromTo', { from, to })}</span>
        <span aria-hidden>
          {from} → <strong className={classes.figure}>{to}</strong>
        </span>
      </span>
    </output>
  )
}
