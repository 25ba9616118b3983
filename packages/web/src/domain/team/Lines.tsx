import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import bullets from '../../ui/bullets.module.css'
import type { PolicyLine } from './sight-lines.ts'

/** Sentences of a policy, one below the other. */
export function Lines({ lines }: { lines: readonly PolicyLine[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <ul className={bullets.list}>
      {lines.map(({ key, kinds = [], parts = [], count }) => (
        <li key={key}>
          {t(key, {
            kinds: format.list(kinds.map((kind) => t(`entries.kind.${kind}`))),
            parts: format.list(parts.map((part) => t(`team.managed.${part}`))),
            ...(count !== undefined && { count }),
          })}
        </li>
      ))}
    </ul>
  )
}
