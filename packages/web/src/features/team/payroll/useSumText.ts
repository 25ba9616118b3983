import { absenceKinds } from '@saldo/core'
import { useTranslation } from 'react-i18next'

/** Returns a function that names a sum of a sheet: a figure of the month, or a kind of absence. */
export function useSumText(): (sum: string) => string {
  const { t } = useTranslation()
  return (sum) => t(absenceKinds.some((kind) => kind === sum) ? `entries.kind.${sum}` : `team.payroll.sum.${sum}`)
}
