import type { OwnRequest } from '@saldo/core'
import { useTranslation } from '../../i18n/translation.ts'

/** Says who is named to stand in for a request, and what they have answered; who is not of the company has no name. */
export function SubstituteText({ substitute }: { substitute: NonNullable<OwnRequest['substitute']> }) {
  const { t } = useTranslation()
  const { name, answer } = substitute
  return t(`team.substitute.${name === '' ? 'gone' : (answer ?? 'open')}`, { name })
}
