import { Text } from '@mantine/core'
import type { AbsenceContent } from '@saldo/core'
import { useTranslation } from '../../i18n/translation.ts'
import { isCrediting } from './editor/entry-effect.ts'

interface Props {
  kinds: readonly AbsenceContent['kind'][]
  /** The work of the days, if it is there already. */
  worked?: string
}

/** Says how work and absences of the same days count together. */
export function WorkOnAbsence({ kinds, worked }: Props) {
  const { t } = useTranslation()
  return kinds.map((kind) => {
    const effect = kind === 'time_off_in_lieu' ? 'lieu' : isCrediting(kind) ? 'credited' : 'target'
    return (
      <Text key={kind} size="sm">
        {worked === undefined
          ? t('entries.effect.onAbsence', { kind: t(`entries.kind.${kind}`) })
          : t('entries.effect.onWork', { time: worked })}{' '}
        {t(`entries.effect.together.${effect}`)}
      </Text>
    )
  })
}
