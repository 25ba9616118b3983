import type { HolidayRule } from '@saldo/core'
import { useTranslation } from '../../i18n/translation.ts'
import { namesOfPlace } from './state-names.ts'

/** Names the state and the region of a rule. It loads the library of holidays. */
export default function PlaceNames({ rule }: { rule: HolidayRule }) {
  const { language } = useTranslation()
  return namesOfPlace(rule, language)
    .map((name) => ` · ${name}`)
    .join('')
}
