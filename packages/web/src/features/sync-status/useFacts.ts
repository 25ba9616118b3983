import type { WritableKind } from '@saldo/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useZone } from '../../domain/account/useZone.ts'
import { type Fact, factsOf } from './facts.ts'

/** What records say, in the person's language and zone. */
export function useFacts(): (kind: WritableKind, content: object | null) => Fact[] {
  const { t } = useTranslation()
  const format = useFormat()
  const zone = useZone()
  return useMemo(() => (kind, content) => factsOf(kind, content, { t, format, zone }), [t, format, zone])
}
