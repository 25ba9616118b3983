import type { HolidayRule } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { namesOfPlace } from './state-names.ts'

/** Names the state and the region of a rule. It loads the library of holidays. */
export default function PlaceNames({ rule }: { rule: HolidayRule }) {
  const { i18n } = useTranslation()
  return namesOfPlace(rule, i18n.language)
    .map((name) => ` · ${name}`)
    .join('')
}
