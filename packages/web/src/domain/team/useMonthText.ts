import { epochMs, type MonthRow } from '@saldo/core'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'

/** Returns a check code in groups of four, as sheets print it. */
function checkCodeText(code: string): string {
  return (code.match(/.{1,4}/g) ?? []).join(' ')
}

type Details = Pick<MonthRow, 'state' | 'changed_by' | 'changed_at' | 'reason' | 'check_code'>

/** Returns a function that says who gave a month its state, when and why; empty for a month that is as it began. */
export function useMonthText(): (row: Details) => string {
  const { t } = useTranslation()
  const format = useFormat()
  return ({ state, changed_by, changed_at, reason, check_code }) => {
    if (!changed_by || changed_at === null) return ''
    const values = { name: changed_by.name, when: format.dateTime(epochMs(changed_at)) }
    switch (state) {
      case 'submitted':
        return t('team.month.submittedAt', values)
      case 'locked':
        // Whoever sees a part of the sheet gets no code.
        if (check_code === null) return t('team.month.lockedBy', values)
        return t('team.month.lockedWithCode', { ...values, code: checkCodeText(check_code) })
      case 'open':
        return reason === null ? '' : t('team.month.openedBy', { ...values, reason })
    }
  }
}
